package dev.larder.feed;

import dev.larder.catalog.CatalogVersion;
import dev.larder.keys.KeyTable;
import dev.larder.keys.LoggedRow;
import dev.larder.store.KeyTag;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has written, by the changes that the log tells of. It needs bounded memory,
 * however large the transaction is. Not thread-safe.
 */
public final class LoggedTransaction {
  /** More tags of a table's rows than this are any rows. */
  private static final int MOST_TAGS = 1_024;

  private final TableVersions versions;
  private final Supplier<@Nullable CatalogVersion> present;
  private final @Nullable CatalogVersion catalog;
  private final Map<Long, Rows> tables = new HashMap<>();
  private boolean unknown;

  /** The rows of a table. */
  private final class Rows {
    private final List<TableTag> tags;
    private final TableTag tag;
    private @Nullable KeyTable table;
    private final Set<KeyTag> named = new LinkedHashSet<>();

    Rows(CatalogVersion catalog, long relation) {
      this.tags = List.copyOf(catalog.tree().writtenTags(relation, versions));
      this.tag = versions.tag(TableTag.Scope.RELATION, relation);
      KeyTable found = catalog.keyTable(relation);
      this.table = found == null || found.schemes().isEmpty() ? null : found;
    }

    void any() {
      table = null;
      named.clear();
    }

    void add(LoggedRow.@Nullable Values before, LoggedRow.@Nullable Values after) {
      if (table != null) {
        LoggedRow.addTags(table, tag, before, after, named);
        if (named.size() > MOST_TAGS) {
          any();
        }
      }
    }

    WriteSet writes() {
      WriteSet any = new WriteSet(tags, false);
      return table == null ? any : any.withRows(tag, named);
    }
  }

  /**
   * Creates what has written nothing yet.
   *
   * @param present returns the catalog by which tables are known; null for none, then whatever is
   *     written is unknown
   */
  public LoggedTransaction(TableVersions versions, Supplier<@Nullable CatalogVersion> present) {
    this.versions = versions;
    this.present = present;
    this.catalog = present.get();
  }

  /**
   * Returns whether tables are known by the present catalog. Another one may tell rows apart by
   * other columns, so that what was added is not all that was written.
   */
  boolean isPresent() {
    return catalog != null && catalog == present.get();
  }

  /** Adds that anything may have been written. */
  public void anything() {
    unknown = true;
    tables.clear();
  }

  /**
   * Adds that any rows of a relation may have been written.
   *
   * @param relation its object identifier
   */
  public void anyRows(long relation) {
    Rows rows = rows(relation);
    if (rows != null) {
      rows.any();
    }
  }

  /**
   * Adds the change of a row.
   *
   * @param relation its object identifier
   * @param before the row that was there; null where it is new
   * @param after the row that is there now; null where it is gone
   */
  public void row(
      long relation, LoggedRow.@Nullable Values before, LoggedRow.@Nullable Values after) {
    Rows rows = rows(relation);
    if (rows != null) {
      rows.add(before, after);
    }
  }

  /** Returns the rows of a relation; null where anything may be written. */
  private @Nullable Rows rows(long relation) {
    if (unknown) {
      return null;
    }
    Rows known = tables.get(relation);
    if (known == null && catalog != null && catalog.relation(relation) != null) {
      known = new Rows(catalog, relation);
      tables.put(relation, known);
    } else if (known == null) {
      anything();
    }
    return known;
  }

  /** Returns everything that was added. */
  public WriteSet writes() {
    if (tables.isEmpty() && !unknown) {
      return WriteSet.NONE;
    }
    if (unknown || !isPresent()) {
      return WriteSet.UNKNOWN;
    }
    WriteSet writes = WriteSet.NONE;
    for (Rows rows : tables.values()) {
      writes = writes.union(rows.writes());
    }
    return writes;
  }
}
