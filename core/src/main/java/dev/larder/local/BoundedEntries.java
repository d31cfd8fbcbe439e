package dev.larder.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalListener;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Entries in two caches of Caffeine with one budget. Results that took the database long for their
 * size ({@link UsualCost}) have a cache of their own, so that no flood of look-ups evicts a sum
 * over a large table: Caffeine knows how often an entry is asked for, not what it costs to compute
 * it again. The costly have at most three quarters of the budget, and the others what they leave.
 *
 * <p>A key is in one of the two. Whoever puts an entry into one removes the key from the other
 * afterwards, so that of two who put at once never both entries stay. Thread-safe.
 */
final class BoundedEntries {
  /** Of how many parts of the budget all but one may be for costly entries. */
  private static final int PARTS = 4;

  /** No entry that needs more than such a part of the budget is costly. */
  private static final int LARGE = 8;

  /** What is left for the others is told in such parts of the budget. */
  private static final int STEPS = 64;

  private final Cache<QueryKey, CacheEntry> common;
  private final Cache<QueryKey, CacheEntry> costly;
  private final UsualCost usual = new UsualCost();
  private final long budget;
  private final long floor;
  private final LongAdder costlyBytes = new LongAdder();

  /** Whether there ever was a costly entry: else nobody need look for one. */
  private volatile boolean anyCostly;

  /** What was left when the others were told last. Racy: the next put tells them. */
  private long told;

  /**
   * Creates the caches.
   *
   * @param budget what all entries may weigh
   * @param floor the least that an entry is taken for
   * @param removed called once for every entry that was put, whatever became of it
   */
  BoundedEntries(long budget, long floor, RemovalListener<QueryKey, CacheEntry> removed) {
    this.budget = budget;
    this.floor = floor;
    this.told = budget;
    this.common = bounded(budget, removed);
    this.costly =
        bounded(
            budget - budget / PARTS,
            (key, entry, cause) -> {
              if (entry != null) {
                costlyBytes.add(-weight(entry));
              }
              removed.onRemoval(key, entry, cause);
            });
  }

  private long weight(CacheEntry entry) {
    return Math.max(floor, entry.weightBytes());
  }

  private Cache<QueryKey, CacheEntry> bounded(
      long most, RemovalListener<QueryKey, CacheEntry> removed) {
    return Caffeine.newBuilder()
        .maximumWeight(most)
        .weigher(
            (QueryKey key, CacheEntry entry) -> (int) Math.min(Integer.MAX_VALUE, weight(entry)))
        .executor(Runnable::run)
        .removalListener(removed)
        .build();
  }

  /** Returns where a look-up asks first. */
  Cache<QueryKey, CacheEntry> common() {
    return common;
  }

  /** Returns the entry of a key that is not among the common ones. */
  @Nullable CacheEntry costly(QueryKey key) {
    return anyCostly ? costly.getIfPresent(key) : null;
  }

  /**
   * Puts an entry; returns the one whose place it has taken.
   *
   * @param databaseNanos how long the result took the database; 0 where that is not known, as of an
   *     entry that is kept anew: it stays where it was
   */
  @Nullable CacheEntry put(QueryKey key, CacheEntry entry, long databaseNanos) {
    boolean isCostly =
        databaseNanos == 0
            ? anyCostly && costly.asMap().containsKey(key)
            : usual.isCostly(databaseNanos, entry.weightBytes()) && weight(entry) <= budget / LARGE;
    CacheEntry replaced;
    CacheEntry other = null;
    if (isCostly) {
      anyCostly = true;
      costlyBytes.add(weight(entry));
      replaced = costly.asMap().put(key, entry);
      other = common.asMap().remove(key);
    } else {
      replaced = common.asMap().put(key, entry);
      if (anyCostly) {
        other = costly.asMap().remove(key);
      }
    }
    if (anyCostly) {
      tellWhatIsLeft();
    }
    return replaced == null ? other : replaced;
  }

  /** In steps, so that Caffeine need not be told each time. */
  private void tellWhatIsLeft() {
    long step = Math.max(1, budget / STEPS);
    long left = Math.max(budget / PARTS, (budget - costlyBytes.sum()) / step * step);
    if (left != told) {
      told = left;
      policy(common).setMaximum(left);
    }
  }

  /** Has {@code change} done while nobody removes the entry, which is then weighed anew. */
  void change(QueryKey key, CacheEntry entry, Runnable change) {
    change(common, key, entry, change);
    if (anyCostly) {
      Runnable counted =
          () -> {
            long before = weight(entry);
            change.run();
            costlyBytes.add(weight(entry) - before);
          };
      change(costly, key, entry, counted);
    }
  }

  private static void change(
      Cache<QueryKey, CacheEntry> cache, QueryKey key, CacheEntry entry, Runnable change) {
    cache
        .asMap()
        .computeIfPresent(
            key,
            (same, kept) -> {
              if (kept == entry) {
                change.run();
              }
              return kept;
            });
  }

  void remove(QueryKey key, CacheEntry entry) {
    common.asMap().remove(key, entry);
    costly.asMap().remove(key, entry);
  }

  void removeIf(Predicate<CacheEntry> condition) {
    common.asMap().values().removeIf(condition);
    costly.asMap().values().removeIf(condition);
  }

  void forEach(BiConsumer<QueryKey, CacheEntry> visitor) {
    common.asMap().forEach(visitor);
    costly.asMap().forEach(visitor);
  }

  /** Returns the entries of one of the two, which take turns. */
  Iterator<Map.Entry<QueryKey, CacheEntry>> iterator(int turn) {
    return (turn % 2 == 0 ? common : costly).asMap().entrySet().iterator();
  }

  /** Returns keys of entries, the costly first, then those that are asked for most. */
  List<QueryKey> hottest(Predicate<CacheEntry> condition, int limit) {
    return Stream.of(costly, common)
        .flatMap(each -> hottest(each, condition, limit).stream())
        .limit(limit)
        .toList();
  }

  private static List<QueryKey> hottest(
      Cache<QueryKey, CacheEntry> cache, Predicate<CacheEntry> condition, int limit) {
    return policy(cache)
        .hottest(
            entries ->
                entries
                    .filter(each -> condition.test(each.getValue()))
                    .limit(limit)
                    .map(Map.Entry::getKey)
                    .toList());
  }

  private static Policy.Eviction<QueryKey, CacheEntry> policy(Cache<QueryKey, CacheEntry> cache) {
    return cache.policy().eviction().orElseThrow();
  }

  /** Returns about how many entries there are. */
  long count() {
    return common.estimatedSize() + costly.estimatedSize();
  }
}
