package dev.larder.code;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
  /** A body with more is refused, so that the facts of many bodies fit into memory. */
  private static final int MOST_STATEMENTS = 200;

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

  private static final Set<StatementKind> UNDERSTOOD =
      Set.of(StatementKind.QUERY, StatementKind.DML, StatementKind.TRUNCATE);

  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  private final Tokens tokens;
  private final StringJoiner expressions = new StringJoiner(" , ", "SELECT ", "").setEmptyValue("");
  private final List<StatementFacts> found = new ArrayList<>();
  private final Set<String> assigned = new HashSet<>();

  /** Whether NEW may become another row as a whole. */
  private boolean replacesRow;

  private int at;

  private PlpgsqlReader(Tokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Returns what {@code body} says, or null if a part is not understood.
   *
   * @param searchPath of the routine
   */
  static @Nullable RoutineText read(String body, @Nullable List<String> searchPath) {
    Tokens tokens = Tokens.of(body, LexOptions.SINGLE_BYTE);
    PlpgsqlReader reader = new PlpgsqlReader(tokens);
    boolean clear = !tokens.any(i -> isUnclear(tokens.get(i)));
    return clear && reader.all()
        ? new RoutineText(reader.found, searchPath, reader.replacesRow ? null : reader.assigned)
        : null;
  }

  /** Whether settings of the session or the encoding decide how the token is read. */
  private static boolean isUnclear(Token token) {
    return switch (token.kind()) {
      case UNICODE_NAME, UNICODE_STRING, OTHER -> true;
      case STRING -> token.text().indexOf('\\') >= 0;
      default -> false;
    };
  }

  private boolean all() {
    while (at < tokens.size()) {
      if (!statement() || found.size() > MOST_STATEMENTS) {
        return false;
      }
    }
    String query = expressions.toString();
    return query.isEmpty() || add(query);
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
      case "begin", "loop", "else", "exception" -> take(1);
      case "declare" -> take(1) && declarations();
      case "if", "elsif", "elseif", "when" -> expression(at + 1, "then");
      case "while" -> expression(at + 1, "loop");
      case "case" -> expression(at + 1, "when") && take(-1);
      case "for", "foreach" -> loop();
      case "get" -> {
        replacesRow |= namesRow(at, end(at, ";"));
        yield expression(at + 1, ";");
      }
      case "null", "end", "raise", "assert", "perform", "exit", "continue" ->
          expression(at + 1, ";");
      case "return" -> returned();
      default -> SQL.contains(word) ? sql(at, end(at, ";")) : assignment();
    };
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
      expressions.add(text(from, end));
    }
    at = end + 1;
    return true;
  }

  private String text(int from, int end) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = from; i < end; i++) {
      text.add(tokens.isSymbol(i, "..") ? "," : tokens.get(i).text());
    }
    return text.toString();
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
      expressions.add("NULL :: " + text(at + 1, end)); // What follows is a type, and no column.
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
    int row = isRow(index) ? index : index + 2;
    if (row < tokens.afterName(index) && isRow(row)) {
      boolean field = tokens.isSymbol(row + 1, ".") && tokens.get(row + 2).kind().isName();
      replacesRow |= !field || tokens.get(row).name().equals("old");
      assigned.add(tokens.get(row + 2).name());
    }
  }

  private boolean returned() {
    boolean asItIs = RETURNED.contains(Tokens.fold(text(at + 1, Math.max(at + 1, end(at, ";")))));
    replacesRow |= !asItIs;
    return tokens.is(at + 1, "query") ? sql(at + 2, end(at, ";")) : expression(at + 1, ";");
  }

  /** Reads the head of FOR and FOREACH: over numbers, an array or a query, but no cursor. */
  private boolean loop() {
    int in = end(at, "in");
    int end = end(at, "loop");
    if (in < 0 || end < in) {
      return false;
    }
    replacesRow |= namesRow(at, in);
    int range = end(in, "..");
    boolean values = tokens.is(at, "foreach") || (range > in && range < end);
    if (values) {
      return !tokens.is(in + 1, "execute") && expression(in + 1, end);
    }
    return sql(in + 1, end);
  }

  private boolean sql(int from, int end) {
    Token first = tokens.get(from);
    boolean begins = first.isSymbol("(") || SQL.stream().anyMatch(first::is);
    if (!begins || end < 0) {
      return false;
    }
    int into = from;
    while (into < end && !isInto(into)) {
      into++;
    }
    String text = text(from, into);
    if (into < end) {
      text += ' ' + text(afterTargets(into), end);
    }
    at = end + 1;
    return add(text);
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

  /** Adds one statement; its variables may be of any type, like parameters. */
  private boolean add(String sql) {
    SqlAnalysis analysis = ANALYZER.analyze(SqlLexer.lex(sql, LexOptions.SINGLE_BYTE).shape());
    if (analysis.statements().size() != 1) {
      return false;
    }
    StatementFacts facts = analysis.statements().get(0);
    found.add(facts.ofLooseTypes());
    return UNDERSTOOD.contains(facts.kind()) && !facts.writesUnknown();
  }
}
