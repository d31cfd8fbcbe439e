package dev.larder.benchmarks.locks;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The results spread over {@value #STRIPES} exclusive locks by the hash of the key. An invalidation
 * takes one lock after the other, for a table has results everywhere.
 */
final class StripedLockCache implements ResultCache {
  private static final int STRIPES = 64;
  private static final int SPREAD = 0x9E3779B9;

  private final ExclusiveLockCache[] stripes;

  StripedLockCache(int tables, int expectedEntries) {
    stripes =
        IntStream.range(0, STRIPES)
            .mapToObj(i -> new ExclusiveLockCache(tables, expectedEntries / STRIPES + 1))
            .toArray(ExclusiveLockCache[]::new);
  }

  private ExclusiveLockCache stripe(QueryKey key) {
    return stripes[((key.hashCode() * SPREAD) >>> 16) % STRIPES];
  }

  @Override
  public @Nullable CachedResult get(QueryKey key) {
    return stripe(key).get(key);
  }

  @Override
  public void put(QueryKey key, CachedResult result, int table) {
    stripe(key).put(key, result, table);
  }

  @Override
  public void invalidate(int table) {
    for (ExclusiveLockCache stripe : stripes) {
      stripe.invalidate(table);
    }
  }
}
