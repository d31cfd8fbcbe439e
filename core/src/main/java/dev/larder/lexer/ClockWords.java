package dev.larder.lexer;

import dev.larder.lexer.Token.Kind;

/**
 * Texts that may read the clock. The input of PostgreSQL's date and time types does for now, today,
 * tomorrow and yesterday, in any case, as a whole run of letters ({@code 'today 12:00'}). That of
 * arrays, ranges and composites drops quotes and backslashes first ({@code '{n\ow}'}), so a text is
 * looked at with and without them. JSON_VALUE and its like take the offset of the present day for a
 * path with {@code .time()}, {@code .time_tz()}, {@code .timestamp_tz()} or {@code .datetime()}.
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
        if (isWord(text, run, i, to)) {
          return true;
        }
        escaped |= c == '\\' || c == '"';
        run = i + 1;
      }
    }
    return isWord(text, run, to, to) || (escaped && inUnescaped(text.substring(from, to)));
  }

  /** The same for a string constant as it is written, quotes and prefix included. */
  static boolean inConstant(String sql, int from, int to, Kind kind) {
    return switch (kind) {
      case UNICODE_STRING, OTHER -> true;
      case ESCAPE_STRING -> in(sql, from, to) || inEscaped(sql, from, to);
      case STRING -> in(sql, from, to) || isContinued(sql, from, to);
      case DOLLAR_STRING -> in(sql, from, to);
      default -> false;
    };
  }

  private static boolean isWord(String text, int from, int to, int end) {
    return switch (to - from) {
      case 2 -> text.regionMatches(true, from, "tz", 0, 2) && isMethod(text, from, to, end);
      case 3 -> text.regionMatches(true, from, "now", 0, 3);
      case 4 -> text.regionMatches(true, from, "time", 0, 4) && isMethod(text, from, to, end);
      case 5 -> text.regionMatches(true, from, "today", 0, 5);
      case 8 ->
          text.regionMatches(true, from, "tomorrow", 0, 8)
              || (text.regionMatches(true, from, "datetime", 0, 8)
                  && isMethod(text, from, to, end));
      case 9 -> text.regionMatches(true, from, "yesterday", 0, 9);
      default -> false;
    };
  }

  /** Whether what ends with a word may be called as a method: {@code . time_tz (}. */
  private static boolean isMethod(String text, int from, int to, int end) {
    int before = from - 1;
    while (before >= 0
        && (text.charAt(before) == '_' || Characters.isAsciiLetter(text.charAt(before)))) {
      before--;
    }
    while (before >= 0 && text.charAt(before) <= ' ') {
      before--;
    }
    int after = to;
    while (after < end && text.charAt(after) <= ' ') {
      after++;
    }
    // A comment may stand on either side.
    return before >= 0
        && after < end
        && (text.charAt(before) == '.' || text.charAt(before) == '/')
        && (text.charAt(after) == '(' || text.charAt(after) == '/');
  }

  /** A path may spell a method by the numbers of its letters. */
  private static boolean inUnescaped(String text) {
    boolean spelled = text.indexOf('(') > 0 && (text.contains("\\u") || text.contains("\\x"));
    String plain = text.replace("\\", "").replace("\"", "");
    return spelled || in(plain, 0, plain.length());
  }

  /** A constant that goes on behind a line break is taken to spell one of the words. */
  private static boolean isContinued(String sql, int from, int to) {
    int inner = sql.indexOf('\'', sql.indexOf('\'', from) + 1);
    while (inner >= 0 && inner < to - 1 && sql.charAt(inner + 1) == '\'') {
      inner = sql.indexOf('\'', inner + 2);
    }
    return inner >= 0 && inner < to - 1;
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
