package dev.larder.store;

/**
 * A bind value that can be written into a {@linkplain KeyBytes key's bytes}. A value of an unusual
 * type should be one, else its results are not shared between JVMs.
 */
public interface KeyPart {
  /**
   * Writes this value: two values of this class are equal if and only if they write the same. The
   * class itself is written by the caller.
   */
  void writeTo(KeySink sink);
}
