package dev.larder.lexer;

/**
 * Counts the parameters of a prepared statement exactly as the driver does (its {@code
 * Parser.parseJdbcSql}), also where the driver and the server read a text differently: a comment's
 * start that is followed by a slash is a whole comment to the driver, but not to the server.
 */
final class ParameterCounter {
  private final String sql;
  private final boolean standardConformingStrings;

  private ParameterCounter(String sql, boolean standardConformingStrings) {
    this.sql = sql;
    this.standardConformingStrings = standardConformingStrings;
  }

  /** Returns how many {@code ?} of {@code sql} the driver takes as parameters. */
  static int count(String sql, boolean standardConformingStrings) {
    if (sql.indexOf('?') < 0) {
      return 0;
    }
    return new ParameterCounter(sql, standardConformingStrings).count();
  }

  private int count() {
    int count = 0;
    for (int i = 0; i < sql.length(); i++) {
      switch (sql.charAt(i)) {
        case '\'' -> i = endOfString(i);
        case '"' -> i = indexOf('"', i + 1);
        case '-' -> i = endOfLineComment(i);
        case '/' -> i = endOfBlockComment(i);
        case '$' -> i = endOfDollarQuote(i);
        case '?' -> {
          if (at(i + 1) == '?') {
            i++;
          } else {
            count++;
          }
        }
        default -> {}
      }
    }
    return count;
  }

  private int indexOf(char c, int from) {
    int index = sql.indexOf(c, from);
    return index < 0 ? sql.length() : index;
  }

  private int endOfString(int open) {
    boolean escapes =
        !standardConformingStrings
            || (open >= 2
                && (sql.charAt(open - 1) | 32) == 'e'
                && endsIdentifier(sql.charAt(open - 2)));
    if (!escapes) {
      return indexOf('\'', open + 1);
    }
    for (int i = open + 1; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '\'') {
        return i;
      }
    }
    return sql.length();
  }

  private static boolean endsIdentifier(char c) {
    return " \t\n\r\f\",()[].;:+-*/%^<>=~!@#&|`?".indexOf(c) >= 0;
  }

  private int endOfLineComment(int dash) {
    if (at(dash + 1) != '-') {
      return dash;
    }
    return Math.min(Characters.endOfLine(sql, dash), sql.length() - 1);
  }

  private int endOfBlockComment(int slash) {
    if (at(slash + 1) != '*') {
      return slash;
    }
    int level = 1;
    for (int i = slash + 2; i < sql.length(); i++) {
      char before = sql.charAt(i - 1);
      char c = sql.charAt(i);
      if (before == '*' && c == '/') {
        level--;
        i++;
      } else if (before == '/' && c == '*') {
        level++;
        i++;
      }
      if (level == 0) {
        return i - 1;
      }
    }
    return sql.length();
  }

  private int endOfDollarQuote(int dollar) {
    if (dollar + 1 >= sql.length()
        || (dollar > 0 && Character.isJavaIdentifierPart(sql.charAt(dollar - 1)))) {
      return dollar;
    }
    int i = dollar + 1;
    if (sql.charAt(i) != '$') {
      if (!Character.isJavaIdentifierStart(sql.charAt(i))) {
        return dollar;
      }
      do {
        i++;
      } while (i < sql.length()
          && sql.charAt(i) != '$'
          && Character.isJavaIdentifierPart(sql.charAt(i)));
      if (at(i) != '$') {
        return dollar;
      }
    }
    String tag = sql.substring(dollar, i + 1);
    int close = sql.indexOf(tag, i + 1);
    return close < 0 ? sql.length() : close + tag.length() - 1;
  }

  private char at(int index) {
    return index < sql.length() ? sql.charAt(index) : '\0';
  }
}
