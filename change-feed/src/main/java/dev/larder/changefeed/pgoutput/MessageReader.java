package dev.larder.changefeed.pgoutput;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Reads the parts of one message, in order. Not thread-safe. */
final class MessageReader {
  private final ByteBuffer bytes;

  MessageReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  byte next() {
    try {
      return bytes.get();
    } catch (BufferUnderflowException e) {
      throw tooShort();
    }
  }

  int count() {
    try {
      return Short.toUnsignedInt(bytes.getShort());
    } catch (BufferUnderflowException e) {
      throw tooShort();
    }
  }

  int number() {
    try {
      return bytes.getInt();
    } catch (BufferUnderflowException e) {
      throw tooShort();
    }
  }

  long wide() {
    try {
      return bytes.getLong();
    } catch (BufferUnderflowException e) {
      throw tooShort();
    }
  }

  /** Returns an object identifier. */
  long oid() {
    return Integer.toUnsignedLong(number());
  }

  /** Returns a text that ends with a zero. */
  String text() {
    int begin = bytes.position();
    int length = 0;
    while (next() != 0) {
      length++;
    }
    return string(begin, length);
  }

  /** Skips as many bytes as a number says that comes first, and returns where they begin. */
  int skipCounted() {
    int length = number();
    if (length < 0 || length > bytes.remaining()) {
      throw new MalformedMessage("a part of " + length + " bytes is longer than its message");
    }
    int begin = bytes.position();
    bytes.position(begin + length);
    return begin;
  }

  int position() {
    return bytes.position();
  }

  /** Returns what was skipped before. */
  String string(int begin, int length) {
    byte[] copy = new byte[length];
    bytes.get(begin, copy);
    return new String(copy, UTF_8);
  }

  /** Says that the message should be over. */
  void end() {
    if (bytes.hasRemaining()) {
      throw new MalformedMessage(bytes.remaining() + " bytes are left of a message");
    }
  }

  private static MalformedMessage tooShort() {
    return new MalformedMessage("a message is shorter than it should be");
  }
}
