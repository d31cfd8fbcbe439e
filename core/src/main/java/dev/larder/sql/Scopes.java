package dev.larder.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What each SELECT of a statement reads from. A column is one of what the FROM of its own SELECT
 * names, or of a SELECT around it. Where these are tables and calls, the catalog knows its type.
 */
final class Scopes {
  private static final Set<String> AFTER_FROM =
      Set.of("where", "group", "having", "window", "order", "limit", "offset", "fetch", "for");

  /** Words that may follow an item of FROM, and are no alias. */
  private static final Set<String> JOINS =
      Set.of("cross", "full", "inner", "join", "left", "natural", "right", "tablesample");

  /**
   * A table, or the call of a function.
   *
   * @param column what the value of a call is called
   */
  private record Source(RelationName name, boolean call, String alias, String column) {}

  /** The FROM of a SELECT. */
  private static final class Scope {
    final @Nullable Scope outer;
    final List<Source> sources = new ArrayList<>();

    /** Whether it reads from anything else as well, such as a subquery. */
    boolean unclear;

    Scope(@Nullable Scope outer) {
      this.outer = outer;
    }
  }

  /** What is within a bracket. */
  private static final class Level {
    final boolean query;

    /** Whether an alias behind it has another meaning than what is in it. */
    final boolean renamed;

    Scope scope;

    /** Whether items of FROM stand here. */
    boolean from;

    Level(Scope scope, boolean query, boolean join, boolean renamed) {
      this.scope = scope;
      this.query = query;
      this.from = join;
      this.renamed = renamed;
    }
  }

  private final Tokens tokens;
  private final Scope[] scopes;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final Set<String> commonTables = new HashSet<>();
  private final Set<RelationName> tables = new HashSet<>();

  Scopes(Tokens tokens) {
    this.tokens = tokens;
    this.scopes = new Scope[tokens.size()];
    int bracket = 0;
    for (int i = 0; i < scopes.length; i++) {
      if (tokens.isCommonTable(i)) {
        int end = tokens.isSymbol(i - 1, ")") ? bracket : i;
        commonTables.add(tokens.get(end - 1).name());
      }
      bracket = tokens.isSymbol(i, "(") ? i : bracket;
    }
    levels.push(new Level(new Scope(null), true, false, false));
    for (int i = 0; i < scopes.length; i++) {
      scopes[i] = levels.element().scope;
      read(i, levels.element(), tokens.get(i));
    }
  }

  /** Returns the names behind FROM and the like that are neither calls nor common tables. */
  Set<RelationName> tables() {
    return tables;
  }

  /**
   * Returns what the column is one of whose name stands from {@code start} to before {@code end};
   * null where that is not plain to see.
   */
  @Nullable Operand column(int start, int end) {
    String name = tokens.get(end - 1).name();
    String owner = end - start > 1 ? tokens.get(end - 3).name() : null;
    List<Source> seen = new ArrayList<>();
    for (Scope scope = scopes[start]; scope != null; scope = scope.outer) {
      for (Source source : scope.sources) {
        if (owner == null || source.alias.equals(owner)) {
          seen.add(source);
        }
        if (owner == null && scope == scopes[start] && source.call && source.column.equals(name)) {
          return column(List.of(source), name);
        }
      }
      if (owner != null && !seen.isEmpty()) {
        break;
      } else if (scope.unclear) {
        return null;
      }
    }
    return seen.isEmpty() ? null : column(seen, name);
  }

  private static Operand column(List<Source> sources, String name) {
    Set<RelationName> tables = new HashSet<>();
    Set<RoutineName> calls = new HashSet<>();
    for (Source source : sources) {
      if (source.call) {
        calls.add(new RoutineName(source.name.schema(), source.name.name()));
      } else {
        tables.add(source.name);
      }
    }
    return new Operand.Column(tables, calls, name);
  }

  private void read(int index, Level level, Token token) {
    boolean item = level.from && isItem(index);
    if (token.isSymbol("(")) {
      levels.push(inside(index, level, item));
    } else if (token.isSymbol(")") && levels.size() > 1) {
      levels.pop();
      boolean named = tokens.is(index + 1, "as") || !isEnd(index + 1);
      level.scope.unclear |= level.renamed && named;
    } else if (item) {
      source(index, level.scope);
    } else if (token.kind() == TokenKind.WORD && !tokens.isSymbol(index - 1, ".")) {
      if (token.is("union") || token.is("intersect") || token.is("except")) {
        level.scope = new Scope(level.scope.outer);
        level.from = false;
      } else if (token.is("table")
          || (token.is("from") && level.query && !tokens.is(index - 1, "distinct"))) {
        level.from = true;
      } else if (AFTER_FROM.contains(token.name())) {
        level.from = false;
      }
    }
  }

  /** Whether an item of FROM begins there, or a bracket around some. */
  private boolean isItem(int index) {
    int before = index - 1;
    while (tokens.is(before, "lateral") || tokens.is(before, "only")) {
      before--;
    }
    return !tokens.is(index, "lateral")
        && !tokens.is(index, "only")
        && (tokens.is(before, "from")
            || tokens.is(before, "join")
            || tokens.is(before, "table")
            || tokens.isSymbol(before, ",")
            || tokens.isSymbol(before, "("));
  }

  private Level inside(int open, Level level, boolean item) {
    Token first = tokens.get(open + 1);
    if (!first.is("select") && !first.is("with") && !first.is("values") && !first.is("table")) {
      return new Level(level.scope, false, item, item || tokens.is(open - 1, "using"));
    }
    boolean common = tokens.is(open - 1, "as") || tokens.is(open - 1, "materialized");
    boolean apart = common || (item && !tokens.is(open - 1, "lateral"));
    level.scope.unclear |= item;
    return new Level(new Scope(apart ? level.scope.outer : level.scope), true, false, false);
  }

  /** Adds the item of FROM whose name begins at {@code index}. */
  private void source(int index, Scope scope) {
    RelationName name = tokens.relation(index);
    int end = tokens.afterName(index);
    boolean call = tokens.isSymbol(end, "(");
    boolean common = name.schema() == null && commonTables.contains(name.name());
    boolean clear = !tokens.get(index).isReserved() && (call || !common);
    if (clear && !call) {
      tables.add(name);
    }
    end = call ? tokens.afterClosing(end) : end;
    end += tokens.isSymbol(end, "*") ? 1 : tokens.is(end, "with", "ordinality") ? 2 : 0;
    end += tokens.is(end, "as") ? 1 : 0;
    boolean named = tokens.is(end - 1, "as") || !isEnd(end);
    String alias = named ? tokens.get(end).name() : name.name();
    end += named ? 1 : 0;
    boolean listed = call && tokens.isSymbol(end, "(") && tokens.isSymbol(end + 2, ")");
    String column = listed ? tokens.get(end + 1).name() : alias;
    if (clear && isEnd(listed ? end + 3 : end)) {
      scope.sources.add(new Source(name, call, alias, column));
    } else {
      scope.unclear = true;
    }
  }

  /** Whether an item of FROM, with its alias, has ended before {@code index}. */
  @SuppressWarnings("ReferenceEquality") // There is one END.
  private boolean isEnd(int index) {
    Token token = tokens.get(index);
    return token == Token.END
        || token.isReserved()
        || token.isSymbol(",")
        || token.isSymbol(")")
        || (token.kind() == TokenKind.WORD && JOINS.contains(token.name()));
  }
}
