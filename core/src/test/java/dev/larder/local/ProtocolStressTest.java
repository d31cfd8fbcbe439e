package dev.larder.local;

import static dev.larder.local.Entries.shape;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.StatementShape;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.PendingWrite;
import dev.larder.store.QueryKey;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads against the real stamps and the real store. The database is a counter a table, and a
 * commit counts: no hit may return less than the counter showed when the read began.
 */
@Tag("proof")
@Tag("each-jdk")
class ProtocolStressTest {
  private static final int TABLES = 3;
  private static final int THREADS = 4;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(5);

  private final TableVersions versions = new TableVersions();
  private final AtomicLongArray database = new AtomicLongArray(TABLES);
  private final StatementShape shape = shape("select * from tables where mask = ?");

  /** Small, so that entries are evicted all the time. */
  private final LocalResultStore store =
      new LocalResultStore(4_000, OptionalLong.empty(), System::nanoTime);

  private final Queue<PendingWrite> orphans = new ConcurrentLinkedQueue<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder snapshotHits = new LongAdder();
  private final LongAdder fills = new LongAdder();
  private final LongAdder commits = new LongAdder();

  /** What was read: the store carries it as the owner of the entry. */
  private record Rows(long[] counters) implements EntryOwner {
    @Override
    public void count(Event event, long weightBytes) {}
  }

  @Test
  void noHitIsOlderThanItsReadAndNoSnapshotIsBroken() throws Exception {
    long end = System.nanoTime() + NANOS;
    CountDownLatch start = new CountDownLatch(THREADS);
    Callable<@Nullable String> writer = () -> repeat(start, end, this::write);
    Callable<@Nullable String> reader = () -> repeat(start, end, this::read);
    Callable<@Nullable String> snapshotReader = () -> repeat(start, end, this::readSnapshot);

    List<String> faults = run(List.of(writer, writer, reader, snapshotReader));

    assertThat(faults).isEmpty();
    assertThat(hits.sum()).isPositive();
    assertThat(snapshotHits.sum()).isPositive();
    assertThat(fills.sum()).isPositive();
    assertThat(commits.sum()).isPositive();
  }

  /** Two threads that meet twenty thousand times: one validates while the other commits. */
  @Test
  void validationThatMeetsACommitNeverMissesIt() throws Exception {
    int rounds = 20_000;
    TableTag tag = versions.tag(TableTag.Scope.RELATION, 0);
    WriteSet writes = new WriteSet(List.of(tag), false);
    AtomicIntegerArray round = new AtomicIntegerArray(2);
    Callable<@Nullable String> writer =
        () -> {
          for (int i = 1; i <= rounds; i++) {
            meet(round, 0, i);
            PendingWrite write = versions.announce(writes);
            database.incrementAndGet(0);
            versions.publish(write);
          }
          return null;
        };
    Callable<@Nullable String> reader =
        () -> {
          String fault = null;
          for (int i = 1; i <= rounds; i++) {
            CacheEntry entry = null;
            while (entry == null) {
              entry = fill(1, new long[TABLES]);
            }
            meet(round, 1, i);
            for (int check = 0; check < 4; check++) {
              String found = versionsAfter(entry, 1, database());
              fault = fault == null ? found : fault;
            }
          }
          return fault;
        };

    assertThat(run(List.of(writer, reader))).isEmpty();
    assertThat(database.get(0)).isEqualTo(rounds);
    assertThat(hits.sum()).isPositive();
  }

  private static void meet(AtomicIntegerArray round, int self, int number) {
    round.set(self, number);
    for (int spins = 0; round.get(1 - self) < number; spins++) {
      if (spins < 1_000) {
        Thread.onSpinWait();
      } else {
        Thread.yield(); // The other may be waiting for this processor.
      }
    }
  }

  private void write() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int mask = 1 + random.nextInt((1 << TABLES) - 1);
    boolean unknown = random.nextInt(20) == 0;
    PendingWrite write =
        versions.announce(unknown ? WriteSet.UNKNOWN : new WriteSet(tags(mask), false));
    if (random.nextInt(4) > 0) {
      for (int table = 0; table < TABLES; table++) {
        if ((mask >> table & 1) != 0) {
          database.incrementAndGet(table);
        }
      }
      commits.increment();
    }
    if (random.nextInt(10) == 0) {
      orphans.add(write); // Somebody else will find out what became of it.
    } else {
      versions.publish(write);
    }
    PendingWrite orphan = orphans.poll();
    if (orphan != null) {
      versions.publish(orphan);
    }
    long until = System.nanoTime() + random.nextInt(20_000);
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  private @Nullable String read() {
    int mask = 1 + ThreadLocalRandom.current().nextInt((1 << TABLES) - 1);
    long[] begin = database();
    CacheEntry entry = store.get(key(mask));
    if (entry == null) {
      fill(mask, begin);
      return null;
    }
    String fault = versionsAfter(entry, mask, begin);
    if (!versions.isCurrent(entry)) {
      store.remove(key(mask), entry);
      fill(mask, begin);
    }
    return fault;
  }

  /**
   * Returns what is wrong with hitting {@code entry} now, in a read that began at {@code begin}.
   */
  private @Nullable String versionsAfter(CacheEntry entry, int mask, long[] begin) {
    if (!versions.isCurrent(entry)) {
      return null;
    }
    hits.increment();
    long[] rows = ((Rows) entry.owner()).counters();
    for (int table = 0; table < TABLES; table++) {
      if ((mask >> table & 1) != 0 && rows[table] < begin[table]) {
        return "table " + table + ": hit " + rows[table] + " after " + begin[table];
      }
    }
    return null;
  }

  private @Nullable CacheEntry fill(int mask, long[] begin) {
    VersionVector captured = versions.capture(tags(mask));
    if (captured == null) {
      return null;
    }
    Rows rows = new Rows(database());
    assertThat(rows.counters()[0]).isGreaterThanOrEqualTo(begin[0]);
    return put(mask, captured, rows);
  }

  private CacheEntry put(int mask, VersionVector captured, Rows rows) {
    CacheEntry entry = new CacheEntry(new CachedResult(24), captured, Long.MAX_VALUE, rows);
    store.put(key(mask), entry);
    fills.increment();
    return entry;
  }

  /** A REPEATABLE READ transaction: a snapshot, then reads that must not leave it. */
  private @Nullable String readSnapshot() {
    long e0 = versions.epoch();
    long[] snapshot = database();
    for (int i = 0; i < 20; i++) {
      int mask = 1 + ThreadLocalRandom.current().nextInt((1 << TABLES) - 1);
      CacheEntry entry = store.get(key(mask));
      if (entry != null && versions.isCurrent(entry) && entry.versions().notAfter(e0)) {
        snapshotHits.increment();
        long[] rows = ((Rows) entry.owner()).counters();
        for (int table = 0; table < TABLES; table++) {
          if ((mask >> table & 1) != 0 && rows[table] != snapshot[table]) {
            return "table " + table + ": hit " + rows[table] + " at snapshot " + snapshot[table];
          }
        }
      } else {
        VersionVector captured = versions.capture(tags(mask));
        if (captured != null && captured.notAfter(e0)) {
          put(mask, captured, new Rows(snapshot));
        }
      }
    }
    return null;
  }

  private static @Nullable String repeat(
      CountDownLatch start, long end, Callable<@Nullable String> step) throws Exception {
    start.countDown();
    start.await();
    String fault = null;
    while (fault == null && System.nanoTime() < end) {
      fault = step.call();
    }
    return fault;
  }

  private static @Nullable String repeat(CountDownLatch start, long end, Runnable step)
      throws InterruptedException {
    start.countDown();
    start.await();
    while (System.nanoTime() < end) {
      step.run();
    }
    return null;
  }

  private static List<String> run(List<Callable<@Nullable String>> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    List<String> faults = new ArrayList<>();
    try {
      for (Future<@Nullable String> done : threads.invokeAll(work)) {
        String fault = done.get();
        if (fault != null) {
          faults.add(fault);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return faults;
  }

  private QueryKey key(int mask) {
    return Entries.key(shape, mask);
  }

  private List<TableTag> tags(int mask) {
    List<TableTag> tags = new ArrayList<>();
    for (int table = 0; table < TABLES; table++) {
      if ((mask >> table & 1) != 0) {
        tags.add(versions.tag(TableTag.Scope.RELATION, table));
      }
    }
    return tags;
  }

  private long[] database() {
    long[] counters = new long[TABLES];
    for (int table = 0; table < TABLES; table++) {
      counters[table] = database.get(table);
    }
    return counters;
  }
}
