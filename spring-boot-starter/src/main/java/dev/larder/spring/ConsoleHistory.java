package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.DisposableBean;

/**
 * The hits and misses of the last hour, counted every ten seconds, for the console alone: there is
 * no thread without it. Thread-safe.
 */
final class ConsoleHistory implements DisposableBean {
  static final Duration PERIOD = Duration.ofSeconds(10);
  private static final int KEPT = 360;

  /** What was counted by a moment, since the cache was made. */
  record Point(long millis, long hits, long misses) {
    List<Long> numbers() {
      return List.of(millis, hits, misses);
    }
  }

  private final Ticks ticks = new Ticks("larder-console", PERIOD, this::count);

  /** By the caches that there are; guarded by this. */
  private final Map<LarderCache, ArrayDeque<Point>> points = new HashMap<>();

  ConsoleHistory() {
    ticks.begin();
  }

  private void count() {
    List<LarderCache> caches = LarderCaches.all();
    synchronized (this) {
      points.keySet().retainAll(caches);
      caches.forEach(
          cache -> {
            ArrayDeque<Point> known = points.computeIfAbsent(cache, each -> new ArrayDeque<>());
            known.add(now(cache));
            if (known.size() > KEPT) {
              known.remove();
            }
          });
    }
  }

  private static Point now(LarderCache cache) {
    Map<String, ?> status = cache.status();
    return new Point(
        System.currentTimeMillis(), number(status.get("hits")), number(status.get("misses")));
  }

  private static long number(@org.jspecify.annotations.Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  /** Returns the points of one cache, the oldest first, and the present one. */
  synchronized List<Point> of(LarderCache cache) {
    List<Point> known = new ArrayList<>(points.getOrDefault(cache, new ArrayDeque<>()));
    known.add(now(cache));
    return known;
  }

  @Override
  public void destroy() {
    ticks.end();
  }
}
