package dev.larder.sql;

/**
 * The words by which the input of PostgreSQL's date and time types reads the clock: now, today,
 * tomorrow and yesterday, in any case, as a whole run of letters ({@code 'today 12:00'}). The input
 * of arrays, ranges and composites drops quotes and backslashes first ({@code '{n\ow}'}), so a text
 * is looked at with and without them.
 *
 * @see <a href="https://www.postgresql.org/docs/current/datatype-datetime.html">Special values</a>
 */
final class ClockWords {
  private ClockWords() {}

  /** Returns whether {@code text} from {@code from} to before {@code to} may hold such a word. */
  static boolean in(String text, int from, int to) {
    boolean escaped = false;
    int run = from;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (!Characters.isAsciiLetter(c)) {
        if (isWord(text, run, i)) {
          return true;
        }
        escaped |= c == '\\' || c == '"';
        run = i + 1;
      }
    }
    return isWord(text, run, to) || (escaped && inUnescaped(text, from, to));
  }

  /** The same for a string constant as it is written, quotes and prefix included. */
  static boolean inConstant(String sql, int from, int to, TokenKind kind) {
    return switch (kind) {
      case UNICODE_STRING, OTHER -> true;
      case ESCAPE_STRING -> in(sql, from, to) || inEscaped(sql, from, to);
      case STRING -> in(sql, from, to) || (hasNewline(sql, from, to) && inContinued(sql, from, to));
      case DOLLAR_STRING -> in(sql, from, to);
      default -> false;
    };
  }

  private static boolean isWord(String text, int from, int to) {
    return switch (to - from) {
      case 3 -> text.regionMatches(true, from, "now", 0, 3);
      case 5 -> text.regionMatches(true, from, "today", 0, 5);
      case 8 -> text.regionMatches(true, from, "tomorrow", 0, 8);
      case 9 -> text.regionMatches(true, from, "yesterday", 0, 9);
      default -> false;
    };
  }

  private static boolean inUnescaped(String text, int from, int to) {
    StringBuilder plain = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c != '\\' && c != '"') {
        plain.append(c);
      }
    }
    String stripped = plain.toString();
    return in(stripped, 0, stripped.length());
  }

  private static boolean hasNewline(String sql, int from, int to) {
    for (int i = from; i < to; i++) {
      if (sql.charAt(i) == '\n' || sql.charAt(i) == '\r') {
        return true;
      }
    }
    return false;
  }

  /**
   * Joins the parts of a constant written over several lines: 'to' newline 'day'. Comments between
   * them may hold quotes.
   */
  private static boolean inContinued(String sql, int from, int to) {
    StringBuilder joined = new StringBuilder(to - from);
    boolean inside = false;
    for (int i = from; i < to; i++) {
      char c = sql.charAt(i);
      if (c == '\'') {
        inside = !inside;
      } else if (inside) {
        joined.append(c);
      } else if (c == '-') {
        i = Characters.endOfLine(sql, i);
      }
    }
    String text = joined.toString();
    return in(text, 0, text.length());
  }

  /** An escape that may stand for a letter is taken to spell one of the words. */
  private static boolean inEscaped(String sql, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = sql.charAt(i);
      if (c == '\n' || c == '\r') {
        return true;
      }
      if (c == '\\' && i + 1 < to) {
        i++;
        if ("bfnrt\\'\"".indexOf(sql.charAt(i)) < 0) {
          return true;
        }
      }
    }
    return false;
  }
}
