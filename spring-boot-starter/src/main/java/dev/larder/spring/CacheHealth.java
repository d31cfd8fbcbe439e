package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the health of the application says of the caches. It never says that the application is
 * down: without its cache it works as before. Stateless.
 */
final class CacheHealth {
  private CacheHealth() {}

  /** Returns the details, by the names of the caches and databases. */
  static Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    for (LarderCache cache : LarderCaches.all()) {
      Map<String, @Nullable Object> status = cache.status();
      Map<String, @Nullable Object> shown = new LinkedHashMap<>();
      for (String column : new String[] {"enabled", "entries", "size_bytes", "hit_ratio", "feed"}) {
        if (status.get(column) != null) {
          shown.put(column, status.get(column));
        }
      }
      details.put(cache.toString(), shown);
    }
    return details;
  }
}
