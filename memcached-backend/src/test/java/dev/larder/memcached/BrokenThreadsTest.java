package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.memcached.client.SpyVersionServer;
import dev.larder.memcached.format.Names;
import dev.larder.memcached.protocol.BarrierTurns;
import dev.larder.memcached.protocol.PrimaryProbe;
import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.remote.WritersInProgress;
import dev.larder.store.FaultPoint;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Threads beside memcached that the system does not give, or that die: the next reader has more.
 */
@NeedsProgram(Program.MEMCACHED)
class BrokenThreadsTest {
  private static final long RUN = 17;
  private static final String POLLS = "polls-of-the-test";

  private final Names names = new Names("test", "7", 5, null);
  private final List<String> keys = List.of(names.ofEverything());
  private Memcached memcached;
  private MemcachedServer server;
  private RemoteVersions versions;

  @BeforeEach
  void start() throws Exception {
    memcached = Memcached.start();
    server = new MemcachedServer(memcached.address(), Duration.ofSeconds(10), 1_000).start();
    Waiting.until("memcached answers", server::isAvailable);
    versions = new RemoteVersions(new SpyVersionServer(server), names);
  }

  @AfterEach
  void end() throws Exception {
    inject(null);
    server.close();
    memcached.close();
  }

  private static void inject(@Nullable Consumer<FaultPoint> fault) throws Exception {
    Method inject = FaultPoint.class.getDeclaredMethod("inject", Consumer.class);
    inject.setAccessible(true);
    inject.invoke(null, fault);
  }

  private static void denyThreads() throws Exception {
    inject(
        passed -> {
          if (passed == FaultPoint.STARTING) {
            throw new OutOfMemoryError("unable to create native thread");
          }
        });
  }

  private boolean isSettledBy(BarrierWorker worker) {
    VersionReading reading = versions.read(keys, RUN);
    worker.wanted(reading, RUN);
    return reading.verdict() == VersionReading.Verdict.READABLE;
  }

  private BarrierWorker worker(PrimaryProbe primary) {
    return new BarrierWorker(
        versions, new BarrierTurns(new SpyVersionServer(server)), primary, "barrier");
  }

  @Test
  void versionsAreSettledOnceThereAreThreadsAgain() throws Exception {
    try (BarrierWorker worker = worker(() -> new WritersInProgress(RUN, Set.of()))) {
      denyThreads();
      assertThat(isSettledBy(worker)).isFalse();
      inject(null);
      Waiting.until("it is settled", () -> isSettledBy(worker));
    }
  }

  @Test
  void versionsAreSettledAfterTheThreadHasDied() {
    AtomicInteger questions = new AtomicInteger();
    PrimaryProbe primary =
        () -> {
          if (questions.getAndIncrement() == 0) {
            throw new OutOfMemoryError("as a test has it");
          }
          return new WritersInProgress(RUN, Set.of());
        };
    try (BarrierWorker worker = worker(primary)) {
      Waiting.until("it is settled", () -> isSettledBy(worker));
      assertThat(questions.get()).isGreaterThan(1);
    }
  }

  private static boolean isPolled() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(POLLS));
  }

  @Test
  void versionsArePolledOnceThereAreThreadsAgain() throws Exception {
    try (PolledVersions polled =
        new PolledVersions(versions, Duration.ofMillis(10), Duration.ofSeconds(10), POLLS)) {
      denyThreads();
      polled.note(keys, versions.look(keys), System.nanoTime());
      assertThat(isPolled()).isFalse();
      inject(null);
      polled.note(keys, versions.look(keys), System.nanoTime());
      Waiting.until("it is polled", BrokenThreadsTest::isPolled);
    }
    Waiting.until("nothing polls", () -> !isPolled());
  }
}
