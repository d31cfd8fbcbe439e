package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.FeedOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * How a cache finds and keeps results. Chosen once, when the cache is made: {@link LocalLookups} is
 * the plain way, the others are told from it by the options of the cache. Thread-safe.
 */
interface LookupStrategy {
  /** Decides about an execution that nothing else keeps from being cached. */
  Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session);

  /**
   * Returns the result of a hit, which is counted, or null; then nothing was counted. For a session
   * without snapshot and own writes.
   */
  default @Nullable CachedResult peek(
      ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    return null;
  }

  /**
   * Keeps a result under {@code versions}, which were captured before the statement was sent.
   *
   * @param databaseNanos how long the statement ran; 0 where that is not known
   * @return what it weighs in the store
   */
  long keep(Miss miss, VersionVector versions, CachedResult result, long databaseNanos);

  /** Returns what compares hits of {@code cache} with the database. */
  static Verification verification(QueryCache cache) {
    QueryCacheConfig config = cache.config();
    double share = config.get(CacheOptions.VERIFY);
    if (config.get(CacheOptions.MODE) == QueryCacheConfig.Mode.OBSERVE) {
      return new Observation(cache);
    }
    return config.isFollowing()
        ? new FollowedVerification(cache, share, config.get(FeedOptions.MAX_LAG).toNanos())
        : new Verification(cache, share);
  }

  /** Returns the way of {@code cache}, whose verification and misses are there. */
  static LookupStrategy of(QueryCache cache, ResultStore store) {
    Observation observation = cache.observation();
    if (cache.isShared()) {
      return new SharedLookups(cache, store);
    } else if (observation != null) {
      return new ObservedLookups(cache, store, observation);
    }
    return cache.config().isFollowing()
        ? new FollowedLookups(cache, store)
        : new LocalLookups(cache, store);
  }
}
