package dev.larder.local;

import static dev.larder.local.Entries.entry;
import static dev.larder.local.Entries.key;
import static dev.larder.local.Entries.shape;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.larder.lexer.StatementShape;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumns;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a full store occupies on the heap, measured after a collection. */
@Tag("proof")
class LocalResultStoreMemoryTest {
  static final long MAX_BYTES = Long.getLong("larder.test.maxBytes", 16L << 20);
  private static final long LITTLE = 32 << 10;
  private static final long PATIENCE_NANOS = 500_000_000;
  private static final int IDLE_COLLECTIONS = 10;
  private static final String PAYLOAD = "select name from accounts where id = ?";

  private final Entries.Counts owner = new Entries.Counts();

  @Test
  void manyResultsOfOneShapeOccupyTheBudget() {
    StatementShape shape = shape(PAYLOAD);

    assertOccupiesItsBudget(i -> key(shape, 1_000_000L + i));
  }

  @Test
  void floodOfDistinctShapesOccupiesTheBudget() {
    assertOccupiesItsBudget(i -> key(shape(PAYLOAD + " and column_" + i + " = ?"), 1_000_000L + i));
  }

  @Test
  void floodOfDistinctSessionsOccupiesTheBudget() {
    StatementShape shape = shape(PAYLOAD);

    assertOccupiesItsBudget(
        i -> {
          TreeMap<String, String> settings = new TreeMap<>();
          settings.put("app.tenant" + i, "tenant " + i);
          String user = "user" + i;
          SessionFingerprint session =
              new SessionFingerprint("space" + i, user, user, List.of("schema" + i), settings);
          return new QueryKey(
              shape, session.intern(), new Object[0], new Object[] {1_000_000L + i}, 0);
        });
  }

  @Test
  void churnOfTwoResultsAShapeStaysWithinTheBudget() {
    assertOccupiesItsBudget(
        i -> key(shape(PAYLOAD + " and column_" + i / 2 + " = ?"), 1_000_000L + i));
  }

  @Test
  void resultsThatReplacedOthersOfTheirShapeStayWithinTheBudget() {
    StatementShape[] last = {shape(PAYLOAD)};
    assertOccupiesItsBudget(
        i -> {
          if (i % 2 == 0) {
            last[0] = shape(PAYLOAD + " and wide = ?".repeat(50) + " and column_" + i + " = ?");
          }
          return key(last[0], 1L);
        });
  }

  private CacheEntry hundredBytes() {
    RawRows rows = new RawRows(new byte[][][] {{new byte[100]}});
    ResultColumns columns = new ResultColumns(List.of());
    return entry(owner, CachedResult.of(columns, rows, false));
  }

  private void assertOccupiesItsBudget(IntFunction<QueryKey> keys) {
    fill(keys, 1 << 16);
    long before = usedHeapBytes();

    LocalResultStore store = fill(keys, MAX_BYTES);
    long occupied = usedHeapBytes() - before;

    assertThat(owner.evicted.sum()).isPositive();
    assertThat(store.sizeBytes()).isLessThanOrEqualTo(MAX_BYTES);
    assertThat(occupied).isCloseTo(MAX_BYTES, withinPercentage(10));
    if (System.getProperty("larder.test.maxBytes") != null) {
      System.out.printf(
          "%d entries, %.4f of the budget%n", owner.live(), occupied / (double) MAX_BYTES);
    }
    Reference.reachabilityFence(store);
  }

  private LocalResultStore fill(IntFunction<QueryKey> keys, long maxBytes) {
    LocalResultStore store = new LocalResultStore(maxBytes, OptionalLong.empty(), System::nanoTime);
    long puts = maxBytes / 250;
    for (int i = 0; i < puts; i++) {
      store.put(keys.apply(i), hundredBytes());
    }
    return store;
  }

  /** An interner lets go of what was collected, some of it each time, when something new comes. */
  private static void internNewSessions() {
    for (int i = 0; i < 100; i++) {
      SessionFingerprint session =
          new SessionFingerprint("new" + i, "u", "u", List.of(), new TreeMap<>());
      assertThat(session.intern()).isEqualTo(session);
    }
  }

  /**
   * Collects until nothing has come free for half a second and in ten collections: references are
   * cleared by another thread, which may have to wait for a processor.
   */
  private static long usedHeapBytes() {
    long used = Long.MAX_VALUE;
    long freed = System.nanoTime();
    for (int idle = 0;
        idle < IDLE_COLLECTIONS || System.nanoTime() - freed < PATIENCE_NANOS;
        idle++) {
      System.gc();
      internNewSessions();
      long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (now < used - LITTLE) {
        freed = System.nanoTime();
        idle = 0;
      }
      used = Math.min(used, now);
    }
    return used;
  }
}
