package dev.larder.code;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import java.util.HashSet;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the SQL out of a body in PL/pgSQL: statements as they are, and all expressions as one
 * query. Refuses a body in which it does not know a statement: dynamic SQL, cursors, SET, CALL, the
 * end of a transaction, DDL. Linear in the length of the body; used by one thread, once.
 *
 * <p>The server compiles the whole body before it runs any of it, so the nesting of blocks need not
 * be checked here. As in the server, an expression ends at the first THEN, LOOP or semicolon
 * outside of brackets, and INTO names variables except behind INSERT and MERGE. A variable takes
 * the place of columns only, never of a table or function. What a trigger makes of its row stands
 * where a field of NEW is assigned, and where another row is returned.
 */
final class PlpgsqlReader {
  /** How a query or a change of rows begins. */
  private static final Set<String> SQL =
      Set.of("select", "with", "values", "insert", "update", "delete", "merge", "truncate");

  /** What stands behind the name of a variable where a statement begins with one. */
  private static final Set<String> BEHIND_VARIABLES = Set.of(".", ":=", "=", "[");

  /** The variables that are rows of a trigger. */
  private static final Set<String> ROWS = Set.of("new", "old");

  /** What a trigger returns to leave NEW as it is, to keep the old row, or to do nothing. */
  private static final Set<String> RETURNED =
      Set.of("new", "old", "null", "coalesce ( new , old )");

  /** Levels of RAISE that let the body go on. */
  private static final Set<String> MESSAGES = Set.of("debug", "log", "info", "notice", "warning");

  private final Tokens tokens;
  private final StringJoiner expressions = new StringJoiner(" , ", "SELECT ", "").setEmptyValue("");
  private final BodySql sql;
  private final Set<String> assigned = new HashSet<>();

  /** Whether NEW may become another row as a whole. */
  private boolean replacesRow;

  private int at;

  PlpgsqlReader(Tokens tokens, BodySql sql) {
    this.tokens = tokens;
    this.sql = sql;
  }

  /** Returns the fields of NEW that the body assigns, or null where it may be any. */
  @Nullable Set<String> assigned() {
    return replacesRow ? null : assigned;
  }

  /** Adds the SQL of the body; returns false if a part is not understood. */
  boolean all() {
    while (at < tokens.size()) {
      if (!statement()) {
        return false;
      }
    }
    String query = expressions.toString();
    return query.isEmpty() || sql.add(query);
  }

  private boolean statement() {
    Token first = tokens.get(at);
    if (first.isSymbol("<<")) {
      at += 3;
      return tokens.isSymbol(at - 1, ">>");
    }
    // Most keywords can be names of variables, and of the function, which may stand before NEW.
    boolean assigned = BEHIND_VARIABLES.stream().anyMatch(each -> tokens.isSymbol(at + 1, each));
    String word = first.kind() == Kind.WORD && !assigned ? first.name() : "";
    return switch (word) {
      case "begin", "loop", "else" -> take(1);
      case "exception" -> untold() && take(1);
      case "declare" -> take(1) && declarations();
      case "if", "elsif", "elseif", "when" -> expression(at + 1, "then");
      case "while" -> expression(at + 1, "loop");
      case "case" -> expression(at + 1, "when") && take(-1);
      case "for", "foreach" -> loop();
      case "get" -> diagnostics(end(at, ";"));
      case "assert" -> untold() && expression(at + 1, ";");
      case "raise" ->
          (!MESSAGES.contains(Tokens.fold(tokens.get(at + 1).text())) || untold())
              && expression(at + 1, ";");
      case "perform" -> performed(end(at, ";"));
      case "null", "end", "exit", "continue" -> expression(at + 1, ";");
      case "return" -> returned();
      default -> SQL.contains(word) ? query(at, end(at, ";")) : assignment();
    };
  }

  private boolean diagnostics(int end) {
    replacesRow |= namesRow(at, end);
    return untold() && expression(at + 1, end);
  }

  private boolean performed(int end) {
    int from = at + 1;
    at = end + 1;
    return end > from && sql.add("SELECT " + sql.text(from, end));
  }

  /** Notes that a result may depend on more than what is read; returns true. */
  private boolean untold() {
    sql.untold();
    return true;
  }

  private boolean take(int count) {
    at += count;
    return true;
  }

  /** Returns the next place of {@code end} outside of brackets; -1 if there is none. */
  private int end(int from, String end) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      depth += token.depth();
      boolean ends = token.is(end) || token.isSymbol(end);
      if (depth == 0 && ends) {
        return i;
      }
      if (depth < 0 || token.isSymbol(";")) {
        break;
      }
    }
    // The last END of a body needs no semicolon.
    return end.equals(";") && depth == 0 && tokens.is(at, "end") ? tokens.size() : -1;
  }

  private boolean expression(int from, String end) {
    return expression(from, end(from, end));
  }

  /** Takes what is before {@code end} as values, and {@code end} itself. */
  private boolean expression(int from, int end) {
    if (end < 0) {
      return false;
    }
    if (end > from) {
      expressions.add(sql.text(from, end));
    }
    if (mayHideTables(from, end)) {
      sql.untold();
    }
    at = end + 1;
    return true;
  }

  /**
   * Whether its names may stand for tables of the other expressions, with which it is one query.
   */
  private boolean mayHideTables(int from, int end) {
    int depth = 0;
    for (int i = from; i < end; i++) {
      depth += tokens.get(i).depth();
      boolean reads = tokens.is(i, "from") && depth == 0 && !tokens.is(i - 1, "distinct");
      if (reads || tokens.is(i, "with")) {
        return true;
      }
    }
    return false;
  }

  /** Takes the type and the default of each variable as a value. */
  private boolean declarations() {
    while (!tokens.is(at, "begin")) {
      int end = end(at, ";");
      boolean known = tokens.get(at).kind().isName() && end > at;
      for (int i = at + 1; known && i < end; i++) {
        known = !tokens.is(i, "cursor") && !tokens.is(i, "alias");
      }
      replacesRow |= isRow(at); // Returned, it is another than the trigger's.
      if (!known) {
        return false;
      }
      if (!tokens.is(at + 1, "record") || end > at + 2) {
        expressions.add("NULL :: " + sql.text(at + 1, end)); // What follows is a type, no column.
      }
      if (!PlainTypes.isOne(tokens, at + 1, end)) {
        sql.untold();
      }
      at = end + 1;
    }
    return true;
  }

  private boolean assignment() {
    int i = at;
    if (!tokens.get(i).kind().isName()) {
      return false;
    }
    assign(i);
    i = tokens.afterName(i);
    int value = i;
    while (tokens.isSymbol(i, "[") || tokens.isSymbol(i, ".")) {
      i = tokens.isSymbol(i, ".") ? tokens.afterName(i + 1) : tokens.afterClosing(i);
    }
    boolean assigns = tokens.isSymbol(i, ":=") || tokens.isSymbol(i, "=");
    return assigns && expression(i == value ? i + 1 : value, ";");
  }

  /** Whether NEW or OLD stands there. */
  private boolean isRow(int index) {
    Token token = tokens.get(index);
    return token.kind().isName() && ROWS.contains(token.name());
  }

  private boolean namesRow(int from, int end) {
    return IntStream.range(from, Math.max(from, end)).anyMatch(this::isRow);
  }

  /** Notes the variable that starts at {@code index} as assigned; a label may stand before NEW. */
  private void assign(int index) {
    if (tokens.afterName(index) > index + 1) {
      sql.untold(); // A field of any type.
    }
    int row = isRow(index) ? index : index + 2;
    if (row < tokens.afterName(index) && isRow(row)) {
      boolean field = tokens.isSymbol(row + 1, ".") && tokens.get(row + 2).kind().isName();
      replacesRow |= !field || tokens.get(row).name().equals("old");
      assigned.add(tokens.get(row + 2).name());
    }
  }

  private boolean returned() {
    boolean asItIs =
        RETURNED.contains(Tokens.fold(sql.text(at + 1, Math.max(at + 1, end(at, ";")))));
    replacesRow |= !asItIs;
    return tokens.is(at + 1, "query") ? query(at + 2, end(at, ";")) : expression(at + 1, ";");
  }

  /** Reads the head of FOR and FOREACH: over numbers, an array or a query, but no cursor. */
  private boolean loop() {
    int in = end(at, "in");
    int end = end(at, "loop");
    if (in < 0 || end < in) {
      return false;
    }
    replacesRow |= namesRow(at, in);
    for (int i = at + 1; i < in; i++) {
      if (tokens.isSymbol(i, ".")) {
        sql.untold();
      }
    }
    int range = end(in, "..");
    boolean values = tokens.is(at, "foreach") || (range > in && range < end);
    if (values) {
      return !tokens.is(in + 1, "execute") && expression(in + 1, end);
    }
    return query(in + 1, end);
  }

  private boolean query(int from, int end) {
    Token first = tokens.get(from);
    boolean begins = first.isSymbol("(") || SQL.stream().anyMatch(first::is);
    if (!begins || end < 0) {
      return false;
    }
    int into = from;
    while (into < end && !isInto(into)) {
      into++;
    }
    String text = sql.text(from, into);
    if (into < end) {
      text += ' ' + sql.text(afterTargets(into), end);
    }
    at = end + 1;
    return sql.add(text);
  }

  private boolean isInto(int index) {
    return tokens.is(index, "into")
        && !tokens.is(index - 1, "insert")
        && !tokens.is(index - 1, "merge");
  }

  /** Returns the index behind the variables that an INTO names. */
  private int afterTargets(int into) {
    int i = tokens.is(into + 1, "strict") ? into + 2 : into + 1;
    assign(i);
    i = tokens.afterName(i);
    while (tokens.isSymbol(i, ",")) {
      assign(i + 1);
      i = tokens.afterName(i + 1);
    }
    return i;
  }
}
