package dev.larder.local;

import static dev.larder.local.Entries.entry;
import static dev.larder.local.Entries.key;
import static dev.larder.local.Entries.shape;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.StatementShape;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What took the database long is not evicted for what did not. */
class CostlyResultsTest {
  private static final long LOOK_UP = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long SUM = TimeUnit.MILLISECONDS.toNanos(11);
  private static final long MAX_BYTES = 1 << 20;

  private final StatementShape lookUp = shape("select v from t where id = ?");
  private final StatementShape sum = shape("select sum(v) from t where region = ?");
  private final Entries.Counts owner = new Entries.Counts();
  private final LocalResultStore store =
      new LocalResultStore(MAX_BYTES, OptionalLong.empty(), System::nanoTime);

  private void put(StatementShape shape, int from, int to, long nanos) {
    for (long i = from; i < to; i++) {
      store.put(key(shape, i), entry(owner), nanos);
    }
  }

  private int kept(StatementShape shape, int keys) {
    int found = 0;
    for (long i = 0; i < keys; i++) {
      found += store.get(key(shape, i)) == null ? 0 : 1;
    }
    return found;
  }

  /** What the database does for 20 sums, each asked for less often than each of 8,000 look-ups. */
  private long nanosAtTheDatabase(long sumNanos) {
    long nanos = 0;
    for (int i = 0; i < 400_000; i++) {
      QueryKey asked = key(lookUp, (long) (i % 8_000));
      if (store.get(asked) == null) {
        store.put(asked, entry(owner), LOOK_UP);
      }
      if (i % 1_000 == 0) {
        QueryKey key = key(sum, (long) (i / 1_000 % 20));
        if (store.get(key) == null) {
          nanos += SUM;
          store.put(key, entry(owner), sumNanos);
        }
      }
    }
    return nanos;
  }

  @Test
  void noFloodOfLookUpsEvictsWhatTookLong() {
    assertThat(nanosAtTheDatabase(SUM)).isEqualTo(20 * SUM);
  }

  @Test
  void withoutTheTimesTheyWereEvicted() {
    assertThat(nanosAtTheDatabase(LOOK_UP)).isGreaterThan(200 * SUM);
  }

  @Test
  void whatIsNotSoDearHasAQuarterOfTheBudgetAtLeast() {
    put(lookUp, 0, 1_000, LOOK_UP);
    for (int i = 0; i < 20_000; i++) {
      put(sum, i, i + 1, SUM);
      put(lookUp, 0, 10, LOOK_UP);
    }

    assertThat(kept(lookUp, 10)).isEqualTo(10);
    assertThat(store.sizeBytes()).isLessThanOrEqualTo(MAX_BYTES);
    assertThat(store.sizeBytes()).isGreaterThan(MAX_BYTES / 2);
    assertThat(owner.liveBytes.sum()).isEqualTo(store.sizeBytes());
  }

  @Test
  void whatTheDearDoNotUseTheOthersHave() {
    put(lookUp, 0, 1_000, LOOK_UP);
    put(sum, 0, 20_000, SUM);
    store.clear(owner);
    put(lookUp, 0, 20_000, LOOK_UP);

    assertThat(store.sizeBytes()).isBetween(MAX_BYTES - MAX_BYTES / 16, MAX_BYTES);
  }

  @Test
  void whereAllTakeLongNothingIsDear() {
    put(sum, 0, 20_000, SUM);

    assertThat(store.sizeBytes()).isBetween(MAX_BYTES - MAX_BYTES / 16, MAX_BYTES);
  }

  @Test
  void aKeyHasOneEntryWhicheverItsTimeWas() {
    put(lookUp, 10, 1_000, LOOK_UP);
    CacheEntry dear = entry(owner);
    CacheEntry cheap = entry(owner);
    CacheEntry renewed = entry(owner);
    long others = owner.live();

    store.put(key(sum, 1L), dear, SUM);
    assertThat(store.get(key(sum, 1L))).isSameAs(dear);
    store.put(key(sum, 1L), cheap, LOOK_UP);
    assertThat(store.get(key(sum, 1L))).isSameAs(cheap);
    store.remove(key(sum, 1L), cheap);
    assertThat(store.get(key(sum, 1L))).isNull();
    store.put(key(sum, 1L), cheap, LOOK_UP);
    store.put(key(sum, 1L), dear, SUM);
    store.put(key(sum, 1L), renewed);
    assertThat(store.get(key(sum, 1L))).isSameAs(renewed);

    assertThat(owner.live()).isEqualTo(others + 1);
    assertThat(owner.liveBytes.sum()).isEqualTo(store.sizeBytes());
  }

  @Test
  void ofTwoWhoPutAtOnceNeverBothStay() throws Exception {
    put(lookUp, 1_000, 2_000, LOOK_UP);
    long others = owner.live();
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 2_000; round++) {
        int from = round % 20;
        Future<?> one = two.submit(() -> put(sum, from, from + 5, SUM));
        Future<?> other = two.submit(() -> put(sum, from, from + 5, LOOK_UP));
        one.get(10, TimeUnit.SECONDS);
        other.get(10, TimeUnit.SECONDS);
      }
    } finally {
      two.shutdownNow();
    }

    assertThat(owner.live() - others).isBetween(1L, 25L);
    assertThat(owner.live() - others).isEqualTo(kept(sum, 25));
    assertThat(owner.liveBytes.sum()).isEqualTo(store.sizeBytes());
    for (long i = 0; i < 25; i++) {
      CacheEntry entry = store.get(key(sum, i));
      if (entry != null) {
        store.remove(key(sum, i), entry);
      }
      assertThat(store.get(key(sum, i))).isNull();
    }
  }
}
