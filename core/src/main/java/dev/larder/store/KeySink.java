package dev.larder.store;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that parts of a key are written into, each with its length, so that what follows cannot be
 * taken for a part of it. Not thread-safe.
 */
public final class KeySink {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

  KeySink() {}

  /** Writes a number. */
  public void number(long value) {
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      bytes.write((int) (value >>> shift));
    }
  }

  /** Writes a text, or null; every sequence of characters has bytes of its own. */
  public void text(@Nullable String text) {
    if (text == null) {
      number(-1);
      return;
    }
    boolean latin1 = text.chars().allMatch(c -> c < 256);
    number((long) text.length() << 1 | (latin1 ? 0 : 1));
    for (int i = 0; i < text.length(); i++) {
      if (!latin1) {
        bytes.write(text.charAt(i) >>> Byte.SIZE);
      }
      bytes.write(text.charAt(i));
    }
  }

  /** Writes bytes. */
  public void bytes(byte[] value) {
    number(value.length);
    bytes.write(value, 0, value.length);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
