package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.engine.StatusTable.Row;
import dev.larder.store.EntryOwner.Event;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The counts of a cache by the names that the query caches of pgpool-II and MySQL have for them.
 * Like there, every value is a text. What Larder has no such thing of is 0.
 */
public final class BorrowedStatus {
  private BorrowedStatus() {}

  /** Returns the one row of pgpool-II's {@code SHOW pool_cache}. */
  public static StatusTable poolCache(QueryCache cache) {
    ShapeStatistics sum = cache.statistics();
    String entries = text(cache.entryCounts().entries());
    double ratio = sum.lookups() == 0 ? 0 : (double) sum.hits() / sum.lookups();
    Row row =
        new Row()
            .text("num_cache_hits", text(sum.hits()))
            .text("num_selects", text(sum.misses()))
            .text("cache_hit_ratio", String.format(Locale.ROOT, "%.2f", ratio))
            .text(
                "num_hash_entries", text(cache.config().find(CacheOptions.MAX_ENTRIES).orElse(0L)))
            .text("used_hash_entries", entries)
            .text("num_cache_entries", entries)
            .text("used_cache_entries_size", text(cache.entryCounts().bytes()))
            .text("free_cache_entries_size", text(freeBytes(cache)))
            .text("fragment_cache_entries_size", text(0));
    return StatusTable.of(row, List.of(row));
  }

  /**
   * Returns those rows of MySQL's {@code SHOW STATUS} that are about its query cache.
   *
   * @param pattern which variables, as in LIKE: {@code %}, {@code _}, and a backslash to escape
   *     them
   */
  public static StatusTable qcache(QueryCache cache, String pattern) {
    ShapeStatistics sum = cache.statistics();
    EntryCounts counts = cache.entryCounts();
    Pattern wanted = like(pattern);
    List<Row> rows =
        List.of(
            variable("Qcache_free_blocks", 0),
            variable("Qcache_free_memory", freeBytes(cache)),
            variable("Qcache_hits", sum.hits()),
            variable("Qcache_inserts", sum.of(Count.ADMISSIONS)),
            variable("Qcache_lowmem_prunes", counts.events(Event.EVICTED)),
            variable("Qcache_not_cached", sum.of(Count.BYPASSES) + sum.of(Count.REJECTIONS)),
            variable("Qcache_queries_in_cache", counts.entries()),
            variable("Qcache_total_blocks", counts.entries()));
    return StatusTable.of(
        rows.get(0), rows.stream().filter(row -> wanted.matcher(row.first()).matches()).toList());
  }

  private static Row variable(String name, long value) {
    return new Row().text("Variable_name", name).text("Value", text(value));
  }

  private static long freeBytes(QueryCache cache) {
    return Math.max(0, cache.store().maxBytes() - cache.store().sizeBytes());
  }

  private static String text(long value) {
    return Long.toString(value);
  }

  private static Pattern like(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        regex.append(Pattern.quote(pattern.substring(++i, i + 1)));
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }
}
