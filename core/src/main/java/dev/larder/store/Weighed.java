package dev.larder.store;

/** A value that knows what it occupies on the heap; a bind value of an unusual type should be. */
public interface Weighed {
  /** Returns the bytes that would be free if this object and what it alone refers to were not. */
  long weightBytes();
}
