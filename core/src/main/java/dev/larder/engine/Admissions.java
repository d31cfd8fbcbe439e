package dev.larder.engine;

import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Sharing;
import dev.larder.engine.Lookup.Uncaptured;
import dev.larder.result.CachedResult;
import dev.larder.sql.BypassReason;
import dev.larder.store.CacheEntry;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import dev.larder.store.Renewal;
import dev.larder.store.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * Ends the misses of one cache, each by one call: what the database has answered is kept, or it is
 * counted why not. Thread-safe.
 */
public final class Admissions {
  private final QueryCache cache;
  private final @Nullable SharedLookups shared;
  private final @Nullable ObservedLookups observed;

  /**
   * Creates what ends the misses of {@code cache}.
   *
   * @param shared decides about results that other JVMs may read; null where there are none
   * @param observed decides where nothing but observation goes on; else null
   */
  Admissions(QueryCache cache, @Nullable SharedLookups shared, @Nullable ObservedLookups observed) {
    this.cache = cache;
    this.shared = shared;
    this.observed = observed;
  }

  /**
   * Ends a miss: keeps {@code result} where that is allowed.
   *
   * @param databaseNanos how long the statement ran
   */
  public void admit(Plan plan, Miss miss, CachedResult result, long databaseNanos) {
    VersionVector versions =
        ProtocolStep.CAPTURE_BEFORE_SENDING.isTaken()
            ? miss.capture().versions()
            : cache.database().versions().capture(miss.resolution().statement().readTags());
    boolean enabled = cache.enabled();
    if (versions == null || !enabled) {
      reject(plan, miss, enabled ? null : BypassReason.DISABLED, databaseNanos);
      return;
    }
    long weightBytes = keep(miss, versions, result);
    plan.shape().columns(result.columns());
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.databaseTime(miss.weight() * databaseNanos);
    statistics.admitted();
    if (observed != null) {
      observed.observation().kept(miss, weightBytes);
    }
  }

  /**
   * Ends a miss that would have been a hit on what nobody has captured: keeps {@code result}.
   *
   * @param databaseNanos how long the statement ran
   */
  public void renew(Plan plan, Miss miss, CachedResult result, long databaseNanos) {
    Expected expected = miss.expected();
    if (observed != null && expected != null) {
      observed.observation().hit(plan, miss, expected, databaseNanos);
      replace(miss, result);
    }
  }

  /** Ends a miss whose result would be kept. */
  public void ran(Plan plan, Uncaptured miss) {
    if (observed != null && cache.enabled()) {
      observed.ran(plan, miss);
    }
  }

  /** Keeps a result in place of what was expected of {@code miss}; counts nothing. */
  public void replace(Miss miss, CachedResult result) {
    VersionVector versions = miss.capture().versions();
    if (versions != null && cache.enabled()) {
      keep(miss, versions, result);
    }
  }

  /**
   * Ends a miss whose result is not kept.
   *
   * @param reason why not, where it is not that the miss was refused; null where that is not known
   * @param databaseNanos how long the statement ran
   */
  public void reject(Plan plan, Miss miss, @Nullable BypassReason reason, long databaseNanos) {
    if (observed != null && reason != null) {
      observed.refused(miss);
    }
    Expected expected = miss.expected();
    Verification verification = cache.verification();
    if (verification != null && expected != null) {
      verification.notCompared(plan, miss, expected, databaseNanos);
      return;
    }
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.databaseTime(miss.weight() * databaseNanos);
    BypassReason refusal = reason == null ? miss.capture().refusal() : reason;
    statistics.rejected(refusal);
    if (refusal != null) {
      cache.bypassCounts().refused(refusal, miss.weight() * databaseNanos);
    }
    if (observed != null) {
      observed.observation().missed();
    }
  }

  /** Keeps a result and returns what it weighs in the store. */
  private long keep(Miss miss, VersionVector versions, CachedResult result) {
    Sharing sharing = miss.capture().shared();
    if (shared != null && sharing != null) {
      shared.admit(sharing, versions, result);
      return result.weightBytes();
    }
    Renewal renewal =
        observed == null ? null : new Renewal(miss.resolution().statement().readTags(), versions);
    long timeToLive = miss.resolution().timeToLiveNanos();
    CacheEntry entry = new CacheEntry(result, versions, timeToLive, cache, renewal);
    put(miss, entry);
    return entry.weightBytes();
  }

  /** Keeps an entry, unless the cache was cleared since its look-up. */
  private void put(Miss miss, CacheEntry entry) {
    QueryKey key = miss.key().detach();
    cache.store().put(key, entry);
    if (cache.clears() != miss.clears()) {
      cache.store().remove(key, entry);
    }
  }
}
