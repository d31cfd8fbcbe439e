package dev.larder.store;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a table's columns, for results that rest on all of its rows but on few of its
 * columns. Such a result depends on {@link TableTag#rows}, {@link #rowsComeAndGo}, {@link
 * #manyColumns} and the {@linkplain #column columns} that its query names. Thread-safe.
 *
 * <p>What keeps results right is that each change bumps enough: a row that comes or goes the first;
 * a row of which columns are set, each of these columns or {@link #manyColumns}. A write that does
 * not say which bumps {@link TableTag#rows}.
 *
 * <p>A tag is made when it is first needed, by a reader or a writer, at the present epoch, and
 * lives as long as its table's tag.
 */
public final class ColumnTags {
  private final TableTag table;
  private final LongSupplier epoch;
  private final KeyTag rowsComeAndGo;
  private final KeyTag manyColumns;

  /** By number; never changed, but replaced. */
  private volatile @Nullable KeyTag[] columns = {};

  /**
   * A bit for each column that a write has named, by its number modulo 64. Racy: it only decides
   * what is worth the trouble.
   */
  private volatile long named;

  ColumnTags(TableTag table, LongSupplier epoch) {
    this.table = table;
    this.epoch = epoch;
    this.rowsComeAndGo = made();
    this.manyColumns = made();
  }

  private KeyTag made() {
    return new KeyTag.OfColumn(table, epoch.getAsLong());
  }

  /** Returns the tag of rows that are inserted or deleted. */
  public KeyTag rowsComeAndGo() {
    return rowsComeAndGo;
  }

  /** Returns the tag of rows in which so many columns are set that nobody looks at each. */
  public KeyTag manyColumns() {
    return manyColumns;
  }

  /** As {@link #column}, for a write that sets the column. */
  public KeyTag named(int number) {
    long bit = 1L << number;
    if ((named & bit) == 0) {
      named |= bit;
    }
    return column(number);
  }

  /** Returns whether writes have named columns that are not among {@code used}. */
  boolean othersWereNamed(List<Integer> used) {
    long others = named;
    for (int number : used) {
      others &= ~(1L << number);
    }
    return others != 0;
  }

  /**
   * Returns the tag of rows in which a column is set; {@code number} as in pg_attribute, above 0:
   * nobody sets those that every table has.
   */
  public KeyTag column(int number) {
    KeyTag known = at(number);
    return known == null ? make(number) : known;
  }

  private @Nullable KeyTag at(int index) {
    @Nullable KeyTag[] known = columns;
    return index < known.length ? known[index] : null;
  }

  private synchronized KeyTag make(int index) {
    KeyTag made = at(index);
    if (made == null) {
      made = made();
      @Nullable KeyTag[] more = Arrays.copyOf(columns, Math.max(columns.length, index + 1));
      more[index] = made;
      columns = more;
    }
    return made;
  }
}
