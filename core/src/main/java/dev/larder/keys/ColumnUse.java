package dev.larder.keys;

import dev.larder.keys.Scope.Occurrence;
import dev.larder.lexer.Token;
import dev.larder.lexer.Tokens;
import dev.larder.store.ColumnTags;
import dev.larder.store.TableTag;
import dev.larder.store.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/**
 * The few columns of a table that a query uses, so that it rests on nothing else of the table's
 * rows than these and that the rows are there. A column counts as used where its name stands
 * anywhere in the text, whatever it means there. Immutable.
 *
 * @param table the table
 * @param columns their numbers
 */
record ColumnUse(KeyTable table, List<Integer> columns) {
  /** More columns than this are all. */
  static final int MOST_COLUMNS = 8;

  /**
   * What stands for columns that are not named, or begins something that has columns of its own.
   */
  private static final Set<String> OTHER_WORDS =
      Set.of(
          "with",
          "natural",
          "lateral",
          "tablesample",
          "table",
          "values",
          "only",
          "ctid",
          "tableoid",
          "xmin",
          "xmax",
          "cmin",
          "cmax",
          "ordinality");

  /**
   * Returns what a query uses of each of its tables, where that is few columns. Only a query of one
   * block that reads tables alone is looked at.
   */
  static List<ColumnUse> of(QueryTree tree, Names names) {
    boolean known =
        tree.queries() == 1 && tree.statement() instanceof PlainSelect && !hasStar(tree.tokens());
    Scope scope = known ? scope((PlainSelect) tree.statement(), tree, names) : null;
    if (scope == null) {
      return List.of();
    }
    Set<String> words = new HashSet<>();
    Map<String, Integer> wholes = new HashMap<>();
    note(tree.tokens(), words, wholes);
    if (OTHER_WORDS.stream().anyMatch(words::contains)
        || mayMeanRows(scope, wholes)
        || mayCallWithRows(scope, tree.tokens())) {
      return List.of();
    }
    List<ColumnUse> all = new ArrayList<>();
    for (Occurrence each : scope.occurrences()) {
      List<Integer> used = used(each.table, words);
      boolean isNew = all.stream().noneMatch(one -> one.table.oid() == each.table.oid());
      if (isNew && used.size() <= MOST_COLUMNS && !each.table.schemes().isEmpty()) {
        all.add(new ColumnUse(each.table, used));
      }
    }
    return all;
  }

  /** A star is all columns, but in {@code count(*)}. */
  private static boolean hasStar(Tokens tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      boolean counts =
          i >= 2
              && tokens.isSymbol(i - 1, "(")
              && tokens.get(i - 2).is("count")
              && tokens.isSymbol(i + 1, ")");
      if (tokens.isSymbol(i, "*") && !counts) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Scope scope(PlainSelect block, QueryTree tree, Names names) {
    List<FromItem> from = new ArrayList<>();
    if (block.getFromItem() != null) {
      from.add(block.getFromItem());
    }
    if (block.getJoins() != null) {
      block.getJoins().stream().map(Join::getFromItem).forEach(from::add);
    }
    Scope scope = new Scope(tree, names, null);
    for (FromItem item : from) {
      if (!(item instanceof Table table) || scope.add(table) == null) {
        return null;
      }
    }
    return scope;
  }

  /** Notes all names, and how often each stands without a dot behind it, as a whole row may. */
  private static void note(Tokens tokens, Set<String> words, Map<String, Integer> wholes) {
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME) {
        words.add(token.name());
        if (!tokens.isSymbol(i + 1, ".")) {
          wholes.merge(token.name(), 1, Integer::sum);
        }
      }
    }
  }

  /** Whether a table is named elsewhere than in FROM and before a dot: as a row of it may be. */
  private static boolean mayMeanRows(Scope scope, Map<String, Integer> wholes) {
    Map<String, Integer> expected = new HashMap<>();
    for (Occurrence each : scope.occurrences()) {
      expected.merge(each.name, 1, Integer::sum);
    }
    return expected.entrySet().stream()
        .anyMatch(each -> wholes.getOrDefault(each.getKey(), 0) > each.getValue());
  }

  /** What stands behind a table and a dot and is no column may be a call with the whole row. */
  private static boolean mayCallWithRows(Scope scope, Tokens tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.isSymbol(i, ".")) {
        String owner = tokens.get(i - 1).name();
        String field = tokens.get(i + 1).name();
        boolean calls =
            scope.occurrences().stream()
                .anyMatch(each -> each.name.equals(owner) && each.table.column(field) == null);
        if (calls) {
          return true;
        }
      }
    }
    return false;
  }

  /** Adds the tags of what is used to {@code tags}. */
  void addTags(TableTag tag, List<Tag> tags) {
    ColumnTags own = tag.columns();
    tags.add(tag.rows());
    tags.add(own.rowsComeAndGo());
    if (!columns.isEmpty()) {
      tags.add(own.manyColumns());
    }
    columns.forEach(number -> tags.add(own.column(number)));
  }

  /** Returns the names of the columns, for people. */
  String names() {
    return table.columns().stream()
        .filter(column -> columns.contains(column.number()))
        .map(KeyColumn::name)
        .collect(Collectors.joining(", "));
  }

  private static List<Integer> used(KeyTable table, Set<String> words) {
    return table.columns().stream()
        .filter(column -> words.contains(column.name()))
        .map(KeyColumn::number)
        .toList();
  }
}
