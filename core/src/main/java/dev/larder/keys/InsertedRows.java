package dev.larder.keys;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.Values;
import org.jspecify.annotations.Nullable;

/** What an INSERT gives to the columns of its rows, as far as its text tells. */
final class InsertedRows {
  /** More rows than this in one statement are any. */
  static final int MOST_ROWS = 64;

  private InsertedRows() {}

  /** Returns what each row gives to its columns; null where that is not plain to see. */
  static @Nullable List<Map<KeyColumn, @Nullable Operand>> of(
      Insert insert, KeyTable table, QueryTree tree) {
    List<KeyColumn> columns = columns(insert.getColumns(), table, tree);
    if (columns != null && insert.getSelect() instanceof PlainSelect query) {
      Map<KeyColumn, @Nullable Operand> row = selected(columns, query);
      return row == null ? null : List.of(row);
    }
    return columns != null && insert.getSelect() instanceof Values values
        ? given(columns, values.getExpressions())
        : null;
  }

  private static @Nullable List<Map<KeyColumn, @Nullable Operand>> given(
      List<KeyColumn> columns, ExpressionList<?> list) {
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

  /**
   * Returns what each row of a query gives. Where the query itself compares what it selects, it
   * takes a constant for a text, and not for a value of the column.
   */
  private static @Nullable Map<KeyColumn, @Nullable Operand> selected(
      List<KeyColumn> columns, PlainSelect query) {
    List<? extends Expression> items =
        query.getSelectItems().stream().map(SelectItem::getExpression).toList();
    boolean plain =
        query.getDistinct() == null
            && query.getGroupBy() == null
            && query.getOrderByElements() == null
            && items.size() <= columns.size()
            && items.stream().noneMatch(AllColumns.class::isInstance);
    return plain ? row(columns, items) : null;
  }

  private static Map<KeyColumn, @Nullable Operand> row(
      List<KeyColumn> columns, List<? extends Expression> values) {
    Map<KeyColumn, @Nullable Operand> row = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      row.put(columns.get(i), Operand.of(values.get(i), columns.get(i).type()));
    }
    return row;
  }

  private static @Nullable List<KeyColumn> columns(
      @Nullable List<Column> named, KeyTable table, QueryTree tree) {
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
}
