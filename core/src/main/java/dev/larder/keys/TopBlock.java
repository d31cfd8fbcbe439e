package dev.larder.keys;

import dev.larder.keys.ReadAnalyzer.Block;
import dev.larder.keys.ReadPattern.Derived;
import dev.larder.keys.ReadPattern.Shown;
import dev.larder.keys.Scope.Occurrence;
import dev.larder.keys.Scope.Place;
import dev.larder.keys.Wide.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a query's result tell of its tables, where the query is one block and each row
 * of the result stands for rows of the tables. Used while a statement is being analyzed, by one
 * thread.
 */
final class TopBlock {
  private final Block block;
  private final List<SelectItem<?>> items;
  private final List<Wide> wide;

  /**
   * Whether the items are columns and constants: anything else may be an aggregate, or drop rows.
   */
  private final boolean rowsAlone;

  /** Whether every row that the conditions leave is in the result. */
  private final boolean complete;

  /** Creates one that adds to {@code wide} what keeps rows from telling more. */
  TopBlock(PlainSelect select, Block block, List<Wide> wide) {
    this.block = block;
    this.items = select.getSelectItems();
    this.wide = wide;
    this.rowsAlone =
        select.getGroupBy() == null
            && select.getHaving() == null
            && select.getSelectItems().stream()
                .map(SelectItem::getExpression)
                .allMatch(this::isOfRow);
    this.complete =
        rowsAlone
            && select.getDistinct() == null
            && select.getLimit() == null
            && select.getOffset() == null
            && select.getFetch() == null
            && (select.getOrderByElements() == null
                || select.getOrderByElements().stream()
                    .map(OrderByElement::getExpression)
                    .allMatch(each -> isOfRow(each) || isLabel(each, select.getSelectItems())));
  }

  /** What looks like a column of no table may be a call, of a function that drops the row. */
  private boolean isOfRow(Expression item) {
    return item instanceof AllColumns
        || Operand.of(item) != null
        || (item instanceof Column column && block.scope().place(column) != null);
  }

  private static boolean isLabel(Expression sorted, List<SelectItem<?>> items) {
    return sorted instanceof Column column
        && column.getTable() == null
        && items.stream()
            .anyMatch(
                item ->
                    item.getAlias() != null
                        && item.getAlias().getName().equals(column.getColumnName()));
  }

  private @Nullable Occurrence only(KeyTable table) {
    List<Occurrence> all =
        block.scope().occurrences().stream()
            .filter(each -> each.table.oid() == table.oid())
            .toList();
    return all.size() == 1 ? all.get(0) : null;
  }

  /** Returns what the result shows of a table that is restricted. */
  Shown shown(KeyTable table, List<Restriction> mentions) {
    Occurrence occurrence = only(table);
    if (occurrence == null || mentions.size() != 1) {
      return nothing(table, Reason.SEVERAL_MENTIONS, "");
    }
    if (!rowsAlone) {
      return nothing(table, Reason.EXPRESSION, "");
    }
    Restriction restriction = mentions.get(0);
    KeyScheme scheme = restriction.scheme();
    // A join may make several rows of the result of one of the table, and so may a sort by a call.
    boolean countable = complete && block.scope().occurrences().size() == 1;
    if (scheme.unique() && (restriction.isOfOneValue() || countable)) {
      boolean outer = block.outer().containsKey(occurrence);
      return outer ? Shown.NOTHING : isListed(occurrence, scheme) ? Shown.COVERED : Shown.FOUND;
    }
    return scheme.equals(table.primaryKey()) ? Shown.NOTHING : listed(occurrence, scheme);
  }

  private boolean isListed(Occurrence occurrence, KeyScheme scheme) {
    KeyScheme key = occurrence.table.primaryKey();
    return key != null
        && !key.equals(scheme)
        && complete
        && isAlone(occurrence, scheme)
        && places(occurrence, key).stream().allMatch(this::isSelected);
  }

  private boolean isAlone(Occurrence occurrence, KeyScheme scheme) {
    return block.scope().occurrences().size() == 1
        && block.conditions().areOnlyThat(occurrence, scheme);
  }

  private Shown listed(Occurrence occurrence, KeyScheme scheme) {
    KeyTable table = occurrence.table;
    KeyScheme key = table.primaryKey();
    if (key == null) {
      return nothing(table, Reason.NO_PRIMARY_KEY, "");
    }
    if (!complete) {
      return nothing(table, Reason.LIMIT, "");
    }
    if (!isAlone(occurrence, scheme)) {
      return nothing(table, Reason.CONDITIONS, scheme.name());
    }
    selects(table, places(occurrence, key), List.of());
    return Shown.COVERED;
  }

  private Shown nothing(KeyTable table, Reason reason, String detail) {
    wide.add(new Wide(table.name(), reason, detail));
    return Shown.NOTHING;
  }

  /**
   * Notes where the rows will not show some columns, by which {@code table} could be told apart,
   * nor others that equal them.
   */
  private void selects(KeyTable table, List<Place> wanted, List<Place> equal) {
    if (!equal.isEmpty() && equal.stream().allMatch(this::isSelected)) {
      return;
    }
    for (Place each : wanted) {
      if (!isSelected(each)) {
        wide.add(new Wide(table.name(), Reason.NOT_SELECTED, each.column().name()));
      }
    }
  }

  private boolean isSelected(Place place) {
    return items.stream()
        .map(SelectItem::getExpression)
        .anyMatch(
            item ->
                item instanceof AllColumns
                    || (item instanceof Column column
                        && place.equals(block.scope().place(column))));
  }

  private static List<Place> places(Occurrence of, KeyScheme scheme) {
    return scheme.columns().stream().map(each -> new Place(of, each)).toList();
  }

  /** Returns the tables that are joined by a column of one that is restricted, by nothing else. */
  List<Derived> derived(Map<KeyTable, List<Restriction>> restricted) {
    List<Derived> derived = new ArrayList<>();
    for (Occurrence each : block.scope().occurrences()) {
      if (!restricted.containsKey(each.table) && block.scope().occurrences().size() > 1) {
        Derived found = complete && only(each.table) != null ? derived(each, restricted) : null;
        if (found != null) {
          derived.add(found);
        } else if (!restricted.isEmpty() && !each.table.schemes().isEmpty()) {
          wide.add(new Wide(each.table.name(), whyNotDerived(each), ""));
        }
      }
    }
    return derived;
  }

  private Reason whyNotDerived(Occurrence of) {
    if (only(of.table) == null) {
      return Reason.SEVERAL_MENTIONS;
    }
    return complete ? Reason.NOT_ALONG_KEY : rowsAlone ? Reason.LIMIT : Reason.EXPRESSION;
  }

  private @Nullable Derived derived(Occurrence of, Map<KeyTable, List<Restriction>> restricted) {
    return block.outer().containsKey(of) ? filled(of, restricted) : inner(of, restricted);
  }

  /**
   * A table that a LEFT JOIN fills, by an equality with columns of another, and that nothing else
   * mentions: whatever its rows are, they keep no row of the other from the result.
   */
  private @Nullable Derived filled(Occurrence of, Map<KeyTable, List<Restriction>> restricted) {
    Conditions on = block.outer().get(of);
    boolean elsewhere =
        block.conditions().mentionsOf(of) > 0
            || block.outer().entrySet().stream()
                .anyMatch(each -> each.getKey() != of && each.getValue().mentionsOf(of) > 0);
    if (on == null || elsewhere) {
      return null;
    }
    for (KeyScheme scheme : of.table.schemes()) {
      List<Place> partners = on.onlyJoins(of, scheme);
      if (partners != null
          && on.count() == scheme.columns().size()
          && isDriving(partners, restricted)) {
        return derived(of, scheme, partners, false);
      }
    }
    return null;
  }

  /**
   * A table that is joined along a foreign key of the other, and that nothing else restricts: each
   * row of the other has its partner, and is in the result.
   */
  private @Nullable Derived inner(Occurrence of, Map<KeyTable, List<Restriction>> restricted) {
    boolean elsewhere = block.outer().values().stream().anyMatch(each -> each.mentionsOf(of) > 0);
    for (KeyScheme scheme : of.table.schemes()) {
      List<Place> partners = elsewhere ? null : block.conditions().onlyJoins(of, scheme);
      if (partners != null
          && scheme.unique()
          && isDriving(partners, restricted)
          && isReference(partners, of.table, scheme)) {
        return derived(of, scheme, partners, true);
      }
    }
    return null;
  }

  private boolean isDriving(List<Place> partners, Map<KeyTable, List<Restriction>> restricted) {
    Occurrence driving = partners.get(0).of();
    return restricted.containsKey(driving.table) && only(driving.table) == driving;
  }

  private static boolean isReference(List<Place> partners, KeyTable table, KeyScheme scheme) {
    for (KeyTable.Reference key : partners.get(0).of().table.foreignKeys()) {
      boolean same = key.table() == table.oid() && key.columns().size() == partners.size();
      for (int i = 0; same && i < partners.size(); i++) {
        int at = key.columns().indexOf(partners.get(i).column().number());
        same = at >= 0 && key.keyColumns().get(at) == scheme.columns().get(i).number();
      }
      if (same) {
        return true;
      }
    }
    return false;
  }

  private Derived derived(Occurrence of, KeyScheme scheme, List<Place> partners, boolean unique) {
    selects(of.table, partners, unique ? places(of, scheme) : List.of());
    List<KeyColumn> columns = partners.stream().map(Place::column).toList();
    return new Derived(of.table, scheme, partners.get(0).of().table, columns, unique);
  }
}
