package dev.larder.code;

import dev.larder.lexer.Token;
import dev.larder.lexer.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The pieces of SQL in a body in PL/pgSQL: queries and changes of rows as they are, constants to be
 * executed as what they say, and all expressions as one query. Each method takes the tokens from
 * one index up to another, which is negative where there is none, and returns false if they are not
 * understood. Used by one thread.
 *
 * <p>As in the server, INTO names variables except behind INSERT and MERGE. A variable takes the
 * place of columns only, never of a table or function.
 */
final class BodyPieces {
  /** How a query or a change of rows begins. */
  static final Set<String> SQL =
      Set.of("select", "with", "values", "insert", "update", "delete", "merge", "truncate");

  private static final Set<String> CHANGES =
      Set.of("cursor", "insert", "update", "delete", "merge");

  private final Tokens tokens;
  private final StringJoiner expressions = new StringJoiner(" , ", "SELECT ", "").setEmptyValue("");
  private final BodySql sql;
  private final Assignments assignments;
  private final BodyConstants constants;
  private final List<int[]> executed = new ArrayList<>();

  BodyPieces(Tokens tokens, BodySql sql, Assignments assignments, BodyConstants constants) {
    this.tokens = tokens;
    this.sql = sql;
    this.assignments = assignments;
    this.constants = constants;
  }

  /** Returns the next place of {@code end} outside of brackets; -1 if there is none. */
  int end(int from, String end) {
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
    return -1;
  }

  /** Whether all brackets from there to the end of the body are closed, and no statement ends. */
  boolean isLast(int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      depth += tokens.get(i).depth();
      if (depth < 0 || tokens.isSymbol(i, ";")) {
        return false;
      }
    }
    return depth == 0;
  }

  /** Notes that a result may depend on more than what is read; returns true. */
  boolean untold() {
    sql.untold();
    return true;
  }

  /** Takes values, if there are any. */
  boolean values(int from, int end) {
    if (end > from) {
      expressions.add(sql.text(from, end));
    }
    if (mayHideTables(from, end)) {
      sql.untold();
    }
    return end >= 0;
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

  /** Takes a type, and the default behind it, as a value. */
  boolean type(int from, int end) {
    for (int i = from; i < end; i++) {
      if (CHANGES.contains(tokens.get(i).name())) {
        return false; // No type, and no value.
      }
    }
    if (end > from) {
      expressions.add("NULL :: " + sql.text(from, end)); // What follows is a type, no column.
    }
    if (mayHideTables(from, end)) {
      sql.untold();
    }
    return end > from;
  }

  /** Takes what is behind PERFORM or CALL. */
  boolean called(int from, int end) {
    return end > from && sql.add("SELECT " + sql.text(from, end));
  }

  /** Whether a query or a change of rows begins there. */
  boolean isQuery(int index) {
    return tokens.isSymbol(index, "(") || SQL.stream().anyMatch(tokens.get(index)::is);
  }

  /** Takes a query or a change of rows; behind EXECUTE, one that is a constant. */
  boolean query(int from, int end) {
    if (tokens.is(from, "execute")) {
      return executed(from + 1, end);
    }
    if (!isQuery(from) || end < 0) {
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
    return sql.add(text);
  }

  private boolean isInto(int index) {
    return tokens.is(index, "into") && !(writes(index - 1) && !tokens.isSymbol(index - 2, "."));
  }

  private boolean writes(int index) {
    return tokens.is(index, "insert") || tokens.is(index, "merge");
  }

  private boolean executed(int from, int end) {
    int i = from;
    for (int depth = 0; i < end && !(depth == 0 && isBehindExecuted(i)); i++) {
      depth += tokens.get(i).depth();
    }
    executed.add(new int[] {from, i});
    values(from, i);
    i = tokens.is(i, "into") ? afterTargets(i) : i;
    if (tokens.is(i, "using") && i < end) {
      int into = end(i, "into");
      int values = into < 0 ? end : Math.min(into, end);
      values(i + 1, values);
      i = values < end ? afterTargets(values) : end;
    }
    return i == end && untold();
  }

  private boolean isBehindExecuted(int index) {
    return tokens.is(index, "into") || tokens.is(index, "using");
  }

  /** Returns the index behind the variables that an INTO names. */
  int afterTargets(int into) {
    int i = tokens.is(into + 1, "strict") ? into + 2 : into + 1;
    assign(i);
    i = tokens.afterName(i);
    while (tokens.isSymbol(i, ",")) {
      assign(i + 1);
      i = tokens.afterName(i + 1);
    }
    return i;
  }

  /** Notes the variable that starts at {@code index} as assigned. */
  void assign(int index) {
    if (tokens.afterName(index) > index + 1) {
      sql.untold(); // A field of any type.
    }
    assignments.assign(index);
  }

  /** Adds what is executed and the expressions, when all have been taken. */
  boolean complete() {
    for (int[] text : executed) {
      String constant = constants.executed(text[0], text[1]);
      if (constant == null || !sql.addConstant(constant)) {
        return false;
      }
    }
    String query = expressions.toString();
    return query.isEmpty() || sql.add(query);
  }
}
