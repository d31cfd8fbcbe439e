package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.log.MessageText;
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
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Forgets some of a cache's results, because somebody asked for it. Thread-safe. */
public final class Purges {
  private final QueryCache cache;

  Purges(QueryCache cache) {
    this.cache = cache;
  }

  /**
   * Outdates what read the table, or a table below or above it, in every cache of the database.
   *
   * @param qualifiedName {@code schema.table}
   * @return false if the catalog does not know the table
   */
  public boolean table(String qualifiedName) {
    CatalogVersion catalog = cache.database().catalog().current();
    WriteSet rows =
        catalog == null ? null : catalog.rowsOf(named(qualifiedName), cache.database().versions());
    if (rows != null) {
      cache.database().written(rows);
    }
    return rows != null;
  }

  /** Returns the name of the table that is shown so: its name may have escapes. */
  private String named(String shown) {
    Set<String> found = new TreeSet<>();
    if (shown.indexOf('\\') >= 0) {
      TableStatus.forEachTable(
          cache,
          (table, shape) -> {
            if (isShownAs(shown, table)) {
              found.add(table);
            }
          });
    }
    return found.isEmpty() ? shown : found.iterator().next();
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
   * Forgets the entries of the cache that answer the query, and those that are just being read.
   * Where results are shared nobody can find all of them, so all tables that the query reads count
   * as written.
   *
   * @param query the text as {@code SHOW larder.queries} shows it
   * @return how many there were in this JVM
   */
  public int query(String query) {
    cache.clearing();
    Map<QueryKey, CacheEntry> found = entries((key, entry) -> isShownAs(query, key.shape().text()));
    if (cache.isShared()) {
      Set<TableTag> read = tagsOf(query);
      found.values().forEach(entry -> entry.versions().addTablesTo(read));
      cache.database().written(new WriteSet(List.copyOf(read), false));
    }
    found.forEach(cache.store()::remove);
    return found.size();
  }

  private static boolean isShownAs(String shown, String text) {
    return MessageText.escaped(text).equals(shown) || text.equals(shown);
  }

  private Set<TableTag> tagsOf(String query) {
    Set<TableTag> read = new HashSet<>();
    for (ShapePlan plan : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = plan.lastMeaning();
      if (meaning != null && isShownAs(query, plan.shape().text())) {
        read.addAll(meaning.statement().readTags());
      }
    }
    return read;
  }

  /** Forgets the entries of the cache that no reader can use any more. */
  public void superseded() {
    entries((key, entry) -> entry.isSuperseded()).forEach(cache.store()::remove);
  }

  private Map<QueryKey, CacheEntry> entries(BiPredicate<QueryKey, CacheEntry> condition) {
    Map<QueryKey, CacheEntry> found = new HashMap<>();
    cache.forEachEntry(
        (key, entry) -> {
          if (condition.test(key, entry)) {
            found.put(key, entry);
          }
        });
    return found;
  }
}
