package dev.larder.memcached.format;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * 128 random bits: the version of a table, or the mark of one write. Two of them meet by chance
 * with odds that nobody needs to think of, whichever JVMs made them. Immutable.
 */
public record Token(long high, long low) {
  /** The length of {@link #toString()}. */
  static final int TEXT_LENGTH = 32;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final HexFormat HEX = HexFormat.of();

  /** Returns a token that nobody has had before. Thread-safe. */
  public static Token random() {
    return new Token(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /** Returns the token written at {@code at}, or null if none is. */
  static @Nullable Token parse(String text, int at) {
    if (text.length() < at + TEXT_LENGTH) {
      return null;
    }
    for (int i = at; i < at + TEXT_LENGTH; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return null;
      }
    }
    return new Token(
        HexFormat.fromHexDigitsToLong(text, at, at + TEXT_LENGTH / 2),
        HexFormat.fromHexDigitsToLong(text, at + TEXT_LENGTH / 2, at + TEXT_LENGTH));
  }

  @Override
  public String toString() {
    return HEX.toHexDigits(high) + HEX.toHexDigits(low);
  }
}
