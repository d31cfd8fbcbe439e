package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * Makes equal values one, so that a thousand statements with the same names keep each once. Of
 * values that share a slot it knows the last: it is bounded, and one that is forgotten only takes
 * memory. Thread-safe for immutable values; threads may race, which costs no more than that.
 */
final class Interner<T> {
  private static final int SLOTS = 1 << 13;

  private final @Nullable Object[] slots = new @Nullable Object[SLOTS];

  /** Returns a value that equals {@code value}. */
  T intern(T value) {
    int hash = value.hashCode();
    int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
    Object known = slots[slot];
    if (value.equals(known)) {
      @SuppressWarnings("unchecked") // Only a T equals a T.
      T same = (T) known;
      return same;
    }
    slots[slot] = value;
    return value;
  }
}
