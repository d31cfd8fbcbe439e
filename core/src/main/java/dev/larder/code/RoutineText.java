package dev.larder.code;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.Tokens;
import dev.larder.sql.StatementFacts;
import java.util.ArrayList;
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
 */
public record RoutineText(
    List<StatementFacts> statements,
    @Nullable List<String> searchPath,
    @Nullable Set<String> assigned) {
  private static final List<String> ANY_PATH = List.of();

  public RoutineText {
    statements = List.copyOf(statements);
    searchPath = searchPath == null ? null : List.copyOf(searchPath);
    assigned = assigned == null ? null : Set.copyOf(assigned);
  }

  /** Reads a routine; returns null if a part of its body is not understood. */
  static @Nullable RoutineText of(RoutineRow row) {
    String body = row.body();
    try {
      return body == null ? null : PlpgsqlReader.read(body, path(row.searchPath()));
    } catch (StackOverflowError e) {
      return null;
    }
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
