package dev.larder.engine;

/**
 * Hashes that came last: the doorkeeper of TinyLFU (Einziger, Friedman, Manes: TinyLFU, 2017), but
 * one that forgets. One that did not come for long may be forgotten, and very rarely one is taken
 * for another. Thread-safe; threads that race may lose one.
 */
final class RecentHashes {
  private final int[] slots;

  /** Creates room for {@code slots} hashes, a power of two. Each takes four bytes. */
  RecentHashes(int slots) {
    this.slots = new int[slots];
  }

  /** Returns whether {@code hash} has come before, and notes that it has now. */
  boolean seen(int hash) {
    int slot = (hash ^ hash >>> 16) & (slots.length - 1);
    int last = slots[slot];
    if (last == hash) {
      return true;
    }
    int other = slot ^ 1; // Two that come in turn would else drive each other out for ever.
    boolean seen = slots[other] == hash;
    slots[other] = last;
    slots[slot] = hash;
    return seen;
  }
}
