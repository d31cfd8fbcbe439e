package dev.larder.benchmarks.locks;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A concurrent map, all of which is searched for the results of a table that is invalidated. */
final class SearchedMapCache implements ResultCache {
  private final ConcurrentMap<QueryKey, Tagged> results;

  private record Tagged(CachedResult result, int table) {}

  SearchedMapCache(int expectedEntries) {
    results = new ConcurrentHashMap<>(expectedEntries);
  }

  @Override
  public @Nullable CachedResult get(QueryKey key) {
    Tagged found = results.get(key);
    return found == null ? null : found.result;
  }

  @Override
  public void put(QueryKey key, CachedResult result, int table) {
    results.put(key, new Tagged(result, table));
  }

  @Override
  public void invalidate(int table) {
    results.values().removeIf(kept -> kept.table == table);
  }
}
