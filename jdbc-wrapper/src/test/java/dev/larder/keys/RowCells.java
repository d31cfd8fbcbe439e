package dev.larder.keys;

import dev.larder.result.CachedResult;
import dev.larder.store.KeyTag;
import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a row that comes or goes demands of the tags of a write: see {@link SchemeTags}. */
public final class RowCells {
  private RowCells() {}

  /** Returns the tags of the first scheme of a table, or null where it has none. */
  public static @Nullable SchemeTags tags(KeyTable table, TableTag tag) {
    return table.schemes().isEmpty() ? null : table.schemes().get(0).tags(tag);
  }

  /** Returns the cell of what a row of a result shows of that scheme; null where it is unknown. */
  public static @Nullable KeyTag shown(KeyTable table, TableTag tag, CachedResult result, int row) {
    KeyScheme scheme = table.schemes().get(0);
    RowValues values = RowValues.of(result, table.oid(), scheme.columns());
    long hash = values == null ? KeyType.UNKNOWN : values.hash(row);
    boolean known = hash != KeyType.UNKNOWN && hash != Restriction.NULL;
    return known ? scheme.tags(tag).cell(hash) : null;
  }

  /** A row, its values as texts in the order of the table's columns. */
  public record Row(List<@Nullable String> values) {}

  /**
   * Returns what is missing in {@code bumped} for rows that went and rows that came, or null.
   *
   * <p>A row that changed is one that went and one that came; which belong together is not known,
   * so that a row which came to a value that one which went had demands nothing.
   */
  public static @Nullable String missing(
      KeyTable table, TableTag tag, Set<KeyTag> bumped, List<Row> went, List<Row> came) {
    for (KeyScheme scheme : table.schemes()) {
      SchemeTags tags = scheme.tags(tag);
      Set<List<Object>> before = new HashSet<>();
      for (Row row : went) {
        List<Object> value = value(table, scheme, row);
        before.add(value);
        if (!bumped.contains(tags.unknownOld()) && !isNamed(scheme, tags, bumped, value)) {
          return "the old value " + value + " of " + scheme.name();
        }
      }
      for (Row row : came) {
        List<Object> value = value(table, scheme, row);
        boolean told =
            before.contains(value)
                || bumped.contains(tags.unknownNew())
                || isNamed(scheme, tags, bumped, value);
        if (!told) {
          return "the new value " + value + " of " + scheme.name();
        }
      }
    }
    return null;
  }

  private static List<Object> value(KeyTable table, KeyScheme scheme, Row row) {
    List<Object> value = new ArrayList<>();
    for (KeyColumn column : scheme.columns()) {
      String text = row.values().get(table.columns().indexOf(column));
      value.add(text == null ? Operand.NULL : of(column, text));
    }
    return value;
  }

  private static Object of(KeyColumn column, String text) {
    return column.type() == KeyType.BOOLEAN ? (Object) text.equals("true") : text;
  }

  /** Rows that are NULL in a column of the scheme are of no result that the scheme restricts. */
  private static boolean isNamed(
      KeyScheme scheme, SchemeTags tags, Set<KeyTag> bumped, List<Object> value) {
    List<Operand> operands = new ArrayList<>();
    value.forEach(each -> operands.add(new Operand.Constant(each)));
    Set<KeyTag> cells = new HashSet<>();
    boolean known =
        new Restriction(scheme, List.of(operands))
            .addCells(tags, new Object[0], new Object[0], false, cells);
    return known && bumped.containsAll(cells);
  }
}
