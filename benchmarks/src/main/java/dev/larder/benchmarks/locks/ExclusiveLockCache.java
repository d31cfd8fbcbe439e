package dev.larder.benchmarks.locks;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One lock for everybody: pgpool-II up to 4.3, and the mutex of MySQL's query cache. */
final class ExclusiveLockCache implements ResultCache {
  private final ReentrantLock lock = new ReentrantLock();
  private final IndexedResults results;

  ExclusiveLockCache(int tables, int expectedEntries) {
    results = new IndexedResults(tables, expectedEntries);
  }

  @Override
  public @Nullable CachedResult get(QueryKey key) {
    lock.lock();
    try {
      return results.get(key);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void put(QueryKey key, CachedResult result, int table) {
    lock.lock();
    try {
      results.put(key, result, table);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void invalidate(int table) {
    lock.lock();
    try {
      results.invalidate(table);
    } finally {
      lock.unlock();
    }
  }
}
