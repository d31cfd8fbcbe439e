package dev.larder.local;

import static dev.larder.local.Entries.entry;
import static dev.larder.local.Entries.key;
import static dev.larder.local.Entries.shape;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.larder.lexer.StatementShape;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.Renewal;
import dev.larder.store.TableTag;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("each-jdk")
class LocalResultStoreTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final StatementShape shape = shape("select v from t where id = ?");
  private final Entries.Counts owner = new Entries.Counts();
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 2 * SECOND);
  private final LocalResultStore store = store(1 << 20, OptionalLong.empty());

  private LocalResultStore store(long maxBytes, OptionalLong maxEntries) {
    return new LocalResultStore(maxBytes, maxEntries, clock::get);
  }

  @Test
  void returnsTheEntryOfAnEqualKey() {
    CacheEntry entry = entry(owner);
    store.put(key(shape, 1L), entry);

    assertThat(store.get(key(shape, 1L))).isSameAs(entry);
    assertThat(store.get(key(shape, 2L))).isNull();
  }

  @Test
  void entryExpiresExactlyAtItsAgeAlsoWhenTheClockOverflows() {
    store.put(key(shape, 1L), entry(owner, 5 * SECOND));
    store.put(key(shape, 2L), entry(owner, Long.MAX_VALUE));

    clock.addAndGet(5 * SECOND - 1);
    assertThat(store.get(key(shape, 1L))).isNotNull();
    clock.addAndGet(1);
    assertThat(store.get(key(shape, 1L))).isNull();
    assertThat(store.get(key(shape, 2L))).isNotNull();
    assertThat(owner.expired.sum()).isEqualTo(1);
    assertThat(owner.live()).isEqualTo(1);
  }

  @Test
  void anEntryThatIsTooOldForOneReaderLivesOnForOthers() {
    store.put(key(shape, 1L), entry(owner));
    store.put(key(shape, 2L), entry(owner, 5 * SECOND));

    clock.addAndGet(SECOND - 1);
    assertThat(store.get(key(shape, 1L), SECOND)).isNotNull();
    clock.addAndGet(1);
    assertThat(store.get(key(shape, 1L), SECOND)).isNull();
    assertThat(store.get(key(shape, 2L), SECOND)).isNull();
    assertThat(store.get(key(shape, 1L))).isNotNull();
    assertThat(store.get(key(shape, 2L), 2 * SECOND)).isNotNull();
  }

  @Test
  void longestFiniteAgeDoesNotExpireAtOnce() {
    store.put(key(shape, 1L), entry(owner, Long.MAX_VALUE - 1));

    clock.addAndGet(365 * 24 * 3600 * SECOND);

    assertThat(store.get(key(shape, 1L))).isNotNull();
  }

  @Test
  void expiredEntryIsNotVisited() {
    store.put(key(shape, 1L), entry(owner, SECOND));
    store.put(key(shape, 2L), entry(owner));
    clock.addAndGet(SECOND);

    Set<QueryKey> visited = new HashSet<>();
    store.forEach(owner, (key, entry) -> visited.add(key));

    assertThat(visited).containsExactly(key(shape, 2L));
  }

  /** Returns a store of which {@code entries} entries take a little over the half. */
  private LocalResultStore storeForTwice(int entries) {
    LocalResultStore probe = store(1 << 20, OptionalLong.empty());
    Entries.Counts nobody = new Entries.Counts();
    IntStream.range(0, entries).forEach(i -> probe.put(key(shape, i), entry(nobody)));
    long bytes = probe.sizeBytes();
    probe.clear(nobody);
    return store(2 * bytes - 2, OptionalLong.empty());
  }

  @Test
  void putsIntoAStoreThatIsHalfFullRemoveExpiredEntriesThatNobodyTouches() {
    LocalResultStore filling = storeForTwice(100);
    IntStream.range(0, 100).forEach(i -> filling.put(key(shape, i), entry(owner, SECOND)));
    clock.addAndGet(SECOND);

    IntStream.range(100, 150).forEach(i -> filling.put(key(shape, i), entry(owner)));

    assertThat(owner.expired.sum()).isBetween(50L, 100L);
    assertThat(filling.sizeBytes()).isLessThan(filling.maxBytes() / 2);
    assertThat(owner.live()).isEqualTo(150 - owner.expired.sum());
  }

  @Test
  void putsIntoAStoreThatIsHalfFullRemoveSupersededEntriesThatNobodyTouches() {
    LocalResultStore filling = storeForTwice(100);
    IntStream.range(0, 100).forEach(i -> filling.put(key(shape, i), entry(owner)));
    TableTag tag = Entries.TAGS.get(0);
    Entries.VERSIONS.publish(Entries.VERSIONS.announce(new WriteSet(List.of(tag), false)));

    IntStream.range(100, 150).forEach(i -> filling.put(key(shape, i), entry(owner)));

    assertThat(owner.dropped.sum()).isBetween(50L, 100L);
    assertThat(owner.live()).isEqualTo(150 - owner.dropped.sum());
    assertThat(owner.evicted.sum()).isZero();
  }

  @Test
  void whatIsRenewedIsNotTakenForDead() {
    LocalResultStore filling = storeForTwice(100);
    VersionVector captured = requireNonNull(Entries.VERSIONS.capture(Entries.TAGS));
    Renewal renewal = new Renewal(Entries.TAGS, captured);
    CacheEntry renewed = Entries.observed(owner, captured, renewal);
    CacheEntry outdated = Entries.observed(owner, captured, new Renewal(Entries.TAGS, captured));
    filling.put(key(shape, 0), renewed);
    filling.put(key(shape, 1), outdated);
    IntStream.range(2, 102).forEach(i -> filling.put(key(shape, i), entry(owner)));
    TableTag tag = Entries.TAGS.get(0);
    Entries.VERSIONS.publish(Entries.VERSIONS.announce(new WriteSet(List.of(tag), false)));

    renewal.renew(captured.presentSum());
    // Each put looks at a few entries, in no order.
    for (int i = 102; i < 197 && filling.get(key(shape, 1)) != null; i++) {
      filling.put(key(shape, i), entry(owner));
    }

    assertThat(filling.get(key(shape, 0))).isSameAs(renewed);
    assertThat(owner.dropped.sum()).isPositive();
    assertThat(filling.get(key(shape, 1))).isNull();
  }

  @Test
  void aStoreThatIsHalfFullOfEntriesIsHalfFull() {
    LocalResultStore filling = store(1 << 20, OptionalLong.of(20));
    IntStream.range(0, 10).forEach(i -> filling.put(key(shape, i), entry(owner, SECOND)));
    clock.addAndGet(SECOND);

    IntStream.range(10, 20).forEach(i -> filling.put(key(shape, i), entry(owner)));

    assertThat(owner.expired.sum()).isPositive();
    assertThat(owner.evicted.sum()).isZero();
  }

  @Test
  void aStoreWithRoomDoesNotLookForWhatIsDead() {
    IntStream.range(0, 100).forEach(i -> store.put(key(shape, i), entry(owner, SECOND)));
    clock.addAndGet(SECOND);

    IntStream.range(100, 200).forEach(i -> store.put(key(shape, i), entry(owner)));

    assertThat(owner.expired.sum()).isZero();
    assertThat(store.get(key(shape, 1))).isNull();
    assertThat(owner.expired.sum()).isEqualTo(1);
  }

  @Test
  void removeKeepsAnEntryThatReplacedTheStaleOne() {
    CacheEntry stale = entry(owner);
    CacheEntry fresh = entry(owner);
    store.put(key(shape, 1L), stale);
    store.put(key(shape, 1L), fresh);

    store.remove(key(shape, 1L), stale);
    assertThat(store.get(key(shape, 1L))).isSameAs(fresh);

    store.remove(key(shape, 1L), fresh);
    assertThat(store.get(key(shape, 1L))).isNull();
    assertThat(owner.live()).isZero();
    assertThat(store.sizeBytes()).isZero();
  }

  @Test
  void clearForgetsTheEntriesOfOneOwnerOnly() {
    Entries.Counts other = new Entries.Counts();
    IntStream.range(0, 10).forEach(i -> store.put(key(shape, i), entry(owner)));
    store.put(key(shape, 10), entry(other));

    store.clear(owner);

    assertThat(owner.live()).isZero();
    assertThat(other.live()).isEqualTo(1);
    assertThat(store.get(key(shape, 10))).isNotNull();
    assertThat(store.sizeBytes()).isEqualTo(other.liveBytes.sum());
  }

  @Test
  void neverHoldsMoreThanMaxBytesAndTellsTheOwnerOfEvictions() {
    LocalResultStore small = store(20_000, OptionalLong.empty());
    for (int i = 0; i < 1_000; i++) {
      small.put(key(shape, i), entry(owner));
      assertThat(small.sizeBytes()).isLessThanOrEqualTo(20_000);
    }

    assertThat(owner.evicted.sum()).isPositive();
    assertThat(owner.liveBytes.sum()).isEqualTo(small.sizeBytes()).isGreaterThan(18_000);
    assertThat(count(small)).isEqualTo(owner.live());
  }

  @Test
  void entryHeavierThanTheStoreIsNotKept() {
    LocalResultStore small = store(1_000, OptionalLong.empty());
    small.put(key(shape, "x".repeat(1_000)), entry(owner));

    assertThat(owner.evicted.sum()).isEqualTo(1);
    assertThat(small.sizeBytes()).isZero();
  }

  @Test
  void neverHoldsMoreThanMaxEntries() {
    LocalResultStore small = store(1 << 20, OptionalLong.of(7));
    for (int i = 0; i < 100; i++) {
      small.put(key(shape, i), entry(owner));
      assertThat(owner.live()).isLessThanOrEqualTo(7);
    }

    assertThat(owner.live()).isEqualTo(7);
    assertThat(small.sizeBytes()).isLessThan(7 * 1_000);
  }

  @Test
  void sharedShapeIsWeighedOnceAndAgainWhenItsBearerIsGone() {
    StatementShape wide = shape("select v" + ", v".repeat(2_000) + " from t where id = ?");
    QueryKey first = key(wide, 1L);
    CacheEntry bearer = entry(owner);
    store.put(first, bearer);
    CacheEntry sibling = entry(owner);
    store.put(key(wide, 2L), sibling);
    assertThat(bearer.weightBytes()).isGreaterThan(sibling.weightBytes() + 6_000);

    store.remove(first, bearer);
    CacheEntry heir = entry(owner);
    store.put(key(wide, 3L), heir);

    assertThat(heir.weightBytes()).isEqualTo(bearer.weightBytes());
  }

  @Test
  void whatReplacesTheBearerOfASharedShapeBearsIt() {
    StatementShape wide = shape("select v" + ", v".repeat(2_000) + " from t where id = ?");
    CacheEntry bearer = entry(owner);
    store.put(key(wide, 1L), bearer);

    for (int i = 0; i < 3; i++) {
      CacheEntry next = entry(owner);
      store.put(key(wide, 1L), next);
      assertThat(next.weightBytes()).isEqualTo(bearer.weightBytes());
      assertThat(store.sizeBytes()).isEqualTo(next.weightBytes());
    }
    CacheEntry sibling = entry(owner);
    store.put(key(wide, 2L), sibling);
    CacheEntry replaced = entry(owner);
    store.put(key(wide, 2L), replaced);
    assertThat(replaced.weightBytes()).isEqualTo(sibling.weightBytes());
    assertThat(bearer.weightBytes()).isGreaterThan(sibling.weightBytes() + 6_000);
    assertThat(owner.liveBytes.sum()).isEqualTo(store.sizeBytes());
  }

  @Test
  void refusesBudgetsThatHoldNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LocalResultStore.of(0, OptionalLong.empty()))
        .withMessage("maxBytes is 0; it must be at least 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LocalResultStore.of(1, OptionalLong.of(0)))
        .withMessage("maxEntries is 0; it must be at least 1.");
  }

  @Test
  void sharedStoreIsOneAndHasTheDefaultBudget() {
    assertThat(LocalResultStore.shared()).isSameAs(LocalResultStore.shared());
    assertThat(LocalResultStore.shared().maxBytes())
        .isEqualTo(Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8))
        .isEqualTo(LocalResultStore.sharedMaxBytes());
  }

  @Test
  void sumsAreExactAfterManyThreadsPutGetRemoveAndExpire() throws Exception {
    LocalResultStore busy = store(100_000, OptionalLong.empty());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<Void> work =
          () -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (int i = 0; i < 20_000; i++) {
              QueryKey key = key(shape, random.nextInt(500));
              CacheEntry entry = busy.get(key);
              if (entry == null) {
                busy.put(key, entry(owner, 1 + random.nextInt(1_000)));
              } else if (random.nextInt(10) == 0) {
                busy.remove(key, entry);
              }
              clock.incrementAndGet();
            }
            return null;
          };
      for (Future<Void> done : threads.invokeAll(List.of(work, work, work, work))) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }
    long[] bytes = {0, 0};
    clock.addAndGet(-1_000_000); // so that forEach shows the expired ones too
    busy.forEach(
        owner,
        (key, entry) -> {
          bytes[0]++;
          bytes[1] += entry.weightBytes();
        });

    assertThat(owner.live()).isEqualTo(bytes[0]);
    assertThat(owner.liveBytes.sum()).isEqualTo(bytes[1]).isEqualTo(busy.sizeBytes());
    assertThat(bytes[1]).isPositive().isLessThanOrEqualTo(100_000);
    assertThat(owner.expired.sum()).isPositive();
  }

  private long count(LocalResultStore store) {
    AtomicLong count = new AtomicLong();
    store.forEach(owner, (key, entry) -> count.incrementAndGet());
    return count.get();
  }
}
