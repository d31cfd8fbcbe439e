package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.analysis.Repeatability;
import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Sharing;
import dev.larder.engine.Lookup.Uncaptured;
import dev.larder.engine.Quarantine.Evidence;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.log.CacheLog;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteTokens;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultComparison;
import dev.larder.result.ResultComparison.Outcome;
import dev.larder.store.VersionVector;
import dev.larder.watch.Catalog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Has the database answer a share of the hits of one cache, too. Such a hit becomes a {@link
 * Checked} miss that knows what is {@linkplain Expected expected}, and the versions under which the
 * cache would have answered. If these still hold when the database has answered, no commit that
 * Larder knows of fell in between, and the answers must be the same. If they are not, somebody
 * wrote unseen or Larder has failed, and the tables are quarantined. Thread-safe.
 */
public class Verification {
  /** How long a comparison of the catalog is waited for before a row is called wrong. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final QueryCache cache;
  private final double share;
  private final Counters<Outcome> outcomes = new Counters<>(Outcome.class);

  /** Creates the verification of {@code share} of the hits of a cache, from 0 to 1. */
  Verification(QueryCache cache, double share) {
    this.cache = cache;
    this.share = share;
  }

  /** Returns whether the database is to answer the present hit, too. */
  final boolean isDue() {
    return share > 0 && (share >= 1 || ThreadLocalRandom.current().nextDouble() < share);
  }

  /** Returns whether the answer of the database, which is there, must be as expected. */
  public final boolean mayCompare(Miss miss, Expected expected) {
    Capture capture = miss.capture();
    VersionVector captured = capture.versions();
    return captured != null
        && isSame(miss)
        && captured.isUnchanged()
        // What was captured lacks what the rows themselves show to depend on.
        && (expected.result() == null || expected.versions().isUnchanged())
        && (capture.shared() == null || isUnchangedElsewhere(capture.shared()));
  }

  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  private boolean isSame(Miss miss) {
    return cache.database().catalog().current() == miss.resolution().catalog();
  }

  private boolean isUnchangedElsewhere(Sharing sharing) {
    RemoteCache remote = cache.database().remote().cache();
    RemoteTokens tokens = sharing.tokens();
    return remote != null
        && tokens != null
        && remote.validateNow(sharing.question()).permits(tokens);
  }

  /** Returns how far two answers to the query may differ. */
  public final Repeatability repeatability(Plan plan, Miss miss) {
    return miss.resolution()
        .catalog()
        .repeatability(
            plan.shape().shape(),
            plan.shape().analysis(),
            miss.resolution().statement().relations());
  }

  /**
   * Ends a miss whose result was compared.
   *
   * @param databaseNanos how long the statement ran
   * @return whether the answer of the database is kept from now on
   */
  public final boolean compared(
      Plan plan,
      Checked checked,
      Expected expected,
      CachedResult answer,
      ResultComparison comparison,
      long databaseNanos) {
    executed(plan, checked, expected, databaseNanos);
    CachedResult known = expected.result();
    boolean replaces =
        switch (comparison.outcome()) {
          case SAME -> {
            outcomes.add(Outcome.SAME, 1);
            // In another format it would have to be decoded each time that it is compared.
            yield known != null && !answer.columns().equals(known.columns());
          }
          case INCONCLUSIVE -> {
            outcomes.add(Outcome.INCONCLUSIVE, 1);
            yield false;
          }
          case DIFFERENT -> different(plan, checked.miss(), expected, comparison);
        };
    if (replaces) {
      cache.misses().replace(checked.miss(), answer);
    }
    return replaces;
  }

  /** Counts a wrong result; returns whether the right one is to be kept in its place. */
  boolean different(Plan plan, Miss miss, Expected expected, ResultComparison comparison) {
    if (hasSameCatalog(miss)) {
      countWrong();
      quarantine(plan, miss, expected, comparison);
      return false;
    }
    return inconclusive();
  }

  /** Counts a comparison that says nothing; returns false. */
  final boolean inconclusive() {
    outcomes.add(Outcome.INCONCLUSIVE, 1);
    return false;
  }

  /**
   * Reads the catalog, which others may have changed unseen, and returns whether it is the same.
   */
  private boolean hasSameCatalog(Miss miss) {
    Catalog catalog = cache.database().catalog();
    catalog.reloadRequested();
    return !catalog.awaitLoaded(PATIENCE) || isSame(miss);
  }

  /**
   * Ends a miss whose result was not captured, or must not be compared.
   *
   * @param reason why it cannot be kept, or null
   */
  public final void notCompared(
      Plan plan, Checked checked, @Nullable BypassReason reason, long databaseNanos) {
    Expected expected = checked.expected();
    if (expected == null) {
      cache.misses().reject(plan, checked.miss(), reason, checked.weight() * databaseNanos);
      return;
    }
    if (reason != null && expected.result() == null) {
      cannotKeep(checked.miss());
    }
    executed(plan, checked, expected, databaseNanos);
    outcomes.add(Outcome.INCONCLUSIVE, 1);
  }

  /** Ends a miss of which something was expected that nobody has captured: keeps {@code result}. */
  public final void renew(
      Plan plan, Checked checked, Expected expected, CachedResult result, long databaseNanos) {
    executed(plan, checked, expected, databaseNanos);
    cache.misses().replace(checked.miss(), result);
  }

  /** Ends an execution whose result would be kept if anybody needed it. */
  public void ran(Plan plan, Uncaptured miss) {}

  /**
   * Counts the execution that is compared.
   *
   * @param hit as what it would have counted
   */
  void expected(ShapeStatistics statistics, Count hit) {
    statistics.miss();
    statistics.add(Count.VERIFIED, 1);
  }

  /** Notes how long the database took for what the cache would have answered. */
  void executed(Plan plan, Checked checked, Expected expected, long databaseNanos) {
    plan.shape().statistics().add(Count.DATABASE_NANOS, databaseNanos);
  }

  /** Notes that the result of {@code miss} was kept under {@code versions}, and weighs so much. */
  void kept(Miss miss, VersionVector versions, long weightBytes) {}

  /** Notes that a result was not kept. */
  void notKept() {}

  /** Notes that the result of {@code miss} cannot be kept any more. */
  void cannotKeep(Miss miss) {}

  final void countWrong() {
    outcomes.add(Outcome.DIFFERENT, 1);
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
        cache.database().quarantine().isolate(tables, miss.resolution().catalog(), evidence);
    cache.purges().superseded();
    if (!isolated.isEmpty()) {
      CacheLog.always(CacheLog.Trouble.WRONG_RESULT, evidence.words(isolated));
    }
  }

  /** Returns how many comparisons ended so; those that were not made count as inconclusive. */
  final long count(Outcome outcome) {
    return outcomes.sum(outcome);
  }

  final void resetStatistics() {
    outcomes.reset();
  }
}
