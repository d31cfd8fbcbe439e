package dev.larder.keys;

import dev.larder.store.ColumnTags;
import dev.larder.store.KeyTag;
import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a change of one row bumps that the server's log tells of, see {@link SchemeTags}. */
public final class LoggedRow {
  /** Columns beyond this number are not told apart, in one change. */
  private static final int MOST_COLUMNS = 4;

  private LoggedRow() {}

  /** The values of a row, as far as the log has them. */
  @FunctionalInterface
  public interface Values {
    /**
     * Returns the value of a column as the server writes it, {@link BoundValue#NULL}, or null where
     * it is not known.
     *
     * @param column its name
     */
    @Nullable Object value(String column);
  }

  /**
   * Adds the tags of a change of a row of {@code table}.
   *
   * @param tag the table's
   * @param before the row that was there; null where it is new
   * @param after the row that is there now; null where it is gone
   */
  public static void addTags(
      KeyTable table,
      TableTag tag,
      @Nullable Values before,
      @Nullable Values after,
      Collection<? super KeyTag> tags) {
    for (KeyScheme scheme : table.schemes()) {
      SchemeTags cells = scheme.tags(tag);
      long old = before == null ? Restriction.NULL : hash(scheme, before);
      if (before != null) {
        add(old, cells, cells.unknownOld(), tags);
      }
      if (after != null) {
        long made = hash(scheme, after);
        if (before == null || old == KeyType.UNKNOWN || made != old) {
          add(made, cells, cells.unknownNew(), tags);
        }
      }
    }
    addColumns(table, tag.columns(), before, after, tags);
  }

  private static void add(
      long hash, SchemeTags cells, KeyTag otherwise, Collection<? super KeyTag> tags) {
    if (hash == KeyType.UNKNOWN) {
      tags.add(otherwise);
    } else if (hash != Restriction.NULL) {
      tags.add(cells.cell(hash));
    }
  }

  private static void addColumns(
      KeyTable table,
      ColumnTags columns,
      @Nullable Values before,
      @Nullable Values after,
      Collection<? super KeyTag> tags) {
    if (before == null || after == null) {
      tags.add(columns.rowsComeAndGo());
      return;
    }
    List<Integer> set = changed(table, before, after);
    if (set.isEmpty() || set.size() > MOST_COLUMNS) {
      tags.add(columns.manyColumns());
    } else {
      set.forEach(number -> tags.add(columns.named(number)));
    }
  }

  /** Returns the numbers of the columns that differ; none where that is not known of each. */
  private static List<Integer> changed(KeyTable table, Values before, Values after) {
    List<Integer> changed = new ArrayList<>();
    for (KeyColumn column : table.columns()) {
      Object old = before.value(column.name());
      Object made = after.value(column.name());
      if (old == null || made == null) {
        return List.of();
      }
      if (!old.equals(made)) {
        changed.add(column.number());
      }
    }
    return changed;
  }

  /** Returns the hash of a row's values, by the same rules as {@link RowValues#hash}. */
  private static long hash(KeyScheme scheme, Values row) {
    long hash = 0;
    boolean isNull = false;
    List<KeyColumn> columns = scheme.columns();
    for (int i = 0; i < columns.size(); i++) {
      Object value = row.value(columns.get(i).name());
      if (value == null) {
        return KeyType.UNKNOWN;
      }
      if (value == BoundValue.NULL) {
        isNull = true;
        continue;
      }
      KeyType type = columns.get(i).type();
      Object typed = type == null ? null : RowValues.ofText(type, value.toString());
      long one = typed == null || type == null ? KeyType.UNKNOWN : type.hash(typed);
      if (one == KeyType.UNKNOWN) {
        return KeyType.UNKNOWN;
      }
      hash = i == 0 ? one : Restriction.combine(hash, one);
    }
    return isNull ? Restriction.NULL : Restriction.usable(hash);
  }
}
