package dev.larder.store;

import dev.larder.result.HeapWeight;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that parts of a key are written into, each with its length, so that what follows cannot be
 * taken for a part of it. Not thread-safe.
 */
public final class KeySink {
  private ByteBuffer bytes = ByteBuffer.allocate(1024);

  KeySink() {}

  /** Writes a number. */
  public void number(long value) {
    room(Long.BYTES).putLong(value);
  }

  /** Writes a text, or null; every sequence of characters has bytes of its own. */
  public void text(@Nullable String text) {
    if (text == null) {
      number(-1);
      return;
    }
    int length = text.length();
    if (HeapWeight.isLatin1(text)) {
      number((long) length << 1);
      room(length).put(text.getBytes(StandardCharsets.ISO_8859_1));
    } else {
      number((long) length << 1 | 1);
      // Not by a charset: lone surrogates are characters like others.
      ByteBuffer room = room(2 * length);
      for (int i = 0; i < length; i++) {
        room.putChar(text.charAt(i));
      }
    }
  }

  /** Writes bytes. */
  public void bytes(byte[] value) {
    number(value.length);
    room(value.length).put(value);
  }

  private ByteBuffer room(int length) {
    if (bytes.remaining() < length) {
      int grown = Math.max(2 * bytes.capacity(), Math.addExact(bytes.position(), length));
      bytes = ByteBuffer.allocate(grown).put(bytes.flip());
    }
    return bytes;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
