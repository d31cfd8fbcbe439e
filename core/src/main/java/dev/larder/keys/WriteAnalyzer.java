package dev.larder.keys;

import dev.larder.keys.Scope.Occurrence;
import dev.larder.keys.Scope.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.ConflictActionType;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.insert.InsertConflictAction;
import net.sf.jsqlparser.statement.insert.InsertConflictTarget;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds which rows a write can change, by the schemes of its table. A WHERE that fixes a value
 * names the rows' old value: at READ COMMITTED too, where a row that was waited for is looked at
 * again as it has become. What is not known is said to be not known. Pure.
 */
public final class WriteAnalyzer {
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
    Scope scope = new Scope(tree, names, null);
    Occurrence target = scope.add(insert.getTable());
    if (target == null || insert.getSelect() == null) {
      return null;
    }
    KeyTable table = target.table;
    List<Map<KeyColumn, @Nullable Operand>> rows =
        insert.isOverriding() ? null : InsertedRows.of(insert, table, tree);
    InsertConflictAction action = insert.getConflictAction();
    if (action != null && action.getConflictActionType() != ConflictActionType.DO_NOTHING) {
      return rows == null ? null : upsert(insert, action, table, rows);
    }
    List<WritePattern.OfScheme> schemes = new ArrayList<>();
    for (KeyScheme scheme : table.schemes()) {
      schemes.add(
          WritePattern.OfScheme.made(scheme, rows == null ? null : made(scheme, rows, table)));
    }
    return new WritePattern(tree.literals(), table, schemes, null);
  }

  /**
   * A row that is not inserted is one with the same values in the columns of the conflict; of what
   * else it has nothing is known.
   */
  private @Nullable WritePattern upsert(
      Insert insert,
      InsertConflictAction action,
      KeyTable table,
      List<Map<KeyColumn, @Nullable Operand>> rows) {
    KeyScheme arbiter = arbiter(insert.getConflictTarget(), table);
    Map<KeyColumn, @Nullable Operand> sets =
        action.getUpdateSets() == null ? null : sets(action.getUpdateSets(), table);
    Restriction same = arbiter == null ? null : made(arbiter, rows, table);
    if (arbiter == null || sets == null || same == null || moves(arbiter, sets, table)) {
      return null;
    }
    List<WritePattern.OfScheme> schemes = new ArrayList<>();
    for (KeyScheme scheme : table.schemes()) {
      schemes.add(
          scheme.equals(arbiter)
              ? WritePattern.OfScheme.replaced(scheme, same)
              : WritePattern.OfScheme.moved(
                  scheme, null, moves(scheme, sets, table) ? null : made(scheme, rows, table)));
    }
    return new WritePattern(tree.literals(), table, schemes, null);
  }

  private static boolean moves(
      KeyScheme scheme, Map<KeyColumn, @Nullable Operand> sets, KeyTable table) {
    return scheme.columns().stream().anyMatch(c -> sets.containsKey(c) || table.decides(c));
  }

  /** Returns the scheme of the columns by which ON CONFLICT finds a row, or null. */
  private @Nullable KeyScheme arbiter(@Nullable InsertConflictTarget target, KeyTable table) {
    if (target == null
        || target.getConstraintName() != null
        || target.getIndexExpression() != null
        || target.getWhereExpression() != null
        || tree.hasWord("collate")) {
      return null;
    }
    Set<KeyColumn> wanted = new HashSet<>();
    for (String name : target.getIndexColumnNames()) {
      KeyColumn column = table.column(tree.name(name));
      if (column == null) {
        return null;
      }
      wanted.add(column);
    }
    return table.arbiters().stream()
        .filter(scheme -> wanted.equals(Set.copyOf(scheme.columns())))
        .findAny()
        .orElse(null);
  }

  private static @Nullable Restriction made(
      KeyScheme scheme, List<Map<KeyColumn, @Nullable Operand>> rows, KeyTable table) {
    List<List<Operand>> values = new ArrayList<>();
    for (Map<KeyColumn, @Nullable Operand> row : rows) {
      List<Operand> value = new ArrayList<>();
      for (KeyColumn column : scheme.columns()) {
        Operand operand =
            row.containsKey(column) || column.filled()
                ? row.get(column)
                : new Operand.Constant(Operand.NULL);
        if (operand == null || table.decides(column)) {
          return null;
        }
        value.add(operand);
      }
      values.add(value);
    }
    return new Restriction(scheme, values);
  }

  private @Nullable WritePattern update(Update update) {
    Scope scope = new Scope(tree, names, null);
    Occurrence target = scope.add(update.getTable());
    if (target == null || update.getStartJoins() != null || update.isFromBeforeSet()) {
      return null;
    }
    Map<KeyColumn, @Nullable Operand> sets = sets(update.getUpdateSets(), target.table);
    if (sets == null) {
      return null;
    }
    Conditions where = new Conditions(scope);
    where.add(update.getWhere());
    where.carryOver();
    List<WritePattern.OfScheme> schemes = new ArrayList<>();
    for (KeyScheme scheme : target.table.schemes()) {
      Restriction old = where.restriction(target, scheme);
      schemes.add(
          moves(scheme, sets, target.table)
              ? WritePattern.OfScheme.moved(scheme, old, moved(target, scheme, sets, where))
              : WritePattern.OfScheme.changed(scheme, old));
    }
    return new WritePattern(tree.literals(), target.table, schemes, set(sets, target.table));
  }

  /** Returns the columns that may get another value: of those that are not set, what follows. */
  private static List<Integer> set(Map<KeyColumn, @Nullable Operand> sets, KeyTable table) {
    return table.columns().stream()
        .filter(column -> sets.containsKey(column) || table.decides(column))
        .map(KeyColumn::number)
        .toList();
  }

  /** Returns what is set, to null where that is no constant; null where it is not plain to see. */
  private @Nullable Map<KeyColumn, @Nullable Operand> sets(
      List<UpdateSet> updates, KeyTable table) {
    Map<KeyColumn, @Nullable Operand> sets = new HashMap<>();
    for (UpdateSet set : updates) {
      boolean one = set.getColumns().size() == 1 && set.getValues().size() == 1;
      for (Column each : set.getColumns()) {
        KeyColumn column = table.column(tree.name(each.getColumnName()));
        if (column == null || each.getTable() != null || each.getArrayConstructor() != null) {
          return null;
        }
        sets.put(column, one ? Operand.of(set.getValues().get(0), column.type()) : null);
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
      if (operand == null || target.table.decides(column)) {
        return null;
      }
      value.add(operand);
    }
    return new Restriction(scheme, List.of(value));
  }

  private @Nullable WritePattern delete(Delete delete) {
    Scope scope = new Scope(tree, names, null);
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
      schemes.add(WritePattern.OfScheme.changed(scheme, where.restriction(target, scheme)));
    }
    return new WritePattern(tree.literals(), target.table, schemes, null);
  }
}
