package dev.larder.benchmarks.locks;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Readers look without the lock, and look again with it where a writer came in between. For that
 * the chains of the hash table are immutable: a writer replaces what comes before a node that goes.
 */
final class OptimisticLockCache implements ResultCache {
  private final StampedLock lock = new StampedLock();
  private final AtomicReferenceArray<@Nullable Node> buckets;
  private final List<List<QueryKey>> keysOfTable;

  private record Node(QueryKey key, CachedResult result, @Nullable Node next) {}

  OptimisticLockCache(int tables, int expectedEntries) {
    buckets = new AtomicReferenceArray<>(Integer.highestOneBit(expectedEntries) * 2);
    keysOfTable =
        Stream.generate(() -> (List<QueryKey>) new ArrayList<QueryKey>()).limit(tables).toList();
  }

  @Override
  public @Nullable CachedResult get(QueryKey key) {
    long stamp = lock.tryOptimisticRead();
    if (stamp != 0) {
      CachedResult found = find(key);
      if (lock.validate(stamp)) {
        return found;
      }
    }
    stamp = lock.readLock();
    try {
      return find(key);
    } finally {
      lock.unlockRead(stamp);
    }
  }

  @Override
  public void put(QueryKey key, CachedResult result, int table) {
    long stamp = lock.writeLock();
    try {
      boolean known = find(key) != null;
      int bucket = bucket(key);
      Node rest = known ? without(buckets.get(bucket), key) : buckets.get(bucket);
      buckets.set(bucket, new Node(key, result, rest));
      if (!known) {
        keysOfTable.get(table).add(key);
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public void invalidate(int table) {
    long stamp = lock.writeLock();
    try {
      List<QueryKey> keys = keysOfTable.get(table);
      for (QueryKey key : keys) {
        int bucket = bucket(key);
        buckets.set(bucket, without(buckets.get(bucket), key));
      }
      keys.clear();
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private int bucket(QueryKey key) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 16)) & (buckets.length() - 1);
  }

  private @Nullable CachedResult find(QueryKey key) {
    for (Node node = buckets.get(bucket(key)); node != null; node = node.next) {
      if (node.key.equals(key)) {
        return node.result;
      }
    }
    return null;
  }

  private static @Nullable Node without(@Nullable Node node, QueryKey key) {
    if (node == null) {
      return null;
    }
    return node.key.equals(key)
        ? node.next
        : new Node(node.key, node.result, without(node.next, key));
  }
}
