package dev.larder.memcached.format;

import org.jspecify.annotations.Nullable;

/** Makes bytes fewer. Thread-safe; throws nothing. */
interface Compression {
  /** Returns fewer bytes that stand for {@code plain}, or null if that is not worth it. */
  byte @Nullable [] squeeze(byte[] plain);

  /**
   * Returns what {@code squeezed} stands for, or null if it is damaged or over {@code maxBytes}.
   */
  byte @Nullable [] stretch(byte[] squeezed, int maxBytes);
}
