package dev.larder.keys;

import dev.larder.store.ColumnTags;
import dev.larder.store.KeyTag;
import dev.larder.store.ProtocolStep;
import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of its table a write can change: for each scheme the values that rows have before, and
 * those that they come to. Immutable and thread-safe.
 *
 * @param literals how many literals the statement has
 * @param table the table
 * @param schemes one for each of the table
 * @param sets the numbers of the columns that are set in rows that stay; null where rows come or go
 */
public record WritePattern(
    int literals, KeyTable table, List<OfScheme> schemes, @Nullable List<Integer> sets) {
  /** Columns beyond this number are not told apart, in one write. */
  private static final int MOST_COLUMNS = 4;

  /**
   * What is known by one scheme.
   *
   * @param old the values of rows that are changed or deleted; null where they are not known
   * @param changesRows whether rows that exist are changed or deleted
   * @param made the values that rows come to; null where they are not known
   * @param makesRows whether rows come to values that they did not have
   * @param replaces whether the rows that are changed are those that have the values of {@code
   *     made}
   */
  record OfScheme(
      KeyScheme scheme,
      boolean changesRows,
      @Nullable Restriction old,
      boolean makesRows,
      @Nullable Restriction made,
      boolean replaces) {
    static OfScheme changed(KeyScheme scheme, @Nullable Restriction old) {
      return new OfScheme(scheme, true, old, false, null, false);
    }

    static OfScheme made(KeyScheme scheme, @Nullable Restriction made) {
      return new OfScheme(scheme, false, null, true, made, false);
    }

    static OfScheme moved(KeyScheme scheme, @Nullable Restriction old, @Nullable Restriction made) {
      return new OfScheme(scheme, true, old, true, made, false);
    }

    static OfScheme replaced(KeyScheme scheme, Restriction made) {
      return new OfScheme(scheme, true, null, true, made, true);
    }
  }

  /**
   * Returns the tags of the rows that one execution can change, or null where they may be any.
   *
   * @param tag the table's
   * @param own whether the transaction has itself inserted all rows that it changes or deletes, so
   *     that nobody else has read their old values
   */
  public @Nullable List<KeyTag> rows(
      TableTag tag, @Nullable Object[] literals, @Nullable Object[] binds, boolean own) {
    if (literals.length != this.literals) {
      return null;
    }
    List<KeyTag> rows = new ArrayList<>(2 * schemes.size());
    for (OfScheme one : schemes) {
      SchemeTags tags = one.scheme().tags(tag);
      if (one.replaces()) {
        if (!add(one.made(), tags, literals, binds, true, tags.unknownNew(), rows)) {
          rows.add(tags.unknownOld());
        }
        continue;
      }
      if (one.changesRows() && (!one.makesRows() || ProtocolStep.NAME_OLD_VALUES.isTaken())) {
        add(one.old(), tags, literals, binds, false, own ? null : tags.unknownOld(), rows);
      }
      if (one.makesRows() && (!one.changesRows() || ProtocolStep.NAME_NEW_VALUES.isTaken())) {
        add(one.made(), tags, literals, binds, true, tags.unknownNew(), rows);
      }
    }
    addColumns(tag.columns(), rows);
    return rows;
  }

  /**
   * Returns the keys of the rows that one execution inserts, as many for each row as unique keys
   * are known; empty where it does not only insert, or none is known.
   */
  public List<RowKey> inserted(@Nullable Object[] literals, @Nullable Object[] binds) {
    return literals.length == this.literals && schemes.stream().noneMatch(OfScheme::changesRows)
        ? keys(schemes.stream(), OfScheme::made, literals, binds, true).toList()
        : List.of();
  }

  /** Returns whether every row that one execution can change or delete is one of {@code those}. */
  public boolean changesOnly(
      Set<RowKey> those, @Nullable Object[] literals, @Nullable Object[] binds) {
    return literals.length == this.literals
        && schemes.stream().noneMatch(OfScheme::replaces)
        && schemes.stream()
            .filter(OfScheme::changesRows)
            .map(one -> keys(Stream.of(one), OfScheme::old, literals, binds, false).toList())
            .anyMatch(keys -> !keys.isEmpty() && those.containsAll(keys));
  }

  private Stream<RowKey> keys(
      Stream<OfScheme> of,
      Function<OfScheme, @Nullable Restriction> values,
      @Nullable Object[] literals,
      @Nullable Object[] binds,
      boolean stored) {
    return of.filter(one -> one.scheme().unique())
        .flatMap(
            one -> {
              Restriction restriction = values.apply(one);
              List<List<Object>> known =
                  restriction == null ? null : restriction.known(literals, binds, stored);
              List<Integer> columns =
                  one.scheme().columns().stream().map(KeyColumn::number).toList();
              return known == null
                  ? Stream.of()
                  : known.stream().map(each -> new RowKey(table.oid(), columns, each));
            });
  }

  private void addColumns(ColumnTags columns, List<KeyTag> rows) {
    if (sets == null) {
      rows.add(columns.rowsComeAndGo());
    } else if (sets.size() > MOST_COLUMNS) {
      rows.add(columns.manyColumns());
    } else {
      for (int number : sets) {
        rows.add(columns.named(number));
      }
    }
  }

  /** Adds the cells of {@code values}, or {@code otherwise}, if any, where they are not known. */
  private static boolean add(
      @Nullable Restriction values,
      SchemeTags tags,
      @Nullable Object[] literals,
      @Nullable Object[] binds,
      boolean stored,
      @Nullable KeyTag otherwise,
      List<KeyTag> rows) {
    if (values == null || !values.addCells(tags, literals, binds, stored, rows)) {
      if (otherwise != null) {
        rows.add(otherwise);
      }
      return false;
    }
    return true;
  }
}
