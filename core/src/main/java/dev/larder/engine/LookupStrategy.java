package dev.larder.engine;

import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
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
   * @return what it weighs in the store
   */
  long keep(Miss miss, VersionVector versions, CachedResult result);
}
