package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.catalog.Catalog;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Sharing;
import dev.larder.engine.Quarantine.Evidence;
import dev.larder.remote.RemoteCache;
import dev.larder.result.ResultComparison;
import dev.larder.sql.Repeatability;
import dev.larder.store.VersionVector;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Has the database answer a share of the hits of one cache, too. Such a hit becomes a miss that
 * knows what is {@linkplain Expected expected}. It captures the versions under which the cache
 * would have answered, so where they still hold when the database has answered, no commit that
 * Larder knows of fell in between, and the answers must be the same: if not, a row was wrong, for
 * somebody wrote unseen or Larder has failed. The tables are then quarantined. Thread-safe.
 */
public final class Verification {
  /** How long a comparison of the catalog is waited for before a row is called wrong. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final QueryCache cache;
  private final double share;
  private final @Nullable Observation observation;
  private final LongAdder verified = new LongAdder();
  private final LongAdder unverifiable = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  /**
   * Creates the verification of a cache.
   *
   * @param observation of the cache if it only observes: what it holds is then compared, but it was
   *     never to be returned; else null
   */
  Verification(QueryCache cache, double share, @Nullable Observation observation) {
    this.cache = cache;
    this.share = observation == null ? share : 1;
    this.observation = observation;
  }

  /** Returns whether the hit at hand is one that the database is to answer, too. */
  boolean isDue() {
    return share >= 1 || ThreadLocalRandom.current().nextDouble() < share;
  }

  /**
   * Returns whether the answer to {@code miss} must be as expected. Call it once the database has
   * answered.
   */
  public boolean mayCompare(Miss miss) {
    Capture capture = miss.capture();
    VersionVector versions = capture.versions();
    return versions != null
        && isSame(miss)
        && versions.isUnchanged()
        && (capture.shared() == null || isUnchangedElsewhere(capture.shared()));
  }

  @SuppressWarnings("ReferenceEquality") // Snapshots have no other equality.
  private boolean isSame(Miss miss) {
    return cache.database().catalog().current() == miss.resolution().snapshot();
  }

  private boolean isUnchangedElsewhere(Sharing sharing) {
    RemoteCache remote = cache.database().remote().cache();
    return remote != null && remote.validateNow(sharing.question()).permits(sharing.tokens());
  }

  /** Returns how far two answers to the query may differ. */
  public Repeatability repeatability(Plan plan, Miss miss) {
    return miss.resolution()
        .snapshot()
        .repeatability(plan.shape().shape(), plan.analysis(), miss.resolution().statement());
  }

  /**
   * Ends a miss of which something was expected.
   *
   * @param databaseNanos how long the statement ran
   * @return whether the answer of the database is to be kept instead of what was expected
   */
  public boolean compared(
      Plan plan, Miss miss, Expected expected, ResultComparison comparison, long databaseNanos) {
    executed(plan, miss, expected, databaseNanos);
    switch (comparison.outcome()) {
      case SAME -> verified.increment();
      case INCONCLUSIVE -> unverifiable.increment();
      case DIFFERENT -> {
        return different(plan, miss, expected, comparison);
      }
    }
    return false;
  }

  private boolean different(Plan plan, Miss miss, Expected expected, ResultComparison comparison) {
    if (observation != null) {
      wrong.increment();
      observation.wrong(miss.resolution().statement().tables());
      return true;
    }
    if (hasSameCatalog(miss)) {
      wrong.increment();
      quarantine(plan, miss, expected, comparison);
    } else {
      unverifiable.increment();
    }
    return false;
  }

  /**
   * Returns whether nobody has changed the catalog since the look-up: what others change there may
   * be noticed late.
   */
  private boolean hasSameCatalog(Miss miss) {
    Catalog catalog = cache.database().catalog();
    catalog.reloadRequested();
    return !catalog.awaitLoaded(PATIENCE) || isSame(miss);
  }

  /** Counts a hit that the database has answered, but that was not compared. */
  void notCompared(Plan plan, Miss miss, Expected expected, long databaseNanos) {
    executed(plan, miss, expected, databaseNanos);
    unverifiable.increment();
  }

  private void executed(Plan plan, Miss miss, Expected expected, long databaseNanos) {
    if (observation == null) {
      plan.shape().statistics().databaseTime(databaseNanos);
    } else {
      observation.hit(plan, miss, expected, databaseNanos);
    }
  }

  /** Counts the execution that is compared: where nothing but observation goes on, as a hit. */
  void expected(ShapeStatistics statistics) {
    if (observation == null) {
      statistics.miss();
    } else {
      statistics.hit();
    }
  }

  /** As {@link #expected}, for a result that was fetched from what JVMs share. */
  void expectedRemote(ShapeStatistics statistics) {
    if (observation == null) {
      statistics.miss();
    } else {
      statistics.remoteHit();
    }
  }

  private void quarantine(Plan plan, Miss miss, Expected expected, ResultComparison comparison) {
    Evidence evidence =
        new Evidence(
            Instant.now(),
            cache.config().get(CacheOptions.NAME),
            plan.shape().shape().shownText(),
            (System.nanoTime() - expected.bornNanos()) / 1_000_000,
            comparison);
    Set<String> tables = miss.resolution().statement().tables();
    List<String> isolated =
        cache.database().isolate(tables, miss.resolution().snapshot(), evidence);
    cache.purges().superseded();
    if (!isolated.isEmpty()) {
      CacheLog.wrongResult(isolated, evidence);
    }
  }

  long verified() {
    return verified.sum();
  }

  long unverifiable() {
    return unverifiable.sum();
  }

  long wrong() {
    return wrong.sum();
  }

  void resetStatistics() {
    verified.reset();
    unverifiable.reset();
    wrong.reset();
  }
}
