package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;

/**
 * Finds and keeps results in the memory of this JVM alone. With {@code larder.verify} the database
 * answers a share of the hits, too. Thread-safe.
 */
class LocalLookups implements LookupStrategy {
  private final QueryCache cache;
  private final ResultStore store;
  private final TableVersions versions;
  private final boolean verifies;

  LocalLookups(QueryCache cache, ResultStore store) {
    this.cache = cache;
    this.store = store;
    this.versions = cache.database().versions();
    this.verifies = cache.config().get(CacheOptions.VERIFY) > 0;
  }

  @Override
  public Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    CacheEntry entry = store.get(key, resolution.timeToLiveNanos());
    if (entry != null) {
      if (!versions.isCurrent(entry)) {
        // It stays: that the next result takes its place costs less than to remove it first.
        if (entry.isFoundOutdated()) {
          cache.entryCounts().invalidated();
        }
      } else if (session.transaction().mayHit(resolution.statement(), entry.versions())) {
        if (verifies && cache.verification().isDue()) {
          return expected(shape, key, resolution, entry);
        }
        shape.statistics().hit();
        return new Lookup.Hit(entry.result());
      }
    }
    return cache.misses().miss(shape, key, resolution, session);
  }

  /** Has the database answer in place of an entry that is current. */
  private Lookup expected(ShapePlan shape, QueryKey key, Resolution resolution, CacheEntry entry) {
    cache.verification().expected(shape.statistics(), ShapeStatistics.Count.NEAR_HITS);
    Miss miss = new Miss(key, resolution, Capture.of(entry.versions()), cache.clears());
    return new Checked(miss, 1, Lookup.Expected.of(entry));
  }

  @Override
  public long keep(Miss miss, VersionVector captured, CachedResult result) {
    long timeToLive = miss.resolution().timeToLiveNanos();
    return put(miss, new CacheEntry(result, captured, timeToLive, cache));
  }

  /** Keeps an entry, unless the cache was cleared since its look-up; returns its weight. */
  final long put(Miss miss, CacheEntry entry) {
    QueryKey key = miss.key().detach();
    store.put(key, entry);
    if (cache.clears() != miss.clears()) {
      store.remove(key, entry);
    }
    return entry.weightBytes();
  }
}
