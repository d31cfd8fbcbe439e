package dev.larder.keys;

import dev.larder.result.CachedResult;
import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import dev.larder.store.Tag;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of its tables a query depends on. Immutable and thread-safe. What each miss asks goes
 * through its lists by index, for the iterators would stay on the heap.
 *
 * @param literals how many literals the query has
 * @param tables the tables that are restricted in each mention of them
 * @param derived the tables that are joined by a column of one that is restricted
 * @param columns what is used of tables of which few columns are
 * @param doubtful parts of conditions: nothing is restricted where one of them may fail
 * @param wide why it depends on more rows than that, for people; of one table the last counts
 */
public record ReadPattern(
    int literals,
    List<OfTable> tables,
    List<Derived> derived,
    List<ColumnUse> columns,
    List<DoubtfulPart> doubtful,
    List<Wide> wide) {
  /** Restricts nothing. */
  public static final ReadPattern NONE = wholly(List.of());

  /** The least number of tags that the rows of a result may make. */
  private static final int FEW_TAGS = 16;

  /** A tag of a row takes some 16 bytes in an entry: this many tags are a quarter of its weight. */
  private static final int BYTES_A_TAG = 64;

  public ReadPattern {
    tables = List.copyOf(tables);
    derived = List.copyOf(derived);
    columns = List.copyOf(columns);
    doubtful = List.copyOf(doubtful);
    wide = List.copyOf(wide);
  }

  /** Returns the pattern of a query that may depend on anything. */
  public static ReadPattern wholly(List<Wide> because) {
    return new ReadPattern(0, List.of(), List.of(), List.of(), List.of(), because);
  }

  /** What the rows of a result tell of a table that is restricted. */
  enum Shown {
    /** Nothing. */
    NOTHING,
    /**
     * If there are as many rows as values, each has its row in the table, and no other can come.
     */
    FOUND,
    /** All rows of the table with the value, by their primary keys. */
    COVERED
  }

  /**
   * A table that is restricted.
   *
   * @param mentions a restriction for each mention of the table
   */
  record OfTable(KeyTable table, List<Restriction> mentions, Shown shown) {
    /** Returns whether no other rows can come once there is one for each value. */
    boolean isFound() {
      return shown == Shown.FOUND || (shown == Shown.COVERED && mentions.get(0).scheme().unique());
    }
  }

  /**
   * A table joined by a key that equals columns of another one, which are restricted and shown.
   *
   * @param scheme the key
   * @param driving the other table
   * @param columns its columns, in the order of the key's
   * @param unique whether there is one row for each value, now and as long as it is not deleted
   */
  record Derived(
      KeyTable table,
      KeyScheme scheme,
      KeyTable driving,
      List<KeyColumn> columns,
      boolean unique) {}

  /** Returns this without what is known of columns. */
  public ReadPattern withoutColumns() {
    return new ReadPattern(literals, tables, derived, List.of(), doubtful, wide);
  }

  /** Returns whether nothing is known but the tables. */
  public boolean isEmpty() {
    return tables.isEmpty() && columns.isEmpty();
  }

  /**
   * Returns what the result of one execution depends on.
   *
   * @param readTags the tags of all that the query reads, tables as a whole
   * @param literals of the text
   * @param binds of the execution, in the order of the parameters
   */
  public Dependencies dependencies(
      List<TableTag> readTags, @Nullable Object[] literals, @Nullable Object[] binds) {
    if (isEmpty() || literals.length != this.literals) {
      return Dependencies.on(readTags);
    }
    List<Tag> tags = new ArrayList<>(4);
    List<Dependencies.Choice> choices = new ArrayList<>(1);
    long known = mayFail(literals, binds) ? 0 : addRows(readTags, literals, binds, tags, choices);
    for (int i = 0; i < columns.size(); i++) {
      ColumnUse one = columns.get(i);
      int at = indexOf(one.table(), readTags);
      if (at >= 0 && (known & 1L << at) == 0) {
        known |= 1L << at;
        one.addTags(readTags.get(at), tags);
      }
    }
    for (int i = 0; i < readTags.size(); i++) {
      if (i >= Long.SIZE || (known & 1L << i) == 0) {
        tags.add(readTags.get(i));
      }
    }
    return new Dependencies(tags, choices);
  }

  /**
   * Returns tags of the columns that are used of tables of which the result depends on some rows,
   * where writes have set other columns. As long as those of a table do not change, nothing that is
   * read of it does, whichever rows are written.
   */
  public List<Tag> columnsOfRows(List<TableTag> readTags) {
    List<Tag> tags = List.of();
    for (int i = 0; i < columns.size(); i++) {
      ColumnUse one = columns.get(i);
      int at = isByRows(one.table()) ? indexOf(one.table(), readTags) : -1;
      if (at >= 0 && readTags.get(at).othersWereSet(one.columns())) {
        tags = tags.isEmpty() ? new ArrayList<>(8) : tags;
        one.addTags(readTags.get(at), tags);
      }
    }
    return tags;
  }

  private boolean isByRows(KeyTable table) {
    for (int i = 0; i < tables.size(); i++) {
      if (tables.get(i).table().oid() == table.oid()) {
        return true;
      }
    }
    for (int i = 0; i < derived.size(); i++) {
      if (derived.get(i).table().oid() == table.oid()) {
        return true;
      }
    }
    return false;
  }

  /** Adds what is known of rows; returns a bit for each of {@code readTags} that it is of. */
  private long addRows(
      List<TableTag> readTags,
      @Nullable Object[] literals,
      @Nullable Object[] binds,
      List<Tag> tags,
      List<Dependencies.Choice> choices) {
    long known = 0;
    for (int i = 0; i < tables.size(); i++) {
      OfTable one = tables.get(i);
      int at = indexOf(one.table(), readTags);
      int size = tags.size();
      if (at >= 0 && addCells(readTags.get(at), one.mentions(), literals, binds, tags)) {
        known |= 1L << at;
        addUnknown(readTags.get(at), one, tags.size() - size, tags, choices);
        tags.add(readTags.get(at).rows());
      } else {
        tags.subList(size, tags.size()).clear();
      }
    }
    for (Derived one : derived) {
      int at = indexOf(one.table(), readTags);
      int driving = indexOf(one.driving(), readTags);
      if (at >= 0 && driving >= 0 && (known & 1L << driving) != 0 && (known & 1L << at) == 0) {
        known |= 1L << at;
        TableTag tag = readTags.get(at);
        choices.add(new Dependencies.Choice(List.of(tag), result -> joined(one, tag, result)));
      }
    }
    return known;
  }

  /** Returns where the tag of {@code table} is, or −1 where it is not or one bit does not fit. */
  private static int indexOf(KeyTable table, List<TableTag> readTags) {
    for (int i = 0; i < Math.min(readTags.size(), Long.SIZE); i++) {
      TableTag tag = readTags.get(i);
      if (tag.oid() == table.oid() && tag.scope() == TableTag.Scope.RELATION) {
        return i;
      }
    }
    return -1;
  }

  private static boolean addCells(
      TableTag tag,
      List<Restriction> mentions,
      @Nullable Object[] literals,
      @Nullable Object[] binds,
      List<Tag> cells) {
    for (int i = 0; i < mentions.size(); i++) {
      Restriction each = mentions.get(i);
      if (!each.addCells(each.scheme().tags(tag), literals, binds, false, cells)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds the tags of rows whose values are not known.
   *
   * @param asked how many values the table is restricted to, those that are NULL left out
   */
  private static void addUnknown(
      TableTag tag, OfTable one, int asked, List<Tag> rows, List<Dependencies.Choice> choices) {
    for (int i = 0; i < one.mentions().size(); i++) {
      Restriction each = one.mentions().get(i);
      SchemeTags tags = each.scheme().tags(tag);
      if (one.isFound()) {
        choices.add(
            new Dependencies.Choice(tags.onlyUnknownNew(), Dependencies.ByRows.atLeast(asked)));
      } else {
        rows.add(tags.unknownNew());
      }
      if (one.shown() == Shown.COVERED) {
        choices.add(
            new Dependencies.Choice(
                List.of(tags.unknownOld()), result -> listed(one.table(), tag, result)));
      } else {
        rows.add(tags.unknownOld());
      }
    }
  }

  /** Whoever leaves a list or changes a row of it has a key that the list shows. */
  private static @Nullable List<Tag> listed(KeyTable table, TableTag tag, CachedResult result) {
    KeyScheme key = table.primaryKey();
    return key == null ? null : shown(result, table, key.columns(), key.tags(tag), true);
  }

  private static @Nullable List<Tag> joined(Derived one, TableTag tag, CachedResult result) {
    SchemeTags tags = one.scheme().tags(tag);
    List<Tag> shown = shown(result, one.driving(), one.columns(), tags, false);
    if (shown == null && one.unique()) { // In each row the two are equal.
      shown = shown(result, one.table(), one.scheme().columns(), tags, true);
    }
    if (shown == null) {
      return null;
    }
    shown.add(tag.rows());
    if (!one.unique()) {
      shown.add(tags.unknownNew());
    }
    return shown;
  }

  /** Returns the cells of the values that the rows show, and the tag of rows whose value is not. */
  private static @Nullable List<Tag> shown(
      CachedResult result,
      KeyTable table,
      List<KeyColumn> columns,
      SchemeTags tags,
      boolean neverNull) {
    RowValues values = RowValues.of(result, table.oid(), columns);
    if (values == null || result.mayBeCut()) {
      return null;
    }
    long most = FEW_TAGS + result.weightBytes() / BYTES_A_TAG;
    Set<Tag> shown = new LinkedHashSet<>();
    for (int row = 0; row < result.rows().count(); row++) {
      long hash = values.hash(row);
      if (hash == KeyType.UNKNOWN || (hash == Restriction.NULL && neverNull)) {
        return null;
      }
      if (hash != Restriction.NULL) {
        shown.add(tags.cell(hash));
      }
      if (shown.size() > most) {
        return null;
      }
    }
    shown.add(tags.unknownOld());
    return new ArrayList<>(shown);
  }

  /**
   * A number of another type may be too large for the comparison, which then fails; a pattern of
   * LIKE may fail for the rows that come so far, and so may a cast.
   */
  private boolean mayFail(@Nullable Object[] literals, @Nullable Object[] binds) {
    for (int i = 0; i < doubtful.size(); i++) {
      if (doubtful.get(i).mayFail(literals, binds)) {
        return true;
      }
    }
    for (Object bind : binds) {
      boolean usual = bind instanceof Integer || bind instanceof Long || bind instanceof String;
      boolean fails =
          !usual
              && (bind instanceof BoundValue bound
                  ? bound.mayBeFloat()
                  : bind == null || bind instanceof Double || bind instanceof Float);
      if (fails) {
        return true;
      }
    }
    return false;
  }
}
