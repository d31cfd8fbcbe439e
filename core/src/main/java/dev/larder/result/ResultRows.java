package dev.larder.result;

import org.jspecify.annotations.Nullable;

/**
 * The rows of a result as raw bytes, in whatever form their holder replays them. Immutable; whoever
 * receives a value must not change it.
 */
public interface ResultRows {
  /** Returns how many rows there are. */
  int count();

  /** Returns the bytes at {@code row} and {@code column}, both counted from 0; null for NULL. */
  byte @Nullable [] value(int row, int column);

  /** Returns what the rows occupy on the heap in this form, in bytes. */
  long weightBytes();
}
