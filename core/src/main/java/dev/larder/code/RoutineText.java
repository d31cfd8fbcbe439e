package dev.larder.code;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.Tokens;
import dev.larder.sql.StatementFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of a routine that was understood. Immutable.
 *
 * @param statements the facts of all SQL in it
 * @param searchPath the schemas of its own SET search_path, pg_catalog included; null if the path
 *     of its caller holds, and empty if nobody knows which path holds
 * @param assigned the fields of NEW that it may change as a trigger, or null where it may be any
 * @param settings the custom settings that it reads itself, where what a call returns depends on
 *     nothing but these, its arguments, and what {@code statements} read and call; else null
 * @param builtins the functions and operators that were taken for the server's own, and types
 *     behind {@code ::}
 * @param opensCursors whether rows may be fetched after it has ended, in any path
 */
public record RoutineText(
    List<StatementFacts> statements,
    @Nullable List<String> searchPath,
    @Nullable Set<String> assigned,
    @Nullable Set<String> settings,
    Set<String> builtins,
    boolean opensCursors) {
  private static final List<String> ANY_PATH = List.of();

  public RoutineText {
    statements = List.copyOf(statements);
    searchPath = searchPath == null ? null : List.copyOf(searchPath);
    assigned = assigned == null ? null : Set.copyOf(assigned);
    settings = settings == null ? null : Set.copyOf(settings);
    builtins = Set.copyOf(builtins);
  }

  /**
   * Reads a routine; returns null if a part of its body is not understood.
   *
   * @param place what it runs for as a trigger, or null if that is not known
   */
  static @Nullable RoutineText of(RoutineRow row, @Nullable TriggerPlace place) {
    String body = row.body();
    try {
      return body == null ? null : of(row, Tokens.of(body, LexOptions.SINGLE_BYTE), place);
    } catch (StackOverflowError e) {
      return null;
    }
  }

  private static @Nullable RoutineText of(
      RoutineRow row, Tokens body, @Nullable TriggerPlace place) {
    if (!BodySql.isClear(body)) {
      return null;
    }
    BodySql sql = new BodySql(body);
    boolean query = row.language().equals("sql");
    // What is declared IMMUTABLE stays in plans of some sessions, as it was.
    boolean plain = row.volatility() != 'i' && PlainTypes.areAll(row.types(), query);
    if (!plain || (query && readsClock(body))) {
      sql.untold();
    }
    PlpgsqlReader reader = new PlpgsqlReader(body, sql, place);
    boolean understood = query ? sql.addAll() : reader.all();
    return understood
        ? new RoutineText(
            sql.statements(),
            path(row.searchPath()),
            reader.assigned(),
            sql.settings(),
            builtins(sql, reader),
            reader.opensCursors())
        : null;
  }

  private static Set<String> builtins(BodySql sql, PlpgsqlReader reader) {
    Set<String> builtins = new HashSet<>(reader.builtins());
    if (sql.namesSettings()) {
      builtins.add("current_setting");
    }
    return builtins;
  }

  /** Whether a constant may become a value that depends on the clock, in the type of the result. */
  private static boolean readsClock(Tokens body) {
    return body.any(i -> body.get(i).kind().isText() && SqlLexer.mayReadClock(body.get(i)));
  }

  /** Reads a list of names as {@code pg_proc.proconfig} has it. */
  private static @Nullable List<String> path(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Tokens tokens = Tokens.of(text, LexOptions.SINGLE_BYTE);
    List<String> schemas = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i += 2) {
      String name = tokens.get(i).name();
      boolean known = tokens.get(i).isIdentifier() && !name.equals("$user");
      if (!known || (i + 1 < tokens.size() && !tokens.isSymbol(i + 1, ","))) {
        return ANY_PATH;
      }
      if (!name.startsWith("pg_temp")) {
        schemas.add(name);
      }
    }
    if (!schemas.contains("pg_catalog")) {
      schemas.add(0, "pg_catalog");
    }
    return schemas;
  }
}
