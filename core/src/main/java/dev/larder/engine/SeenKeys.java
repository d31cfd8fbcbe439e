package dev.larder.engine;

import org.jspecify.annotations.Nullable;

/**
 * Which keys have come before, of shapes that are {@link Admission doubted}. What is forgotten or
 * taken for another does not matter for what rows are returned. Takes 256 kB once it is asked.
 * Thread-safe; threads that race may lose a key.
 */
final class SeenKeys {
  private static final int SLOTS = 1 << 16;

  /** Null before the first. */
  private volatile @Nullable RecentHashes hashes;

  /** Returns whether a key of this shape and hash has come before, and notes that it has now. */
  boolean seen(ShapePlan shape, int hash) {
    RecentHashes all = hashes;
    if (all == null) {
      all = new RecentHashes(SLOTS);
      hashes = all;
    }
    return all.seen((hash + 31 * System.identityHashCode(shape)) * 0x9E3779B9);
  }
}
