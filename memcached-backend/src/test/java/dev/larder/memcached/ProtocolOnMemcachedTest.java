package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.client.EntryServers;
import dev.larder.memcached.client.Life;
import dev.larder.memcached.client.MemcachedServer;
import dev.larder.memcached.client.RawBytes;
import dev.larder.memcached.client.SpyVersionServer;
import dev.larder.memcached.format.EntryCodec;
import dev.larder.memcached.format.Names;
import dev.larder.memcached.format.RemoteEntry;
import dev.larder.memcached.protocol.BarrierPass;
import dev.larder.memcached.protocol.BarrierTurns;
import dev.larder.memcached.protocol.CatalogToken;
import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.RemoteWrite;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.memcached.protocol.VersionServer;
import dev.larder.remote.WritersInProgress;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writers and readers of several clients against a real memcached that is tormented meanwhile. The
 * database is a counter, and a commit counts: no hit may return less than the counter showed when
 * the read began.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class ProtocolOnMemcachedTest {
  private static final long RUN = 1;
  private static final Duration TIMEOUT = Duration.ofMillis(300);
  private static final ResultColumns COLUMNS =
      new ResultColumns(List.of(new ResultColumn("n", 0, 0, 20, 8, -1, true)));
  private static final byte[] KEY = "the query".getBytes(StandardCharsets.UTF_8);

  private final TableTag table = new TableVersions().tag(TableTag.Scope.RELATION, 16_384);
  private final WriteSet writes = new WriteSet(List.of(table), false);
  private final Names names = new Names("test", "7", 5, null);
  private final AtomicLong database = new AtomicLong();
  private final Set<String> inProgress = ConcurrentHashMap.newKeySet();
  private final AtomicLong transactions = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder hitsAtTheEnd = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder settled = new LongAdder();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final List<MemcachedServer> servers = new ArrayList<>();
  private volatile boolean running = true;
  private volatile boolean quiet;

  /** Does something bad to the server. */
  private interface Torment {
    void round(Memcached memcached) throws Exception;
  }

  @Test
  void noHitIsOlderThanItsReadWhileMemcachedIsKilledStartedAgainAndFlushed() throws Exception {
    run(
        memcached -> {
          Waiting.pass(Duration.ofMillis(300));
          memcached.kill();
          memcached.restart();
          Waiting.pass(Duration.ofMillis(300));
          memcached.ask("flush_all");
        });
    assertThat(refused.sum()).isPositive();
  }

  @Test
  void noHitIsOlderThanItsReadWhileMemcachedHangs() throws Exception {
    run(
        memcached -> {
          Waiting.pass(Duration.ofMillis(300));
          memcached.suspend();
          Waiting.pass(Duration.ofMillis(500));
          memcached.resume();
        });
    assertThat(refused.sum()).isPositive();
  }

  @Test
  void noHitIsOlderThanItsReadWhileVersionsAreEvicted() throws Exception {
    byte[] filler = new byte[50_000];
    run(
        memcached -> {
          MemcachedServer server = servers.get(0);
          Life life = server.life();
          for (int i = 0; life != null && i < 200; i++) {
            String name = "filler" + ThreadLocalRandom.current().nextInt(1_000);
            Future<?> sent = life.client().set(name, 0, filler, RawBytes.INSTANCE);
            server.await(sent, System.nanoTime() + server.timeoutNanos());
            if (i % 20 == 0) {
              memcached.ask("delete " + names.ofVersion(table));
              memcached.ask("delete " + names.ofEverything());
            }
          }
        },
        "-m",
        "1",
        "-I",
        "512k");
  }

  private void run(Torment torment, String... options) throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    try (Memcached memcached = Memcached.start(options)) {
      List<Future<@Nullable String>> results = new ArrayList<>();
      for (int client = 0; client < 2; client++) {
        MemcachedServer server = new MemcachedServer(memcached.address(), TIMEOUT, 1_000).start();
        servers.add(server);
        VersionServer version = new SpyVersionServer(server);
        RemoteVersions versions = new RemoteVersions(version, names);
        BarrierTurns turns = new BarrierTurns(version);
        EntryServers entries =
            new EntryServers(List.of(server), new EntryCodec(null, null, 10_000));
        results.add(pool.submit(repeat(() -> write(versions))));
        results.add(pool.submit(repeat(() -> read(versions, entries))));
        results.add(pool.submit(repeat(() -> settle(versions, turns))));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
      while (System.nanoTime() < end) {
        torment.round(memcached);
      }
      quiet = true;
      awaitHits();
      running = false;
      for (Future<@Nullable String> result : results) {
        assertThat(result.get()).isNull();
      }
      assertThat(hits.sum()).isPositive();
      assertThat(settled.sum()).isPositive();
      assertThat(database.get()).isPositive();
    } finally {
      running = false;
      pool.shutdownNow();
      servers.forEach(MemcachedServer::close);
    }
  }

  /** After each fault the cache is in use again. */
  private void awaitHits() {
    Waiting.until(
        "the cache is in use again",
        () -> {
          assertThat(faults).isEmpty();
          return hitsAtTheEnd.sum() >= 10;
        });
  }

  private Callable<@Nullable String> repeat(Callable<@Nullable String> step) {
    return () -> {
      String fault = null;
      while (running && fault == null) {
        fault = step.call();
      }
      if (fault != null) {
        faults.add(fault);
      }
      return fault;
    };
  }

  private @Nullable String write(RemoteVersions versions) {
    String transaction = "x" + transactions.incrementAndGet();
    // The catalogToken is that of no catalog, so that every tenth write announces everything.
    boolean known = ThreadLocalRandom.current().nextInt(10) > 0;
    CatalogToken catalogToken =
        known ? CatalogToken.in(versions.read(versions.keysOfCatalog(), RUN), RUN) : null;
    inProgress.add(transaction);
    RemoteWrite write = versions.announce(writes, catalogToken);
    if (write.acknowledged()) {
      database.incrementAndGet();
    } else {
      refused.increment();
    }
    inProgress.remove(transaction);
    if (ThreadLocalRandom.current().nextInt(10) > 0) {
      versions.publish(write); // Else its JVM has died.
    }
    Waiting.pass(Duration.ofMillis(ThreadLocalRandom.current().nextInt(20)));
    return null;
  }

  private @Nullable String settle(RemoteVersions versions, BarrierTurns turns) {
    List<BarrierPass> passes =
        versions.keys(List.of(table)).names().stream().map(BarrierPass::of).toList();
    for (int i = 0; i < 3; i++) {
      passes =
          versions.settle(passes, turns, () -> new WritersInProgress(RUN, Set.copyOf(inProgress)));
      passes.stream().filter(pass -> pass.cas() == null).forEach(pass -> settled.increment());
      passes =
          passes.stream()
              .filter(pass -> pass.phase() == BarrierPass.Phase.WAIT)
              .map(BarrierPass::next)
              .toList();
    }
    turns.giveBack(versions.keys(List.of(table)).names());
    Waiting.pass(Duration.ofMillis(5));
    return null;
  }

  private @Nullable String read(RemoteVersions versions, EntryServers entries) {
    long begin = database.get();
    String name = names.ofEntry(KEY);
    Supplier<RemoteEntry> pending = entries.ask(name, KEY);
    VersionReading reading = versions.read(versions.keys(List.of(table)).names(), RUN);
    RemoteEntry entry = pending.get();
    if (entry != null && reading.permits(entry.tokens())) {
      long row = ByteBuffer.wrap(entry.result().rows().value(0, 0)).getLong();
      hits.increment();
      if (quiet) {
        hitsAtTheEnd.increment();
      }
      return row < begin ? "hit " + row + " after " + begin : null;
    }
    if (reading.verdict() == VersionReading.Verdict.READABLE) {
      byte[] row = ByteBuffer.allocate(Long.BYTES).putLong(database.get()).array();
      CachedResult result = CachedResult.of(COLUMNS, new RawRows(new byte[][][] {{row}}), false);
      entries.keep(name, KEY, new RemoteEntry(reading.tokens(), result), 0, Long.MAX_VALUE);
    }
    return null;
  }
}
