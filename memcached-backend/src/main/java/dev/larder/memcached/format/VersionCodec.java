package dev.larder.memcached.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link VersionValue}: ASCII, so that an operator can read it with telnet.
 * Stateless.
 *
 * <pre>1 R|W token(32) serverGeneration(16) { ; writer(32) }</pre>
 *
 * A writer announces itself by appending bytes, whatever is there; so the rest must be last, and a
 * later format must keep {@code ;writer} at its end. The first character is the format: a value of
 * another one does not decode, and nobody reads by it or changes it.
 */
public final class VersionCodec {
  private static final char FORMAT = '1';
  private static final char READY = 'R';
  private static final char RAW = 'W';
  private static final char SEPARATOR = ';';
  private static final int SERVER_GENERATION_AT = 2 + Token.TEXT_LENGTH;
  private static final int WRITERS_AT = SERVER_GENERATION_AT + 16;
  private static final int WRITER_LENGTH = 1 + Token.TEXT_LENGTH;

  private VersionCodec() {}

  /** Returns the bytes of {@code value}. */
  public static byte[] encode(VersionValue value) {
    StringBuilder text = new StringBuilder(WRITERS_AT + value.writers().size() * WRITER_LENGTH);
    text.append(FORMAT).append(value.ready() ? READY : RAW).append(value.token());
    text.append(HexFormat.of().toHexDigits(value.serverGeneration()));
    for (Token writer : value.writers()) {
      text.append(SEPARATOR).append(writer);
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns what a writer appends to announce itself. */
  public static byte[] encodeWriter(Token writer) {
    return (SEPARATOR + writer.toString()).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the value of {@code bytes}, or null if they are not exactly one. */
  public static @Nullable VersionValue decode(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Token token = Token.parse(text, 2);
    if (token == null || !isHead(text) || (text.length() - WRITERS_AT) % WRITER_LENGTH != 0) {
      return null;
    }
    List<Token> writers = new ArrayList<>();
    for (int at = WRITERS_AT; at < text.length(); at += WRITER_LENGTH) {
      Token writer = Token.parse(text, at + 1);
      if (writer == null || text.charAt(at) != SEPARATOR) {
        return null;
      }
      writers.add(writer);
    }
    long serverGeneration = HexFormat.fromHexDigitsToLong(text, SERVER_GENERATION_AT, WRITERS_AT);
    return new VersionValue(text.charAt(1) == READY, token, serverGeneration, writers);
  }

  private static boolean isHead(String text) {
    return text.length() >= WRITERS_AT
        && text.charAt(0) == FORMAT
        && (text.charAt(1) == READY || text.charAt(1) == RAW)
        && isHex(text, SERVER_GENERATION_AT, WRITERS_AT);
  }

  private static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
