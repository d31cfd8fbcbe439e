package dev.larder.engine;

import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Uncaptured;
import dev.larder.result.ResultComparison;
import dev.larder.store.CacheEntry;

/**
 * The verification of a cache that only observes: each hit is compared, but what was wrong was
 * never to be returned. Thread-safe.
 */
final class ObservedVerification extends Verification {
  private final QueryCache cache;
  private final Observation observation;

  ObservedVerification(QueryCache cache, Observation observation) {
    super(cache, 1);
    this.cache = cache;
    this.observation = observation;
  }

  Observation observation() {
    return observation;
  }

  @Override
  boolean different(Plan plan, Miss miss, Expected expected, ResultComparison comparison) {
    countWrong();
    observation.wrong(miss.resolution().statement().tables());
    return true;
  }

  @Override
  void executed(Plan plan, Checked checked, Expected expected, long databaseNanos) {
    observation.hit(plan, checked, expected, databaseNanos);
  }

  @Override
  void expected(ShapeStatistics statistics) {
    statistics.hit();
  }

  @Override
  void expectedRemote(ShapeStatistics statistics) {
    statistics.remoteHit();
  }

  @Override
  public void ran(Plan plan, Uncaptured miss) {
    if (cache.enabled()) {
      miss.renewal().renew(miss.sum());
      plan.shape().statistics().admitted();
      CacheEntry kept = miss.kept();
      observation.kept(
          miss.key(), miss.resolution(), miss.sum(), kept.weightBytes(), kept.admittedNanos());
    }
  }

  @Override
  void kept(Miss miss, long weightBytes) {
    observation.kept(miss, weightBytes);
  }

  @Override
  void notKept() {
    observation.missed();
  }

  /**
   * Forgets what was kept for {@code miss}, because its result now would not be; unless that is
   * still what it was, so that others could be answered with it.
   */
  @SuppressWarnings("ReferenceEquality") // Owners have no other equality.
  @Override
  void cannotKeep(Miss miss) {
    CacheEntry entry = cache.store().get(miss.key());
    if (entry != null && entry.owner() == cache) {
      cache.store().remove(miss.key(), entry);
    }
  }
}
