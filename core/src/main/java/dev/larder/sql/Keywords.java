package dev.larder.sql;

import java.util.Set;

/** PostgreSQL's keywords, as far as telling names from syntax needs them. */
final class Keywords {
  /** What no table, column, type or function can be called without quotes. */
  private static final Set<String> RESERVED =
      Set.of(
          ("all analyse analyze and any array as asc asymmetric both case cast check collate column"
                  + " constraint create current_catalog current_date current_role current_time"
                  + " current_timestamp current_user default deferrable desc distinct do else end"
                  + " except false fetch for foreign from grant group having in initially intersect"
                  + " into lateral leading limit localtime localtimestamp not null offset on only or"
                  + " order placing primary references returning select session_user some symmetric"
                  + " table then to trailing true union unique user using variadic when where window"
                  + " with")
              .split(" "));

  private Keywords() {}

  /** Returns whether the folded, unquoted {@code word} is reserved in every supported version. */
  static boolean isReserved(String word) {
    return RESERVED.contains(word);
  }

  /** Returns whether a statement that begins so has its literals taken out. */
  static boolean mayHoldLiterals(String sql, int start, int end) {
    return switch (end - start) {
      case 1 -> sql.charAt(start) == '(';
      case 4 -> is(sql, start, "with") || is(sql, start, "call");
      case 5 -> is(sql, start, "table") || is(sql, start, "merge");
      case 6 ->
          is(sql, start, "select")
              || is(sql, start, "insert")
              || is(sql, start, "update")
              || is(sql, start, "delete")
              || is(sql, start, "values");
      default -> false;
    };
  }

  private static boolean is(String sql, int start, String word) {
    return sql.regionMatches(true, start, word, 0, word.length());
  }
}
