package dev.larder.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The names that rows are read from: those behind FROM, JOIN, TABLE and ONLY that are neither calls
 * nor common tables. Some may be missing, such as those behind a comma: they only explain why a
 * query reads no table.
 */
final class SourceNames {
  private SourceNames() {}

  /** Returns the names among {@code tokens}. */
  static Set<RelationName> of(Tokens tokens) {
    Set<RelationName> sources = new HashSet<>();
    Set<String> common = new HashSet<>();
    Deque<Integer> open = new ArrayDeque<>();
    int list = 0;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isSymbol(i, "(")) {
        open.push(i);
      } else if (tokens.isSymbol(i, ")") && !open.isEmpty()) {
        list = open.pop();
      } else if (tokens.isCommonTable(i)) {
        common.add(tokens.get((tokens.isSymbol(i - 1, ")") ? list : i) - 1).name());
      } else if (isSource(tokens, i) && isInQuery(tokens, open)) {
        sources.add(tokens.relation(i));
      }
    }
    sources.removeIf(source -> source.schema() == null && common.contains(source.name()));
    return sources;
  }

  /** Whether the innermost bracket holds a query, and no arguments such as {@code (a FROM b)}. */
  private static boolean isInQuery(Tokens tokens, Deque<Integer> open) {
    int first = open.isEmpty() ? 0 : open.element() + 1;
    return open.isEmpty()
        || tokens.is(first, "select")
        || tokens.is(first, "table")
        || tokens.is(first, "with");
  }

  private static boolean isSource(Tokens tokens, int index) {
    boolean from = tokens.is(index - 1, "from") && !tokens.is(index - 2, "distinct");
    return tokens.get(index).isIdentifier()
        && (from
            || tokens.is(index - 1, "join")
            || tokens.is(index - 1, "table")
            || tokens.is(index - 1, "only"))
        && !tokens.isSymbol(tokens.afterName(index), "(");
  }
}
