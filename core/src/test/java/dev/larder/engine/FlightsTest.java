package dev.larder.engine;

import static dev.larder.engine.Flights.patienceNanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.catalog.CatalogVersion;
import dev.larder.lexer.LexOptions;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import dev.larder.watch.CatalogLoader;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FlightsTest {
  private static final long MILLI = 1_000_000;
  private static final long LONG = Duration.ofHours(1).toNanos();

  private static final AtomicInteger NAMES = new AtomicInteger();

  private static final SessionFingerprint SESSION =
      new SessionFingerprint("space", "user", "user", List.of("public"), new TreeMap<>());

  /** Never asked: nothing here looks a name up. */
  private static final class NoCatalog implements CatalogLoader {
    @Override
    public CatalogVersion load() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String fingerprint() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void release() {}
  }

  private final QueryCache cache =
      QueryCaches.acquire(
          Database.of(new DatabaseIdentity("flights", 1), NoCatalog::new, null, null),
          QueryCacheConfig.builder()
              .set(CacheOptions.NAME, "flights_" + NAMES.incrementAndGet())
              .build());
  private final Flights flights = cache.flights();
  private final Plan plan = cache.plan("SELECT a FROM t WHERE b = ?", LexOptions.PREPARED);
  private final ShapePlan shape =
      new PlanCache(new ShapeStatistics()).plan("SELECT 1", LexOptions.PREPARED).shape();

  @AfterEach
  void release() {
    Flights.force(0);
    QueryCaches.release(cache);
  }

  private QueryKey key(Object bind) {
    return new QueryKey(plan.shape().shape(), SESSION, plan.literals(), new Object[] {bind}, 0);
  }

  private void ran(long nanos, int times) {
    for (int i = 0; i < times; i++) {
      shape.runs().ran(nanos, true);
    }
  }

  @Test
  void aShapeThatNobodyKnowsIsWaitedForTwoSecondsWithAnotherLeaderAfterOne() {
    long patience = patienceNanos(shape);
    assertThat(patience).isEqualTo(Duration.ofSeconds(2).toNanos());
    assertThat(flights.join(shape, key(1), patience).leftNanos())
        .isBetween(1L, Duration.ofSeconds(1).toNanos());
  }

  @Test
  void itIsWaitedTwiceAsLongAsAQueryUsuallyTakes() {
    ran(50 * MILLI, 1);
    assertThat(patienceNanos(shape)).isEqualTo(100 * MILLI);
  }

  @Test
  void fastQueriesAreNotWaitedFor() {
    ran(MILLI - 1, 1);
    assertThat(patienceNanos(shape)).isZero();
  }

  @Test
  void aQueryThatWasSlowAtFirstIsFastSoon() {
    ran(50 * MILLI, 1);
    ran(MILLI / 10, 20);
    assertThat(patienceNanos(shape)).isZero();
  }

  @Test
  void aQueryThatBecomesSlowIsWaitedForSoon() {
    ran(MILLI / 2, 1);
    ran(50 * MILLI, 25);
    assertThat(patienceNanos(shape)).isBetween(60 * MILLI, 100 * MILLI);
  }

  @Test
  void oneExecutionThatTookLongChangesLittle() {
    ran(10 * MILLI, 1);
    ran(10_000 * MILLI, 1);
    assertThat(patienceNanos(shape)).isLessThanOrEqualTo(25 * MILLI);
  }

  @Test
  void whatIsOfNoUseThreeTimesInARowIsNotWaitedForUntilItIsAgain() {
    ran(50 * MILLI, 1);
    for (int round = 0; round < 2; round++) {
      shape.runs().ran(50 * MILLI, false);
      shape.runs().vain();
      assertThat(patienceNanos(shape)).isPositive();
      shape.runs().vain();
      assertThat(patienceNanos(shape)).isZero();
      ran(50 * MILLI, 1);
      assertThat(patienceNanos(shape)).isPositive();
    }
  }

  @Test
  void afterThreeWaitsInVainInARowNoLeaseIsAskedForForAWhile() {
    for (int i = 0; i < 2; i++) {
      shape.runs().waitedForLease(false);
      shape.runs().waitedForLease(false);
      assertThat(shape.runs().isWorthALease()).isTrue();
      shape.runs().waitedForLease(true);
    }
    for (int i = 0; i < Flights.MAX_VAIN; i++) {
      assertThat(shape.runs().isWorthALease()).isTrue();
      shape.runs().waitedForLease(false);
    }
    assertThat(shape.runs().isWorthALease()).isFalse();
  }

  @Test
  void theFirstLeadsAndOthersOfTheKeyFindItUntilItEnds() throws Exception {
    Flight led = flights.join(shape, key(1), LONG);
    assertThat(led.isLedHere()).isTrue();
    assertThat(flights.join(shape, key(2), LONG)).isNotSameAs(led);
    FutureTask<Flight> other = new FutureTask<>(() -> flights.join(shape, key(1), LONG));
    new Thread(other).start();
    assertThat(other.get(1, TimeUnit.MINUTES)).isSameAs(led);
    assertThat(flights.open()).isEqualTo(2);
    led.end(true);
    assertThat(led.hasEnded()).isTrue();
    assertThat(flights.open()).isEqualTo(1);
    assertThat(flights.join(shape, key(1), LONG)).isNotSameAs(led);
    led.end(true); // Which ends nobody else's.
    assertThat(flights.open()).isEqualTo(2);
  }

  @Test
  void aFlightThatTakesTooLongIsReplaced() {
    Flight lost = flights.join(shape, key(1), 0); // As if its leader had died before it could end.
    Flight next = flights.join(shape, key(1), LONG);
    assertThat(next).isNotSameAs(lost);
    assertThat(next.isLedHere()).isTrue();
    lost.end(false);
    assertThat(flights.join(shape, key(1), LONG)).isSameAs(next);
  }

  @Test
  void aFlightThatFailsIsOfNoUse() {
    for (int i = 0; i < Flights.MAX_VAIN; i++) {
      assertThat(patienceNanos(shape)).isPositive();
      Flight failed = flights.join(shape, key(1), LONG);
      failed.end(false);
      failed.end(false);
    }
    assertThat(patienceNanos(shape)).isZero();
  }

  @Test
  void whoWaitsIsWoken() throws Exception {
    Flight led = flights.join(shape, key(1), LONG);
    FutureTask<Boolean> waiter =
        new FutureTask<>(
            () -> {
              led.wakesMe();
              while (!led.hasEnded()) {
                LockSupport.park(led);
              }
              return led.isLedHere();
            });
    Thread thread = new Thread(waiter);
    thread.start();
    while (LockSupport.getBlocker(thread) != led) {
      Thread.onSpinWait();
    }
    led.end(true);
    assertThat(waiter.get(1, TimeUnit.MINUTES)).isFalse();
  }

  @Test
  void testsHaveEveryMissWaitedFor() {
    ran(MILLI / 10, 1);
    Flights.force(LONG);
    assertThat(patienceNanos(shape)).isEqualTo(LONG);
  }
}
