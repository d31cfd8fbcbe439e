package dev.larder.store;

import org.jspecify.annotations.Nullable;

/** A value that knows what it occupies on the heap; a bind value of an unusual type should be. */
public interface Weighed {
  /** Returns the bytes that would be free if this object and what it alone refers to were not. */
  long weightBytes();

  /** Returns the bytes of a literal or bind value; a guess where its class is not known. */
  static long weightOf(@Nullable Object value) {
    return KeyWeight.ofValue(value);
  }
}
