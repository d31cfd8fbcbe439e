package dev.larder.engine;

import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import dev.larder.store.VersionVector;

/**
 * How a cache finds and keeps results. Chosen once, when the cache is made: {@link LocalLookups} is
 * the plain way, the others are told from it by the options of the cache. Thread-safe.
 */
interface LookupStrategy {
  /** Decides about an execution that nothing else keeps from being cached. */
  Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session);

  /**
   * Keeps a result under {@code versions}, which were captured before the statement was sent.
   *
   * @return what it weighs in the store
   */
  long keep(Miss miss, VersionVector versions, CachedResult result);
}
