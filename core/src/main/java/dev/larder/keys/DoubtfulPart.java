package dev.larder.keys;

import org.jspecify.annotations.Nullable;

/** A part of a condition that fails with some constants. Immutable. */
interface DoubtfulPart {
  /** Returns whether it may fail, for all rows or for some, in an execution with these. */
  boolean mayFail(@Nullable Object[] literals, @Nullable Object[] binds);
}
