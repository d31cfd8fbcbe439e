package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.Operand;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables and calls that each SELECT of a statement reads from. A column belongs to the FROM of
 * its own SELECT or of a SELECT around it. So the catalog knows its type, unless there is a
 * subquery or the like in one of these.
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

  /** A SELECT. */
  private static final class Scope {
    final @Nullable Scope outer;

    /** How many brackets are around it. */
    final int depth;

    final List<Source> sources = new ArrayList<>();

    /** Whether it reads from anything else as well, such as a subquery. */
    boolean unclear;

    /** Whether the present token is in its FROM. */
    boolean from;

    Scope(@Nullable Scope outer, int depth) {
      this.outer = outer;
      this.depth = depth;
    }
  }

  private final Tokens tokens;
  private final Scope[] scopes;

  /** For each open bracket the SELECT that is in it, or around it. */
  private final Deque<Scope> open = new ArrayDeque<>();

  private final Set<String> commonTables = new HashSet<>();
  private final Set<RelationName> tables = new HashSet<>();

  Scopes(Tokens tokens) {
    this.tokens = tokens;
    this.scopes = new Scope[tokens.size()];
    int list = 0;
    for (int i = 0; i < scopes.length; i++) {
      if (tokens.isCommonTable(i)) {
        int end = tokens.isSymbol(i - 1, ")") ? list : i;
        commonTables.add(tokens.get(end - 1).name());
      }
      list = tokens.isSymbol(i, "(") ? i : list;
    }
    open.push(new Scope(null, 1));
    for (int i = 0; i < scopes.length; i++) {
      scopes[i] = open.element();
      read(i, scopes[i], tokens.get(i));
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

  private void read(int index, Scope scope, Token token) {
    boolean within = scope.depth == open.size();
    boolean item = within && scope.from && isItem(index);
    if (token.isSymbol("(")) {
      scope.unclear |= item;
      open.push(inside(index, scope, item));
    } else if (token.isSymbol(")") && open.size() > 1) {
      open.pop();
    } else if (item) {
      source(index, scope);
    } else if (within && token.kind() == Kind.WORD && !tokens.isSymbol(index - 1, ".")) {
      keyword(index, scope, token);
    }
  }

  private void keyword(int index, Scope scope, Token token) {
    if (token.is("union") || token.is("intersect") || token.is("except")) {
      open.pop();
      open.push(new Scope(scope.outer, scope.depth));
    } else if (token.is("using")) {
      // JOIN … USING (…) AS gives what is joined another name.
      boolean list = tokens.isSymbol(index + 1, "(");
      scope.unclear |= list && tokens.is(tokens.afterClosing(index + 1), "as");
    } else if (token.is("table") || (token.is("from") && !tokens.is(index - 1, "distinct"))) {
      scope.from = true;
    } else if (AFTER_FROM.contains(token.name())) {
      scope.from = false;
    }
  }

  /** Whether an item of FROM begins there. */
  private boolean isItem(int index) {
    int before = index - 1;
    while (tokens.is(before, "lateral") || tokens.is(before, "only")) {
      before--;
    }
    return !tokens.is(index, "lateral")
        && !tokens.is(index, "only")
        && ((tokens.is(before, "from") && !tokens.is(before - 1, "distinct"))
            || tokens.is(before, "join")
            || tokens.is(before, "table")
            || tokens.isSymbol(before, ","));
  }

  private Scope inside(int bracket, Scope scope, boolean item) {
    if (!tokens.isQuery(bracket + 1)) {
      return scope;
    }
    boolean common = tokens.is(bracket - 1, "as") || tokens.is(bracket - 1, "materialized");
    boolean apart = common || (item && !tokens.is(bracket - 1, "lateral"));
    return new Scope(apart ? scope.outer : scope, open.size() + 1);
  }

  /** Adds the item of FROM whose name begins at {@code index}. */
  private void source(int index, Scope scope) {
    RelationName name = Names.relation(tokens, index);
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
    return token.kind() == Kind.END
        || token.isReserved()
        || token.isSymbol(",")
        || token.isSymbol(")")
        || (token.kind() == Kind.WORD && JOINS.contains(token.name()));
  }
}
