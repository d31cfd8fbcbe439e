package dev.larder.lexer;

/** The character classes of PostgreSQL's scanner, and where a line, comment or number ends. */
final class Characters {
  private static final int SPACE = 1;
  private static final int NAME_START = 2;
  private static final int DIGIT = 4;
  private static final int OPERATOR = 8;
  private static final int SPECIAL_OPERATOR = 16;
  private static final int NAME_PART = 32;
  private static final byte[] CLASSES = classes();

  private Characters() {}

  private static byte[] classes() {
    byte[] classes = new byte[128];
    add(classes, " \t\n\r\f", SPACE);
    add(classes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", NAME_START);
    add(classes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", NAME_PART);
    add(classes, "0123456789", DIGIT);
    add(classes, "0123456789$", NAME_PART);
    add(classes, "~!@#^&|`?+-*/%<>=", OPERATOR);
    add(classes, "~!@#^&|`?%", SPECIAL_OPERATOR);
    return classes;
  }

  private static void add(byte[] classes, String characters, int type) {
    for (int i = 0; i < characters.length(); i++) {
      classes[characters.charAt(i)] |= (byte) type;
    }
  }

  private static boolean is(char c, int type) {
    return c < 128 && (CLASSES[c] & type) != 0;
  }

  /** The white space that every server version takes; from 16 on \v is one too. */
  static boolean isSpace(char c) {
    return is(c, SPACE);
  }

  static boolean isDigit(char c) {
    return is(c, DIGIT);
  }

  static boolean isNameStart(char c) {
    return c >= 128 || is(c, NAME_START);
  }

  static boolean isNamePart(char c) {
    return c >= 128 || (CLASSES[c] & NAME_PART) != 0;
  }

  static boolean isOperator(char c) {
    return is(c, OPERATOR);
  }

  /** Characters that let an operator end in + or -. */
  static boolean isSpecialOperator(char c) {
    return is(c, SPECIAL_OPERATOR);
  }

  static boolean isAsciiLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** Returns where the line that holds {@code from} ends: at its line break, or at the end. */
  static int endOfLine(String sql, int from) {
    int i = from;
    while (i < sql.length() && sql.charAt(i) != '\n' && sql.charAt(i) != '\r') {
      i++;
    }
    return i;
  }

  /** Returns the index behind the nested comment that starts at {@code from}, or -1. */
  static int endOfBlockComment(String sql, int from) {
    int depth = 1;
    int i = from + 2;
    while (i + 1 < sql.length()) {
      char c = sql.charAt(i);
      if (c == '*' && sql.charAt(i + 1) == '/') {
        i += 2;
        if (--depth == 0) {
          return i;
        }
      } else if (c == '/' && sql.charAt(i + 1) == '*') {
        depth++;
        i += 2;
      } else {
        i++;
      }
    }
    return -1;
  }

  /**
   * Returns the index of the quote that continues the string constant which closed just before
   * {@code from}, or -1: white space with a newline lies in between, and line comments may.
   */
  static int continuation(String sql, int from) {
    boolean newline = false;
    int i = from;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (c == '\'') {
        return newline ? i : -1;
      } else if (c == '\n' || c == '\r') {
        newline = true;
        i++;
      } else if (isSpace(c) || c == '\u000b') {
        i++;
      } else if (c == '-' && i + 1 < sql.length() && sql.charAt(i + 1) == '-') {
        i = endOfLine(sql, i);
      } else {
        return -1;
      }
    }
    return -1;
  }

  /**
   * Returns where the number ends that starts at {@code start} with a digit, or a dot and a digit,
   * as PostgreSQL 16 and later read it.
   */
  static int endOfNumber(String sql, int start) {
    if (sql.charAt(start) == '0' && start + 1 < sql.length()) {
      int radix = radix(sql.charAt(start + 1));
      int end = radix == 0 ? start : digits(sql, start + 2, radix, true);
      if (radix != 0 && end > start + 2) {
        return end;
      }
    }
    int i = digits(sql, start, 10, false);
    if (i < sql.length() && sql.charAt(i) == '.' && !isRange(sql, i)) {
      i = digits(sql, i + 1, 10, false);
    }
    return exponent(sql, i);
  }

  private static boolean isRange(String sql, int dot) {
    return dot + 1 < sql.length() && sql.charAt(dot + 1) == '.';
  }

  private static int exponent(String sql, int from) {
    if (from >= sql.length() || (sql.charAt(from) | 32) != 'e') {
      return from;
    }
    int i = from + 1;
    if (i < sql.length() && (sql.charAt(i) == '+' || sql.charAt(i) == '-')) {
      i++;
    }
    int end = digits(sql, i, 10, false);
    return end > i ? end : from;
  }

  /** Skips digits with single underscores between them. */
  private static int digits(String sql, int from, int radix, boolean leadingUnderscore) {
    int i = from;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (isDigit(c, radix)) {
        i++;
      } else if (c == '_'
          && (i > from || leadingUnderscore)
          && i + 1 < sql.length()
          && isDigit(sql.charAt(i + 1), radix)) {
        i += 2;
      } else {
        return i;
      }
    }
    return i;
  }

  private static boolean isDigit(char c, int radix) {
    return c < 128 && Character.digit(c, radix) >= 0;
  }

  private static int radix(char marker) {
    return switch (marker) {
      case 'x', 'X' -> 16;
      case 'o', 'O' -> 8;
      case 'b', 'B' -> 2;
      default -> 0;
    };
  }
}
