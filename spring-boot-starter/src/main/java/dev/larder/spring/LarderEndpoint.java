package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/**
 * {@code /actuator/larder}: what the caches hold and do, and their switches. A parameter {@code
 * cache} picks the caches of one name; without it an operation is about all of this JVM.
 * Thread-safe.
 */
@Endpoint(id = "larder")
public class LarderEndpoint {
  private static final int DEFAULT_LIMIT = 100;

  LarderEndpoint() {}

  /**
   * {@return the counts of every cache}
   *
   * @param cache the name of some, or null
   */
  @ReadOperation
  public Map<String, Object> status(@Nullable String cache) {
    return Map.of("caches", caches(cache).map(CacheViews::status).toList());
  }

  /**
   * {@return the rows of {@code tables}, {@code queries}, {@code bypasses}, {@code quarantine},
   * {@code advice} or {@code feed}}
   *
   * @param section one of these; another is not found
   * @param cache the name of some caches, or null
   * @param sort the column by which the rows are sorted, the highest first; null for the order of
   *     SQL, which for queries is by the time saved
   * @param reason only queries with this text in their bypass reason, or null
   * @param limit how many rows at most, 100 if null
   */
  @ReadOperation
  public @Nullable Map<String, Object> rows(
      @Selector String section,
      @Nullable String cache,
      @Nullable String sort,
      @Nullable String reason,
      @Nullable Integer limit) {
    if (!CacheViews.isSection(section)) {
      return null;
    }
    Stream<Map<String, @org.jspecify.annotations.Nullable Object>> rows =
        CacheViews.rows(section, caches(cache).toList());
    if (reason != null) {
      rows = rows.filter(row -> Objects.toString(row.get("bypass_reason"), "").contains(reason));
    }
    if (sort != null) {
      rows = rows.sorted(CacheViews.byNumber(sort));
    }
    return Map.of(section, rows.limit(limit == null ? DEFAULT_LIMIT : limit).toList());
  }

  /**
   * Switches caches on or off for the JVM; writes invalidate all the same.
   *
   * @param enabled whether on
   * @param cache the name of some, or null
   * @return what {@link #status} does afterwards
   */
  @WriteOperation
  public Map<String, Object> enable(boolean enabled, @Nullable String cache) {
    caches(cache).forEach(each -> each.enabled(enabled));
    return status(cache);
  }

  /**
   * Forgets results: those that read a table, in every cache of its database; those of a query; or
   * all.
   *
   * @param table {@code schema.table}, or null
   * @param query the text as {@code queries} shows it, or null
   * @param cache the name of some caches, or null
   * @return what is known by that name or text, for each cache that was asked
   */
  @DeleteOperation
  public Map<String, Object> clear(
      @Nullable String table, @Nullable String query, @Nullable String cache) {
    List<Map<String, @org.jspecify.annotations.Nullable Object>> cleared = new ArrayList<>();
    caches(cache)
        .forEach(
            each -> {
              Map<String, @org.jspecify.annotations.Nullable Object> row =
                  CacheViews.identity(each);
              if (table != null) {
                row.put("table_known", each.clearTable(table));
              }
              if (query != null) {
                row.put("entries_cleared", each.clearQuery(query));
              }
              if (table == null && query == null) {
                each.clear();
              }
              cleared.add(row);
            });
    return Map.of("cleared", cleared);
  }

  /**
   * Lets tables be cached again of which wrong rows were found.
   *
   * @param section {@code quarantine}; of another there is nothing to release
   * @param cache the name of some caches, or null
   * @return the tables, for each cache that was asked
   */
  @DeleteOperation
  public @Nullable Map<String, Object> release(@Selector String section, @Nullable String cache) {
    if (!CacheViews.isQuarantine(section)) {
      return null;
    }
    List<Map<String, @org.jspecify.annotations.Nullable Object>> released = new ArrayList<>();
    caches(cache)
        .forEach(
            each -> {
              Map<String, @org.jspecify.annotations.Nullable Object> row =
                  CacheViews.identity(each);
              row.put("tables", each.releaseQuarantine());
              released.add(row);
            });
    return Map.of("released", released);
  }

  private static Stream<LarderCache> caches(@Nullable String name) {
    return LarderCaches.all().stream().filter(cache -> name == null || cache.name().equals(name));
  }
}
