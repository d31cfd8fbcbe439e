package dev.larder.sql;

import java.util.Locale;
import java.util.Set;

/**
 * Names the objects of PostgreSQL in a question of Larder's own in full, so that nobody's search
 * path gives it a function, an operator, a type or a relation of somebody else's. Pure. A test has
 * the server say what each question of Larder's has found.
 */
public final class OwnSql {
  private static final String SCHEMA = "pg_catalog.";
  private static final String OPERATORS = "+-*/<>=~!@#%^&|";

  /** Words that may stand before a parenthesis and are no functions. */
  private static final Set<String> GRAMMAR =
      Set.of(
          ("all and any array as by case coalesce else exists filter from greatest join least"
                  + " limit materialized not on operator or over recursive select then union values"
                  + " when where with")
              .split(" "));

  /** Names of types that the grammar itself means PostgreSQL's types by. */
  private static final Set<String> TYPES_OF_GRAMMAR =
      Set.of("bigint", "boolean", "int", "integer", "numeric", "smallint");

  /** These look an operator up by its name, which cannot be said in full. */
  private static final Set<String> BY_NAME =
      Set.of("between", "ilike", "in", "like", "natural", "nullif", "similar", "using");

  private final String sql;
  private final StringBuilder pinned = new StringBuilder();
  private int at;

  /** The last word, in lower case, or the last character that is neither a blank nor in a word. */
  private String before = "";

  private OwnSql(String sql) {
    this.sql = sql;
  }

  /**
   * Returns {@code sql} with all names in full. Operators then bind equally tightly, from the left.
   *
   * @param sql in ASCII, without comments; relations have names that begin with {@code pg_}, a word
   *     between a name and the parenthesis of its columns
   * @throws IllegalArgumentException if it has something that cannot be said in full
   */
  public static String pinned(String sql) {
    OwnSql own = new OwnSql(sql);
    while (own.at < sql.length()) {
      own.next();
    }
    return own.pinned.toString();
  }

  private void next() {
    char c = sql.charAt(at);
    if (c == '\'' || c == '"') {
      int end = sql.indexOf(c, at + 1) + 1;
      copy(end, String.valueOf(c));
    } else if (isOfWord(c)) {
      word(end(at));
    } else if (OPERATORS.indexOf(c) >= 0) {
      operator();
    } else {
      boolean cast = sql.startsWith("::", at);
      copy(at + (cast ? 2 : 1), Character.isWhitespace(c) ? before : cast ? "::" : "" + c);
    }
  }

  private void copy(int end, String last) {
    pinned.append(sql, at, end);
    at = end;
    before = last;
  }

  private void word(int end) {
    String word = sql.substring(at, end).toLowerCase(Locale.ROOT);
    if (BY_NAME.contains(word)
        || (before.equals("case") && !word.equals("when"))
        || (before.equals("distinct") && word.equals("from"))) {
      throw new IllegalArgumentException("A question has " + word + " in: " + sql);
    }
    if (needsSchema(word, following(end))) {
      pinned.append(SCHEMA);
    }
    copy(end, word);
  }

  private boolean needsSchema(String word, char following) {
    if (before.equals(".") || following == '.' || Character.isDigit(word.charAt(0))) {
      return false;
    }
    if (before.equals("::")) {
      return !TYPES_OF_GRAMMAR.contains(word);
    }
    boolean columns = before.equals("as") || before.equals("recursive");
    return following == '(' ? !GRAMMAR.contains(word) && !columns : word.startsWith("pg_");
  }

  private void operator() {
    int end = at;
    while (end < sql.length() && OPERATORS.indexOf(sql.charAt(end)) >= 0) {
      end++;
    }
    String operator = sql.substring(at, end);
    boolean all = operator.equals("*") && Set.of("(", ".", ",", "select").contains(before);
    boolean sign =
        operator.equals("-")
            && Character.isDigit(following(end))
            && Set.of("(", ",", "operator", "then", "else").contains(before);
    if (all || sign || before.equals(".")) {
      copy(end, "operator");
    } else {
      pinned.append("OPERATOR(").append(SCHEMA).append(operator).append(')');
      at = end;
      before = "operator";
    }
  }

  private char following(int from) {
    int next = from;
    while (next < sql.length() && Character.isWhitespace(sql.charAt(next))) {
      next++;
    }
    return next < sql.length() ? sql.charAt(next) : ' ';
  }

  private int end(int from) {
    int end = from;
    while (end < sql.length() && isOfWord(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isOfWord(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }
}
