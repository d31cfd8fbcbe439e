package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Asked;
import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.Moment;
import dev.larder.store.QueryKey;
import dev.larder.store.VersionVector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Queries that are not cached for nothing but that they read the clock: where an age is declared
 * they are, for that age. It counts from before the query was sent. Not in transactions, where the
 * clock stands still for some functions. Thread-safe.
 */
final class ClockReads implements LookupStrategy {
  private final QueryCache cache;

  ClockReads(QueryCache cache) {
    this.cache = cache;
  }

  /**
   * Returns why an execution is not looked up of which {@code stated} is said by the text alone, or
   * null.
   */
  @Nullable BypassReason bypass(
      Plan plan, Object[] binds, SessionView session, BypassReason stated) {
    ShapePlan shape = plan.shape();
    boolean clock = stated == BypassReason.TIME && mayBeDeclared(shape, session);
    BypassReason reason = clock ? shape.bypassBesideClock() : stated;
    if (reason == BypassReason.SEEN_ONCE) {
      reason = cache.plans().meetAgain(shape);
      reason = clock && reason == BypassReason.TIME ? shape.bypassBesideClock() : reason;
    } else if (reason == BypassReason.NO_PROFIT && cache.admissions().probes(shape, plan, binds)) {
      reason = null;
    }
    reason = reason == null ? session.bypass() : reason;
    return clock && reason != null && reason != BypassReason.NO_PROFIT ? stated : reason;
  }

  /** Returns whether an age may be declared for a query whose text reads the clock. */
  private boolean mayBeDeclared(ShapePlan shape, SessionView session) {
    SessionReads reads = session.reads();
    if (!session.transaction().isAlone() || reads == null) {
      return false;
    }
    Duration declared = shape.shape().hints().staleness();
    return declared == null
        ? reads.staleness() != null || !cache.config().get(CacheOptions.TABLES_STALENESS).isEmpty()
        : !declared.isZero();
  }

  /** Returns whether a query that {@link BypassReason#TIME} forbids to cache is cached. */
  boolean areDeclared(ShapePlan shape, Resolution resolution, SessionView session) {
    SessionReads reads = session.reads();
    return reads != null
        && session.transaction().isAlone()
        && Staleness.stalenessNanos(resolution, reads) > 0
        && cache.staleness != null
        && resolution.policy().forbidsClockAlone(resolution.statement(), shape.shape().hints());
  }

  /** Looks a query up of which {@link #areDeclared} was said. */
  @Override
  public Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    Staleness staleness = cache.staleness;
    SessionReads reads = session.reads();
    if (staleness == null || reads == null) {
      return cache.bypass(shape, BypassReason.TIME);
    }
    reads.begin();
    long age = Staleness.stalenessNanos(resolution, reads);
    CacheEntry found = cache.store().get(key, resolution.timeToLiveNanos());
    if (found != null && mayUse(staleness, found, key, resolution, session, age)) {
      shape.statistics().hit();
      return new Lookup.Hit(found.result());
    }
    cache.database().radar().cached(resolution.statement(), resolution.catalog());
    Asked asked = new Asked(Moment.now(), age, true);
    return cache.misses().miss(shape, key, resolution, session, asked);
  }

  @Override
  public long keep(Miss miss, VersionVector captured, CachedResult result, long databaseNanos) {
    return cache.strategy().keep(miss, captured, result, databaseNanos);
  }

  private boolean mayUse(
      Staleness staleness,
      CacheEntry entry,
      QueryKey key,
      Resolution resolution,
      SessionView session,
      long age) {
    boolean current = cache.database().versions().isCurrent(entry);
    if (!current && entry.isFoundOutdated()) {
      cache.entryCounts().invalidated();
    }
    SessionReads reads = session.reads();
    if (!(entry.attached() instanceof ShownClock shown)
        || reads == null
        || FollowedSession.asksForPosition(session)
        || Moment.now() - shown.sent() >= age
        || !reads.mayReadClock(shown)) {
      return false;
    }
    if (current) {
      staleness.read(entry, resolution, session);
    } else if (!staleness.mayUse(entry, key, resolution, session)) {
      return false;
    }
    reads.sawClock(shown);
    return true;
  }
}
