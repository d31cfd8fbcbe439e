package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the endpoint and the console show of caches. Stateless. */
final class CacheViews {
  private static final String TABLES = "tables";
  private static final String QUERIES = "queries";
  private static final String BYPASSES = "bypasses";
  private static final String QUARANTINE = "quarantine";
  private static final String ADVICE = "advice";
  private static final String FEED = "feed";

  private static final Set<String> SECTIONS =
      Set.of(TABLES, QUERIES, BYPASSES, QUARANTINE, ADVICE, FEED);

  private CacheViews() {}

  static boolean isSection(String name) {
    return SECTIONS.contains(name);
  }

  static boolean isQuarantine(String section) {
    return section.equals(QUARANTINE);
  }

  static Map<String, @Nullable Object> identity(LarderCache cache) {
    Map<String, @Nullable Object> identity = new LinkedHashMap<>();
    identity.put("cache", cache.name());
    identity.put("database", cache.database());
    return identity;
  }

  static Map<String, @Nullable Object> status(LarderCache cache) {
    Map<String, @Nullable Object> status = identity(cache);
    status.putAll(cache.status());
    status.put("saved_millis", cache.savedTime().toMillis());
    Map<String, Long> bypasses = new LinkedHashMap<>(cache.bypasses());
    bypasses.values().removeIf(count -> count == 0);
    status.put("bypasses_by_reason", bypasses);
    return status;
  }

  /**
   * Returns the rows of a section, of several caches one after the other.
   *
   * @param section see {@link #isSection}
   */
  static Stream<Map<String, @Nullable Object>> rows(
      String section, Collection<LarderCache> caches) {
    return caches.stream()
        .flatMap(cache -> rows(section, cache).stream().map(row -> named(cache, row)));
  }

  private static List<Map<String, @Nullable Object>> rows(String section, LarderCache cache) {
    return switch (section) {
      case TABLES -> cache.tables();
      case QUERIES -> cache.queries();
      case BYPASSES -> cache.bypassTimes();
      case ADVICE -> cache.advice();
      case FEED -> cache.feed();
      default -> cache.quarantine();
    };
  }

  private static Map<String, @Nullable Object> named(
      LarderCache cache, Map<String, @Nullable Object> row) {
    Map<String, @Nullable Object> named = identity(cache);
    named.putAll(row);
    return named;
  }

  /** Compares rows by a column of numbers, the highest first. */
  static Comparator<Map<String, @Nullable Object>> byNumber(String column) {
    return Comparator.comparingDouble(
        row -> row.get(column) instanceof Number number ? -number.doubleValue() : 0);
  }
}
