package dev.larder.engine;

import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;

/** Finds and keeps results in the memory of this JVM alone. Thread-safe. */
class LocalLookups implements LookupStrategy {
  private final QueryCache cache;
  private final ResultStore store;
  private final TableVersions versions;

  LocalLookups(QueryCache cache, ResultStore store) {
    this.cache = cache;
    this.store = store;
    this.versions = cache.database().versions();
  }

  @Override
  public Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    TransactionView transaction = session.transaction();
    if (transaction.mayHit(resolution.statement())) {
      CacheEntry entry = store.get(key, resolution.timeToLiveNanos());
      if (entry != null) {
        if (!versions.isCurrent(entry)) {
          // It stays: that the next result takes its place costs less than to remove it first.
          if (entry.isFoundOutdated()) {
            cache.entryCounts().invalidated();
          }
        } else if (entry.versions().notAfter(transaction.newestEpoch())) {
          return current(shape, key, resolution, entry);
        }
      }
    }
    return cache.misses().miss(shape, key, resolution, session);
  }

  /** Answers with an entry that is current. */
  Lookup current(ShapePlan shape, QueryKey key, Resolution resolution, CacheEntry entry) {
    shape.statistics().hit();
    return new Lookup.Hit(entry.result());
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
