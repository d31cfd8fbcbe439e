package dev.larder.engine;

import org.jspecify.annotations.Nullable;

/**
 * Which keys have come before, of shapes that are {@link Admission doubted}: the doorkeeper of
 * TinyLFU (Einziger, Friedman, Manes: TinyLFU, 2017), but one that forgets. A key that was not seen
 * for long may be forgotten, and very rarely one is taken for another; neither matters for what
 * rows are returned. Takes 256 kB once it is asked. Thread-safe; threads that race may lose a key.
 */
final class SeenKeys {
  private static final int SLOTS = 1 << 16;

  /** The last hash of each slot; null before the first. */
  private volatile int @Nullable [] hashes;

  /** Returns whether a key of this shape and hash has come before, and notes that it has now. */
  boolean seen(ShapePlan shape, int hash) {
    int[] all = hashes;
    if (all == null) {
      all = new int[SLOTS];
      hashes = all;
    }
    int mixed = (hash + 31 * System.identityHashCode(shape)) * 0x9E3779B9;
    mixed ^= mixed >>> 16;
    int slot = mixed & (SLOTS - 1);
    boolean seen = all[slot] == mixed;
    all[slot] = mixed;
    return seen;
  }
}
