package dev.larder.benchmarks.locks;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** Readers share the lock, and whoever puts or invalidates has it alone: pgpool-II since 4.4. */
final class ReadWriteLockCache implements ResultCache {
  private final Lock readLock;
  private final Lock writeLock;
  private final IndexedResults results;

  ReadWriteLockCache(int tables, int expectedEntries) {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    readLock = lock.readLock();
    writeLock = lock.writeLock();
    results = new IndexedResults(tables, expectedEntries);
  }

  @Override
  public @Nullable CachedResult get(QueryKey key) {
    readLock.lock();
    try {
      return results.get(key);
    } finally {
      readLock.unlock();
    }
  }

  @Override
  public void put(QueryKey key, CachedResult result, int table) {
    writeLock.lock();
    try {
      results.put(key, result, table);
    } finally {
      writeLock.unlock();
    }
  }

  @Override
  public void invalidate(int table) {
    writeLock.lock();
    try {
      results.invalidate(table);
    } finally {
      writeLock.unlock();
    }
  }
}
