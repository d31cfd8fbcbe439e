package dev.larder.jdbc;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.bypass.BypassReason;
import dev.larder.engine.Advice;
import dev.larder.engine.CacheStatus;
import dev.larder.engine.DatabaseIdentity;
import dev.larder.engine.FeedTable;
import dev.larder.engine.QueryCache;
import dev.larder.engine.SettingsText;
import dev.larder.engine.StatusTable;
import dev.larder.engine.StatusTable.Column;
import dev.larder.engine.TableStatus;
import dev.larder.log.MessageText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One cache, to watch and to switch: what {@code SHOW larder.…} and {@code RESET larder.…} do in
 * SQL. Two are equal if they stand for the same cache. Thread-safe.
 */
public final class LarderCache {
  private final QueryCache cache;

  LarderCache(QueryCache cache) {
    this.cache = cache;
  }

  /** {@return the name from its settings; several caches may have the same} */
  public String name() {
    return cache.config().get(CacheOptions.NAME);
  }

  /**
   * {@return which database it is: the cluster's system identifier and the database's object
   * identifier, with a slash between}
   */
  public String database() {
    DatabaseIdentity identity = cache.database().identity();
    return identity.systemIdentifier() + '/' + identity.databaseOid();
  }

  /** {@return its settings} */
  public QueryCacheConfig config() {
    return cache.config();
  }

  /** {@return its settings as text, by their names: those in force that are not empty} */
  public Map<String, String> settings() {
    return SettingsText.of(cache);
  }

  /** {@return whether it is switched on for the JVM} */
  public boolean enabled() {
    return cache.enabled();
  }

  /**
   * Switches it on or off for the JVM; writes invalidate all the same.
   *
   * @param on whether its results are used
   */
  public void enabled(boolean on) {
    cache.enabled(on);
  }

  /**
   * {@return the row of {@code SHOW larder.cache}, by the names of its columns: {@code Long},
   * {@code Double}, {@code Boolean}, {@code Instant}, {@code String} or null}
   */
  public Map<String, @Nullable Object> status() {
    return rows(CacheStatus.cache(cache)).get(0);
  }

  /** {@return the rows of {@code SHOW larder.tables}; see {@link #status()}} */
  public List<Map<String, @Nullable Object>> tables() {
    return rows(TableStatus.tables(cache));
  }

  /**
   * {@return how many writes each table had that made its results outdated, by {@code
   * schema.table}, of those tables that a known query reads} Cheaper than {@link #tables()}.
   */
  public Map<String, Long> invalidations() {
    return TableStatus.invalidations(cache);
  }

  /** {@return the rows of {@code SHOW larder.queries}; see {@link #status()}} */
  public List<Map<String, @Nullable Object>> queries() {
    return rows(CacheStatus.queries(cache));
  }

  /** {@return the rows of {@code SHOW larder.advice}; see {@link #status()}} */
  public List<Map<String, @Nullable Object>> advice() {
    return rows(Advice.of(cache));
  }

  /** {@return the row of {@code SHOW larder.feed}; see {@link #status()}} */
  public List<Map<String, @Nullable Object>> feed() {
    return rows(FeedTable.of(cache));
  }

  /** {@return the rows of {@code SHOW larder.quarantine}; see {@link #status()}} */
  public List<Map<String, @Nullable Object>> quarantine() {
    return rows(CacheStatus.quarantine(cache));
  }

  /**
   * Lets tables be cached again that are in quarantine, for every cache of the database.
   *
   * @return their names
   */
  public List<String> releaseQuarantine() {
    return cache.database().quarantine().release().stream().map(MessageText::escaped).toList();
  }

  /**
   * {@return how often each reason kept an execution out of the cache} Every reason is there, by a
   * name such as {@code own-writes}.
   */
  public Map<String, Long> bypasses() {
    Map<String, Long> named = new LinkedHashMap<>();
    for (Map.Entry<BypassReason, Long> count : CacheStatus.bypasses(cache).entrySet()) {
      named.put(nameOf(count.getKey()), count.getValue());
    }
    return named;
  }

  /**
   * {@return the rows of {@code SHOW larder.bypasses}, those reasons first that cost most time at
   * the database; see {@link #status()}}
   */
  public List<Map<String, @Nullable Object>> bypassTimes() {
    return rows(CacheStatus.bypassTimes(cache));
  }

  static String nameOf(BypassReason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** {@return the time at the database that hits have saved, by the mean time of the misses} */
  public Duration savedTime() {
    return Duration.ofNanos(CacheStatus.savedNanos(cache));
  }

  /** Makes sure that no result that it holds now is used again, and forgets them all. */
  public void clear() {
    cache.database().invalidateEverywhere();
    cache.clear();
  }

  /**
   * Makes sure that no result that read the table is used again, in any cache of the database.
   *
   * @param table {@code schema.table}, as {@link #tables()} names it
   * @return false if there is no such table
   */
  public boolean clearTable(String table) {
    return cache.purges().table(table);
  }

  /**
   * Forgets the results of one query. Where they are shared with other JVMs, other results are
   * forgotten with them: those of all tables that it reads.
   *
   * @param query its text, as {@link #queries()} shows it
   * @return how many results of the query there were in this JVM
   */
  public int clearQuery(String query) {
    return cache.purges().query(query);
  }

  /** Sets every count to zero. */
  public void resetStatistics() {
    cache.resetStatistics();
  }

  private static List<Map<String, @Nullable Object>> rows(StatusTable table) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (List<@Nullable String> values : table.rows()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i++) {
        Column column = table.columns().get(i);
        row.put(column.name(), value(column.type(), values.get(i)));
      }
      rows.add(row);
    }
    return rows;
  }

  private static @Nullable Object value(StatusTable.Type type, @Nullable String text) {
    if (text == null) {
      return null;
    }
    return switch (type) {
      case TEXT -> text;
      case INT8 -> Long.valueOf(text);
      case FLOAT8 -> Double.valueOf(text);
      case BOOL -> text.equals("t");
      case TIMESTAMPTZ -> Instant.parse(text.replace(' ', 'T').replace("+00", "Z"));
    };
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Caches have no other equality.
  public boolean equals(@Nullable Object other) {
    return other instanceof LarderCache that && cache == that.cache;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(cache);
  }

  /** {@return the name and the database} */
  @Override
  public String toString() {
    return name() + '@' + database();
  }
}
