package dev.larder.code;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@linkplain BodyPieces SQL} out of a body in PL/pgSQL. Refuses a body in which it does
 * not know a statement: dynamic SQL that may differ, SET, the end of a transaction, DDL. Linear in
 * the length of the body; used by one thread, once.
 *
 * <p>The server compiles the whole body before it runs any of it, so the nesting of blocks need not
 * be checked here. As in the server, an expression ends at the first THEN, LOOP or semicolon
 * outside of brackets. What a trigger makes of its row stands where a field of NEW is assigned, and
 * where another row is returned.
 */
final class PlpgsqlReader {
  /** What stands behind the name of a variable where a statement begins with one. */
  private static final Set<String> BEHIND_VARIABLES = Set.of(".", ":=", "=", "[");

  /** What a trigger returns to leave NEW as it is, to keep the old row, or to do nothing. */
  private static final Set<String> RETURNED =
      Set.of("new", "old", "null", "coalesce ( new , old )");

  /** Levels of RAISE that let the body go on. */
  private static final Set<String> MESSAGES = Set.of("debug", "log", "info", "notice", "warning");

  private final Tokens tokens;
  private final BodySql sql;
  private final Assignments assignments;
  private final BodyConstants constants;
  private final BodyPieces pieces;
  private final BodyCursors cursors;
  private final Set<String> builtins = new HashSet<>();
  private boolean begun;
  private int at;

  /**
   * Creates one.
   *
   * @param place what it runs for as a trigger, or null if that is not known
   */
  PlpgsqlReader(Tokens tokens, BodySql sql, @Nullable TriggerPlace place) {
    this.tokens = tokens;
    this.sql = sql;
    this.assignments = new Assignments(tokens);
    this.constants = new BodyConstants(tokens, sql, assignments, place);
    this.pieces = new BodyPieces(tokens, sql, assignments, constants);
    this.cursors = new BodyCursors(tokens, pieces);
  }

  /** Returns the fields of NEW that the body assigns, or null where it may be any. */
  @Nullable Set<String> assigned() {
    return assignments.fields();
  }

  /** Returns the functions, operators and types that were taken for the server's own. */
  Set<String> builtins() {
    builtins.addAll(constants.builtins());
    return builtins;
  }

  /** Returns whether the body opens cursors, from which rows may be fetched after it has ended. */
  boolean opensCursors() {
    return cursors.areOpened();
  }

  /** Adds the SQL of the body; returns false if a part is not understood. */
  boolean all() {
    while (at < tokens.size()) {
      if (!statement()) {
        return false;
      }
    }
    return pieces.complete();
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
      case "begin" -> begin();
      case "loop", "else" -> take(1);
      case "exception" -> pieces.untold() && take(1);
      case "declare" -> take(1) && declarations();
      case "if", "elsif", "elseif", "when" -> values(at + 1, pieces.end(at + 1, "then"));
      case "while" -> values(at + 1, pieces.end(at + 1, "loop"));
      case "case" -> values(at + 1, pieces.end(at + 1, "when")) && take(-1);
      case "for", "foreach" -> loop();
      default -> toItsEnd(word, end());
    };
  }

  /** Reads a statement that ends with a semicolon. */
  private boolean toItsEnd(String word, int end) {
    int from = at + 1;
    boolean understood =
        switch (word) {
          case "get" -> assignsAny(end) && pieces.values(from, end);
          case "assert" -> pieces.untold() && pieces.values(from, end);
          case "raise" -> raised() && pieces.values(from, end);
          case "perform" -> pieces.called(from, end);
          case "call" -> assignsAny(end) && pieces.called(from, end);
          case "open" -> cursors.opened(from, end);
          case "fetch", "move", "close" -> cursors.moved(at, end);
          case "notify" -> pieces.untold();
          case "null", "end", "exit", "continue" -> pieces.values(from, end);
          case "return" -> returned(end);
          case "execute" -> pieces.query(at, end);
          default -> BodyPieces.SQL.contains(word) ? pieces.query(at, end) : assignment(end);
        };
    return understood && takeTo(end);
  }

  private boolean begin() {
    begun = true;
    return take(1);
  }

  private boolean take(int count) {
    at += count;
    return true;
  }

  private boolean takeTo(int end) {
    at = end + 1;
    return end >= 0;
  }

  /** Returns where the statement ends; the last END of a body needs no semicolon. */
  private int end() {
    int end = pieces.end(at, ";");
    return end < 0 && tokens.is(at, "end") && pieces.isLast(at) ? tokens.size() : end;
  }

  /** Takes what is before {@code end} as values, and {@code end} itself. */
  private boolean values(int from, int end) {
    return pieces.values(from, end) && takeTo(end);
  }

  /** Notes that any variable that the statement names may be assigned; returns true. */
  private boolean assignsAny(int end) {
    assignments.assignAny(at, end);
    return pieces.untold();
  }

  private boolean raised() {
    return !MESSAGES.contains(Tokens.fold(tokens.get(at + 1).text())) || pieces.untold();
  }

  /** Takes the type and the default of each variable as a value. */
  private boolean declarations() {
    while (!tokens.is(at, "begin")) {
      if (tokens.is(at, "declare")) {
        at++; // The server takes any number of them.
        continue;
      }
      int end = pieces.end(at, ";");
      boolean known = tokens.get(at).kind().isName() && end > at;
      assignments.assignAny(at, at + 1); // Returned, it is another than the trigger's.
      if (!begun) {
        assignments.declare(at, end);
      }
      if (!known || !declaration(at + 1, end)) {
        return false;
      }
      at = end + 1;
    }
    return true;
  }

  private boolean declaration(int type, int end) {
    int cursor = cursors.afterScroll(type);
    if (tokens.is(cursor, "cursor")) {
      return cursors.declared(cursor + 1, end);
    }
    if (tokens.is(type, "alias", "for")) {
      assignments.assignAny(type, end); // What the other name is called may be NEW.
      return pieces.untold() && end == type + 3;
    }
    if (!PlainTypes.isOne(tokens, type, end)) {
      sql.untold();
    }
    boolean record = tokens.is(type, "record") && end == type + 1;
    if (record) {
      builtins.add(BodyConstants.TYPE + "record");
    }
    return record || pieces.type(type, end);
  }

  private boolean assignment(int end) {
    int i = at;
    if (!tokens.get(i).kind().isName()) {
      return false;
    }
    pieces.assign(i);
    i = tokens.afterName(i);
    int value = i;
    while (tokens.isSymbol(i, "[") || tokens.isSymbol(i, ".")) {
      i = tokens.isSymbol(i, ".") ? tokens.afterName(i + 1) : tokens.afterClosing(i);
    }
    boolean assigns = tokens.isSymbol(i, ":=") || tokens.isSymbol(i, "=");
    if (assigns && i == at + 1) {
      assignments.give(at, i + 1, end);
    }
    return assigns && pieces.values(i == value ? i + 1 : value, end);
  }

  private boolean returned(int end) {
    boolean asItIs = RETURNED.contains(Tokens.fold(sql.text(at + 1, Math.max(at + 1, end))));
    if (!asItIs) {
      assignments.replace();
    }
    return tokens.is(at + 1, "query") ? pieces.query(at + 2, end) : pieces.values(at + 1, end);
  }

  /** Reads the head of FOR and FOREACH: over numbers, an array, a query or a cursor. */
  private boolean loop() {
    int in = pieces.end(at, "in");
    int end = pieces.end(at, "loop");
    if (in < 0 || end < in) {
      return false;
    }
    assignments.assignAny(at, in);
    for (int i = at + 1; i < in; i++) {
      if (tokens.isSymbol(i, ".")) {
        sql.untold();
      }
    }
    int range = pieces.end(in, "..");
    boolean values = tokens.is(at, "foreach") || (range > in && range < end);
    return looped(in + 1, end, values) && takeTo(end);
  }

  private boolean looped(int from, int end, boolean values) {
    boolean executes = tokens.is(from, "execute");
    if (values) {
      return !executes && pieces.values(from, end);
    }
    boolean cursor = !executes && !pieces.isQuery(from) && tokens.get(from).isIdentifier();
    return cursor ? cursors.looped(from, end) : pieces.query(from, end);
  }
}
