package dev.larder.benchmarks.locks;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import org.jspecify.annotations.Nullable;

/**
 * Results of queries that read one table each, and their invalidation by table. Thread-safe.
 *
 * <p>Nothing is evicted: all results fit. Only {@link VersionedCache} refuses a result that was
 * read before a write and put after it; the others are spared that work.
 */
interface ResultCache {
  /** Returns the result of {@code key}, unless it is not there or its table has been written. */
  @Nullable CachedResult get(QueryKey key);

  /** Keeps {@code result}, which was read from {@code table}. */
  void put(QueryKey key, CachedResult result, int table);

  /** Makes every result of {@code table} vanish, before it returns. */
  void invalidate(int table);
}
