package dev.larder.sql;

import java.util.Locale;
import java.util.Set;

/** The types whose input looks names up in the catalog: regclass, regproc and their kin. */
final class RegTypes {
  private static final Set<String> NAMES =
      Set.of(
          "regclass",
          "regcollation",
          "regconfig",
          "regdatabase",
          "regdictionary",
          "regnamespace",
          "regoper",
          "regoperator",
          "regproc",
          "regprocedure",
          "regrole",
          "regtype");

  private RegTypes() {}

  /** Returns whether the name that stands in {@code sql} there, quoted or not, is one of them. */
  static boolean isName(String sql, int start, int end) {
    int from = sql.charAt(start) == '"' ? start + 1 : start;
    int to = sql.charAt(end - 1) == '"' ? end - 1 : end;
    return to - from >= 7
        && sql.regionMatches(true, from, "reg", 0, 3)
        && isName(sql.substring(from, to).toLowerCase(Locale.ROOT));
  }

  /** Returns whether the folded {@code name} is one of them, or an array of one. */
  static boolean isName(String name) {
    return NAMES.contains(name.startsWith("_") ? name.substring(1) : name);
  }
}
