package dev.larder.store;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the announces of tags. Many tags share one count, so that all counts fit into a
 * processor's first cache; an entry that has seen none of its counts change need not look at its
 * tags. Thread-safe.
 */
final class Announces {
  private static final int COUNTS = 1_024;

  private final AtomicLongArray counts = new AtomicLongArray(COUNTS);

  /** Returns which counts those of {@code tags} are. */
  static short[] indexes(Tag... tags) {
    short[] indexes = new short[tags.length];
    for (int i = 0; i < tags.length; i++) {
      indexes[i] = (short) index(tags[i]);
    }
    return indexes;
  }

  private static int index(Tag tag) {
    return tag.hashCode() & (COUNTS - 1);
  }

  /** Counts an announce of {@code tag}. */
  void add(Tag tag) {
    counts.getAndIncrement(index(tag));
  }

  /** Returns one count. */
  long get(int index) {
    return counts.get(index);
  }

  /** Returns the sum of the counts of an entry's tags, as they were read one by one. */
  long sum(CacheEntry entry) {
    long sum = 0;
    for (short index : entry.announces()) {
      sum += get(index);
    }
    return sum;
  }
}
