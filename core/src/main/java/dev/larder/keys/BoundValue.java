package dev.larder.keys;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bind value whose own class does not say what the server gets. */
public interface BoundValue {
  /** Stands for NULL. */
  Object NULL = Operand.NULL;

  /** Returns what the server gets, {@link #NULL}, or null where that is not known. */
  @Nullable Object boundValue();

  /**
   * Returns the elements of an array of a {@link KeyType}, each a value or {@link #NULL}; null
   * where the server does not get one, or where they are not known.
   */
  @Nullable List<Object> boundElements();

  /**
   * Returns whether the server may get a floating-point number: to compare one with another number
   * may fail.
   */
  boolean mayBeFloat();
}
