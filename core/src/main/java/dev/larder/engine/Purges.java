package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.sql.RelationName;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Forgets some of a cache's results, because somebody asked for it. Thread-safe. */
public final class Purges {
  private final QueryCache cache;

  Purges(QueryCache cache) {
    this.cache = cache;
  }

  /**
   * Makes sure that no result is used again that read the table or what is below or above it, in
   * this and in every other cache of the database; the entries leave when others take their place.
   *
   * @param qualifiedName {@code schema.table}
   * @return false if the catalog does not know the table
   */
  public boolean table(String qualifiedName) {
    CatalogVersion catalog = cache.database().catalog().current();
    WriteSet rows =
        catalog == null ? null : catalog.rowsOf(qualifiedName, cache.database().versions());
    if (rows == null) {
      return false;
    }
    written(rows);
    return true;
  }

  private void written(WriteSet rows) {
    cache.database().publish(cache.database().announce(rows));
    cache.database().invalidateElsewhere(rows);
  }

  /**
   * As {@link #table(String)}, for a name as it is written in SQL.
   *
   * @param searchPath where an unqualified name is looked up
   * @return the table, {@code schema.table}; null if there is no such table. Views are none
   */
  public @Nullable String table(RelationName name, List<String> searchPath) {
    CatalogVersion catalog = cache.database().catalog().current();
    String table = catalog == null ? null : catalog.tableOf(name, searchPath);
    return table != null && table(table) ? table : null;
  }

  /**
   * Forgets the entries of the cache that answer the query, and keeps none that is just being read.
   * Where results are shared, nobody can find all of them, and what the query reads counts as
   * written.
   *
   * @param query the text as {@code SHOW larder.queries} shows it
   * @return how many there were in this JVM
   */
  @SuppressWarnings("ReferenceEquality") // Owners have no other equality.
  public int query(String query) {
    cache.clearing();
    Map<QueryKey, CacheEntry> found = new HashMap<>();
    cache
        .store()
        .forEach(
            (key, entry) -> {
              if (entry.owner() == cache && key.shape().text().equals(query)) {
                found.put(key, entry);
              }
            });
    if (cache.isShared()) {
      Set<TableTag> read = tagsOf(query);
      found.values().forEach(entry -> entry.versions().addTagsTo(read));
      written(new WriteSet(List.copyOf(read), false));
    }
    found.forEach(cache.store()::remove);
    return found.size();
  }

  /** Returns what the query read where it was looked up last. */
  private Set<TableTag> tagsOf(String query) {
    Set<TableTag> read = new HashSet<>();
    for (ShapePlan plan : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = plan.lastMeaning();
      if (meaning != null && plan.shape().text().equals(query)) {
        read.addAll(meaning.statement().readTags());
      }
    }
    return read;
  }

  /** Forgets the entries of the cache that no reader can use any more. */
  @SuppressWarnings("ReferenceEquality") // Owners have no other equality.
  public void superseded() {
    Map<QueryKey, CacheEntry> found = new HashMap<>();
    cache
        .store()
        .forEach(
            (key, entry) -> {
              if (entry.owner() == cache && entry.isSuperseded()) {
                found.put(key, entry);
              }
            });
    found.forEach(cache.store()::remove);
  }
}
