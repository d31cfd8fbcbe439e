package dev.larder.keys;

import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import java.util.List;

/**
 * A scheme of a table: see {@link SchemeTags}. Immutable.
 *
 * @param columns by whose values rows are told apart, all of a {@link KeyType}, in the order of
 *     their numbers
 * @param unique whether no two rows have equal values, at any moment and for any reader
 */
public record KeyScheme(List<KeyColumn> columns, boolean unique) {
  /** How many cells a scheme has. */
  public static final int CELLS = 4_096;

  public KeyScheme {
    columns = List.copyOf(columns);
  }

  /** What tells a scheme from others: the columns, and how their values are told apart. */
  private record Identity(List<Integer> columns, List<KeyType> types) {}

  /** Returns the tags of this scheme of {@code table}. */
  SchemeTags tags(TableTag table) {
    Identity identity =
        new Identity(
            columns.stream().map(KeyColumn::number).toList(),
            columns.stream().map(KeyColumn::type).toList());
    return table.scheme(identity, CELLS);
  }

  /** Returns the names of the columns, for people. */
  public String name() {
    return String.join(", ", columns.stream().map(KeyColumn::name).toList());
  }
}
