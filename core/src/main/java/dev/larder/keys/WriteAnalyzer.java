package dev.larder.keys;

import dev.larder.keys.Scope.Occurrence;
import dev.larder.keys.Scope.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.ConflictActionType;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds which rows a write can change, by the schemes of its table. A WHERE that fixes a value
 * names the rows' old value: at READ COMMITTED too, where a row that was waited for is looked at
 * again as it has become. What is not known is said to be not known. Pure.
 */
public final class WriteAnalyzer {
  /** More rows than this in one statement are any. */
  static final int MOST_ROWS = 64;

  private final QueryTree tree;
  private final Names names;

  private WriteAnalyzer(QueryTree tree, Names names) {
    this.tree = tree;
    this.names = names;
  }

  /** Returns the rows that a write can change; null where they may be any of its table. */
  public static @Nullable WritePattern analyze(QueryTree tree, Names names) {
    if (tree.hasWord("with") || tree.hasWord("portion") || tree.hasWord("current")) {
      return null;
    }
    WriteAnalyzer analyzer = new WriteAnalyzer(tree, names);
    if (tree.statement() instanceof Insert insert) {
      return analyzer.insert(insert);
    } else if (tree.statement() instanceof Update update) {
      return analyzer.update(update);
    }
    return tree.statement() instanceof Delete delete ? analyzer.delete(delete) : null;
  }

  private @Nullable WritePattern insert(Insert insert) {
    Scope scope = new Scope(tree, names);
    Occurrence target = scope.add(insert.getTable());
    boolean nothingElse =
        insert.getConflictAction() == null
            || insert.getConflictAction().getConflictActionType() == ConflictActionType.DO_NOTHING;
    if (target == null || !nothingElse || insert.getSelect() == null) {
      return null;
    }
    List<Map<KeyColumn, @Nullable Operand>> rows =
        target.table.assigning() || insert.isOverriding() ? null : rows(insert, target.table);
    List<WritePattern.OfScheme> schemes = new ArrayList<>();
    for (KeyScheme scheme : target.table.schemes()) {
      Restriction made = rows == null ? null : made(scheme, rows);
      schemes.add(new WritePattern.OfScheme(scheme, false, null, true, made));
    }
    return new WritePattern(tree.literals(), target.table, schemes, null);
  }

  /** Returns what each row of VALUES gives to its columns; null where that is not plain to see. */
  private @Nullable List<Map<KeyColumn, @Nullable Operand>> rows(Insert insert, KeyTable table) {
    List<KeyColumn> columns = columns(insert.getColumns(), table);
    if (columns == null || !(insert.getSelect() instanceof Values values)) {
      return null;
    }
    ExpressionList<?> list = values.getExpressions();
    List<ExpressionList<?>> lists = new ArrayList<>();
    if (list instanceof ParenthesedExpressionList<?>) {
      lists.add(list);
    } else {
      for (Expression each : list) {
        if (!(each instanceof ParenthesedExpressionList<?> row)) {
          return null;
        }
        lists.add(row);
      }
    }
    if (lists.size() > MOST_ROWS) {
      return null;
    }
    List<Map<KeyColumn, @Nullable Operand>> rows = new ArrayList<>();
    for (ExpressionList<?> each : lists) {
      if (each.size() > columns.size()) {
        return null;
      }
      rows.add(row(columns, each));
    }
    return rows;
  }

  private static Map<KeyColumn, @Nullable Operand> row(
      List<KeyColumn> columns, ExpressionList<?> values) {
    Map<KeyColumn, @Nullable Operand> row = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      row.put(columns.get(i), Operand.of(values.get(i)));
    }
    return row;
  }

  private @Nullable List<KeyColumn> columns(@Nullable List<Column> named, KeyTable table) {
    if (named == null || named.isEmpty()) {
      return table.columns();
    }
    List<KeyColumn> columns = new ArrayList<>();
    for (Column each : named) {
      KeyColumn column = table.column(tree.name(each.getColumnName()));
      if (column == null || each.getTable() != null || columns.contains(column)) {
        return null;
      }
      columns.add(column);
    }
    return columns;
  }

  private static @Nullable Restriction made(
      KeyScheme scheme, List<Map<KeyColumn, @Nullable Operand>> rows) {
    List<List<Operand>> values = new ArrayList<>();
    for (Map<KeyColumn, @Nullable Operand> row : rows) {
      List<Operand> value = new ArrayList<>();
      for (KeyColumn column : scheme.columns()) {
        Operand operand =
            row.containsKey(column) || column.filled()
                ? row.get(column)
                : new Operand.Constant(Operand.NULL);
        if (operand == null || column.computed()) {
          return null;
        }
        value.add(operand);
      }
      values.add(value);
    }
    return new Restriction(scheme, values);
  }

  private @Nullable WritePattern update(Update update) {
    Scope scope = new Scope(tree, names);
    Occurrence target = scope.add(update.getTable());
    if (target == null || update.getStartJoins() != null || update.isFromBeforeSet()) {
      return null;
    }
    Map<KeyColumn, @Nullable Operand> sets = sets(update, target.table);
    if (sets == null) {
      return null;
    }
    Conditions where = new Conditions(scope);
    where.add(update.getWhere());
    where.carryOver();
    List<WritePattern.OfScheme> schemes = new ArrayList<>();
    for (KeyScheme scheme : target.table.schemes()) {
      boolean moves =
          target.table.assigning()
              || scheme.columns().stream().anyMatch(c -> sets.containsKey(c) || c.computed());
      Restriction made = moves ? moved(target, scheme, sets, where) : null;
      schemes.add(
          new WritePattern.OfScheme(scheme, true, where.restriction(target, scheme), moves, made));
    }
    return new WritePattern(tree.literals(), target.table, schemes, set(sets, target.table));
  }

  /** Returns the columns that may get another value: of those that are not set, what follows. */
  private static List<Integer> set(Map<KeyColumn, @Nullable Operand> sets, KeyTable table) {
    return table.columns().stream()
        .filter(column -> sets.containsKey(column) || column.computed() || table.assigning())
        .map(KeyColumn::number)
        .toList();
  }

  /** Returns what is set, to null where that is no constant; null where it is not plain to see. */
  private @Nullable Map<KeyColumn, @Nullable Operand> sets(Update update, KeyTable table) {
    Map<KeyColumn, @Nullable Operand> sets = new HashMap<>();
    for (UpdateSet set : update.getUpdateSets()) {
      boolean one = set.getColumns().size() == 1 && set.getValues().size() == 1;
      for (Column each : set.getColumns()) {
        KeyColumn column = table.column(tree.name(each.getColumnName()));
        if (column == null || each.getTable() != null || each.getArrayConstructor() != null) {
          return null;
        }
        sets.put(column, one ? Operand.of(set.getValues().get(0)) : null);
      }
    }
    return sets;
  }

  private static @Nullable Restriction moved(
      Occurrence target,
      KeyScheme scheme,
      Map<KeyColumn, @Nullable Operand> sets,
      Conditions where) {
    List<Operand> value = new ArrayList<>();
    for (KeyColumn column : scheme.columns()) {
      Operand operand =
          sets.containsKey(column) ? sets.get(column) : where.constant(new Place(target, column));
      if (operand == null || column.computed() || target.table.assigning()) {
        return null;
      }
      value.add(operand);
    }
    return new Restriction(scheme, List.of(value));
  }

  private @Nullable WritePattern delete(Delete delete) {
    Scope scope = new Scope(tree, names);
    Occurrence target = scope.add(delete.getTable());
    boolean plain = delete.getTables() == null || delete.getTables().isEmpty();
    if (target == null || !plain) {
      return null;
    }
    Conditions where = new Conditions(scope);
    where.add(delete.getWhere());
    where.carryOver();
    List<WritePattern.OfScheme> schemes = new ArrayList<>();
    for (KeyScheme scheme : target.table.schemes()) {
      schemes.add(
          new WritePattern.OfScheme(scheme, true, where.restriction(target, scheme), false, null));
    }
    return new WritePattern(tree.literals(), target.table, schemes, null);
  }
}
