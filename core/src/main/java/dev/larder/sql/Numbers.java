package dev.larder.sql;

/** Numeric constants, as PostgreSQL 16 and later read them. */
final class Numbers {
  private Numbers() {}

  /** Returns where the number ends that starts at {@code start}: a digit, or a dot and a digit. */
  static int end(String sql, int start) {
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
