package dev.larder.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogBuilder;
import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.CatalogStamps;
import dev.larder.catalog.CatalogVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A database whose catalog is a version; every call waits to be let through when gated. */
final class SteppedDatabase implements CatalogLoader {
  final List<String> calls = new CopyOnWriteArrayList<>();
  final LinkedBlockingQueue<String> entered = new LinkedBlockingQueue<>();
  final SynchronousQueue<String> gate = new SynchronousQueue<>();
  final Semaphore asked = new Semaphore(0);
  final AtomicInteger releases = new AtomicInteger();
  final CountDownLatch released = new CountDownLatch(1);
  volatile boolean gated;
  volatile int fingerprint = 1;
  volatile int content = 1;
  volatile boolean broken;
  volatile boolean daemon;
  volatile DatabaseControls controls = DatabaseControls.NONE;
  volatile Runnable atCall = () -> {};
  volatile Supplier<@Nullable Error> error = () -> null;
  volatile Supplier<@Nullable Error> errorOfRelease = () -> null;

  @Override
  public CatalogVersion load() throws Exception {
    CatalogBuilder builder = new CatalogBuilder();
    builder.add(new CatalogRow.Surroundings(false, false, "version " + content));
    CatalogVersion catalog = builder.build(stamps());
    call("load");
    return catalog;
  }

  @Override
  public String fingerprint() throws Exception {
    String seen = Integer.toString(fingerprint);
    call("fingerprint");
    return seen;
  }

  /** As where an index differs: only the content says whether that matters. */
  @Override
  public CatalogStamps stamps() {
    String seen = Integer.toString(fingerprint);
    return new CatalogStamps(seen, "", seen, Map.of());
  }

  @Override
  public DatabaseControls controls() {
    asked.release();
    return controls;
  }

  private void call(String name) throws Exception {
    daemon = Thread.currentThread().isDaemon();
    atCall.run();
    calls.add(name);
    entered.add(name);
    if (gated) {
      gate.take();
    }
    raise(error);
    if (broken) {
      throw new IllegalStateException("no connection");
    }
  }

  @Override
  public void release() {
    releases.incrementAndGet();
    released.countDown();
    raise(errorOfRelease);
  }

  private static void raise(Supplier<@Nullable Error> error) {
    Error made = error.get();
    if (made != null) {
      throw made;
    }
  }

  void awaitCall(String name) throws InterruptedException {
    String call = entered.poll(20, TimeUnit.SECONDS);
    while (call != null && !call.equals(name)) {
      call = entered.poll(20, TimeUnit.SECONDS);
    }
    assertThat(call).isEqualTo(name);
  }

  void letThrough() throws InterruptedException {
    assertThat(gate.offer("go", 20, TimeUnit.SECONDS)).isTrue();
  }
}
