package dev.larder.sql;

/** The character classes of PostgreSQL's scanner, and what ends a line, a comment, a string. */
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
    mark(classes, " \t\n\r\f", SPACE);
    mark(classes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", NAME_START);
    mark(classes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", NAME_PART);
    mark(classes, "0123456789", DIGIT);
    mark(classes, "0123456789$", NAME_PART);
    mark(classes, "~!@#^&|`?+-*/%<>=", OPERATOR);
    mark(classes, "~!@#^&|`?%", SPECIAL_OPERATOR);
    return classes;
  }

  private static void mark(byte[] classes, String characters, int mark) {
    for (int i = 0; i < characters.length(); i++) {
      classes[characters.charAt(i)] |= (byte) mark;
    }
  }

  private static boolean is(char c, int mark) {
    return c < 128 && (CLASSES[c] & mark) != 0;
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
}
