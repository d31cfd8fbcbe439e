package dev.larder.keys;

import java.util.List;

/**
 * A row, by its values of a unique key. Immutable.
 *
 * @param table the table's object identifier
 * @param columns the numbers of the key's columns
 * @param values theirs, each in its canonical form
 */
public record RowKey(long table, List<Integer> columns, List<Object> values) {
  /** Copies the values. */
  public RowKey {
    columns = List.copyOf(columns);
    values = List.copyOf(values);
  }
}
