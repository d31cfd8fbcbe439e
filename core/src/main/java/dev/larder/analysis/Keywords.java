package dev.larder.analysis;

import dev.larder.lexer.Token;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The operators and routines that keywords of the grammar stand for. */
public final class Keywords {
  /** What no name can be without quotes, beside what is reserved. */
  private static final Set<String> NO_NAMES =
      Set.of(
          ("authorization binary collation concurrently cross current_schema freeze full ilike"
                  + " inner is isnull join left like natural notnull outer overlaps right similar"
                  + " system_user tablesample verbose")
              .split(" "));

  /** Functions that are called without brackets, in FROM too. Others of these read the clock. */
  static final Set<String> VALUE_FUNCTIONS =
      Set.of(
          "current_catalog current_role current_schema current_user session_user system_user user"
              .split(" "));

  private static final Set<String> CLOCK_FUNCTIONS =
      Set.of("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp");

  private static final Set<String> EQUAL = Set.of("=");
  private static final Set<String> EQUAL_OR_NOT = Set.of("=", "<>");
  private static final Set<String> ORDER = Set.of("<", ">");

  private static final Map<String, Set<String>> OPERATORS =
      Map.ofEntries(
          Map.entry("like", Set.of("~~", "!~~")),
          Map.entry("ilike", Set.of("~~*", "!~~*")),
          Map.entry("similar", Set.of("~", "!~")),
          Map.entry("between", Set.of(">=", "<=", "<", ">")),
          Map.entry("in", EQUAL_OR_NOT),
          Map.entry("any", EQUAL_OR_NOT),
          Map.entry("some", EQUAL_OR_NOT),
          Map.entry("all", EQUAL_OR_NOT),
          Map.entry("using", EQUAL_OR_NOT),
          Map.entry("distinct", EQUAL),
          Map.entry("nullif", EQUAL),
          Map.entry("case", EQUAL),
          Map.entry("natural", EQUAL),
          Map.entry("union", EQUAL),
          Map.entry("intersect", EQUAL),
          Map.entry("except", EQUAL),
          Map.entry("greatest", ORDER),
          Map.entry("least", ORDER));

  private static final Map<String, Set<String>> ROUTINES =
      Map.of(
          "overlaps", Set.of("overlaps"),
          "at", Set.of("timezone"),
          "extract", Set.of("date_part"),
          "collation", Set.of("pg_collation_for"),
          "trim", Set.of("btrim", "ltrim", "rtrim"));

  /** All keywords that stand for an operator or a routine of another name. */
  public static final Set<String> ALL = all();

  private Keywords() {}

  private static Set<String> all() {
    Set<String> all = new HashSet<>(OPERATORS.keySet());
    all.addAll(ROUTINES.keySet());
    return Set.copyOf(all);
  }

  /** Returns the symbols of the operators that {@code keyword} stands for. */
  public static Set<String> operators(String keyword) {
    return OPERATORS.getOrDefault(keyword, Set.of());
  }

  /** Returns the names of the routines that {@code keyword} may stand for, where it is itself. */
  public static Set<String> routines(String keyword) {
    return VALUE_FUNCTIONS.contains(keyword) || CLOCK_FUNCTIONS.contains(keyword)
        ? Set.of(keyword)
        : ROUTINES.getOrDefault(keyword, Set.of());
  }

  /** Returns whether the server refuses the word as a part of a setting's name. */
  static boolean areRefused(Token token) {
    return token.isReserved()
        || (token.kind() == Token.Kind.WORD && NO_NAMES.contains(token.name()));
  }
}
