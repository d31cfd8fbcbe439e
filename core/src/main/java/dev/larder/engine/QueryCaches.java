package dev.larder.engine;

import dev.larder.QueryCacheConfig;
import dev.larder.local.LocalResultStores;
import dev.larder.store.ResultStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The caches of this JVM: one for each database and configuration. Thread-safe. */
public final class QueryCaches {
  private record CacheIdentity(DatabaseIdentity database, QueryCacheConfig config) {}

  private static final Map<CacheIdentity, QueryCache> CACHES = new ConcurrentHashMap<>();

  private QueryCaches() {}

  /** Returns the cache of {@code config} for {@code database}, made at the first call. */
  public static QueryCache of(Database database, QueryCacheConfig config) {
    return CACHES.computeIfAbsent(
        new CacheIdentity(database.identity(), config),
        key -> {
          QueryCache cache = new QueryCache(database, config, storeOf(config));
          CacheLog.started(cache);
          return cache;
        });
  }

  private static ResultStore storeOf(QueryCacheConfig config) {
    return config.maxBytes().isEmpty() && config.maxEntries().isEmpty()
        ? LocalResultStores.shared()
        : LocalResultStores.of(
            config.maxBytes().orElse(LocalResultStores.sharedMaxBytes()), config.maxEntries());
  }
}
