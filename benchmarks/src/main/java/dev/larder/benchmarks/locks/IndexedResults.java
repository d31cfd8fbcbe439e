package dev.larder.benchmarks.locks;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with a list of keys for each table, as pgpool-II and MySQL have: an invalidation
 * removes each result of the table. Not thread-safe: a lock guards it.
 */
final class IndexedResults {
  private final Map<QueryKey, CachedResult> results;
  private final List<List<QueryKey>> keysOfTable;

  IndexedResults(int tables, int expectedEntries) {
    results = new HashMap<>(expectedEntries * 4 / 3 + 1);
    keysOfTable =
        Stream.generate(() -> (List<QueryKey>) new ArrayList<QueryKey>()).limit(tables).toList();
  }

  @Nullable CachedResult get(QueryKey key) {
    return results.get(key);
  }

  void put(QueryKey key, CachedResult result, int table) {
    if (results.put(key, result) == null) {
      keysOfTable.get(table).add(key);
    }
  }

  void invalidate(int table) {
    List<QueryKey> keys = keysOfTable.get(table);
    keys.forEach(results::remove);
    keys.clear();
  }
}
