package dev.larder.keys;

import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A scheme of a table: see {@link SchemeTags}. Immutable. */
public final class KeyScheme {
  /** How many cells a scheme has. */
  public static final int CELLS = 4_096;

  private final List<KeyColumn> columns;
  private final boolean unique;

  /** What tells it from other schemes: the columns, and how their values are told apart. */
  private final String identity;

  /**
   * Creates a scheme.
   *
   * @param columns by whose values rows are told apart, all of a {@link KeyType}, in the order of
   *     their numbers
   * @param unique whether no two rows have equal values, at any moment and for any reader
   */
  public KeyScheme(List<KeyColumn> columns, boolean unique) {
    this.columns = List.copyOf(columns);
    this.unique = unique;
    this.identity =
        columns.stream()
            .map(column -> column.number() + " " + column.type())
            .collect(Collectors.joining(", "));
  }

  /** Returns the columns, in the order of their numbers. */
  public List<KeyColumn> columns() {
    return columns;
  }

  /** Returns whether no two rows have equal values, at any moment and for any reader. */
  public boolean unique() {
    return unique;
  }

  /** Returns the tags of this scheme of {@code table}. */
  SchemeTags tags(TableTag table) {
    return table.scheme(identity, CELLS);
  }

  /** Returns the names of the columns, for people. */
  public String name() {
    return String.join(", ", columns.stream().map(KeyColumn::name).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyScheme that && columns.equals(that.columns) && unique == that.unique;
  }

  @Override
  public int hashCode() {
    return columns.hashCode();
  }
}
