package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;

/** The caches of one name, as meters show them. Thread-safe. */
final class CacheGroup {
  /** A column that only caches have whose results other JVMs share. */
  static final String BREAKER = "breaker";

  /** A column that only caches have that follow the writes of others. */
  static final String FEED = "feed";

  /** What the caches of one database have in common. */
  private static final Set<String> OF_DATABASES =
      Set.of(
          "outages",
          "barrier_runs",
          "undecodable",
          "unsettled_versions",
          "feed_commits",
          "feed_losses");

  private final String name;

  CacheGroup(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  private List<LarderCache> caches() {
    return LarderCaches.all().stream().filter(cache -> cache.name().equals(name)).toList();
  }

  /** Returns the sum of a column of {@link LarderCache#status()}. */
  double sum(String column) {
    Map<String, Double> sums = new HashMap<>();
    BinaryOperator<Double> merger = OF_DATABASES.contains(column) ? Math::max : Double::sum;
    caches().forEach(cache -> sums.merge(cache.database(), number(cache, column), merger));
    return sums.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  double max(String column) {
    return caches().stream().mapToDouble(cache -> number(cache, column)).max().orElse(0);
  }

  double hitRatio() {
    double hits = sum("hits");
    double asked = hits + sum("misses");
    return asked == 0 ? Double.NaN : hits / asked;
  }

  double enabled() {
    return caches().stream().allMatch(LarderCache::enabled) ? 1 : 0;
  }

  double breaker() {
    return caches().stream()
            .map(cache -> cache.status().getOrDefault(BREAKER, "closed"))
            .allMatch("closed"::equals)
        ? 0
        : 1;
  }

  double feedIsLive() {
    return caches().stream().map(cache -> cache.status().get(FEED)).allMatch("live"::equals)
        ? 1
        : 0;
  }

  double savedNanos() {
    return caches().stream().mapToDouble(cache -> cache.savedTime().toNanos()).sum();
  }

  /**
   * Returns how many writes there were of one reach, a column of {@link LarderCache#status()}: once
   * for each database, whose caches have them in common.
   */
  double writes(String column) {
    Map<String, Double> byDatabase = new HashMap<>();
    caches().forEach(cache -> byDatabase.put(cache.database(), number(cache, column)));
    return byDatabase.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** By database, for the caches of one have its tables in common. */
  Map<String, Map<String, Long>> invalidations() {
    Map<String, Map<String, Long>> all = new HashMap<>();
    for (LarderCache cache : caches()) {
      Map<String, Long> counts = all.computeIfAbsent(cache.database(), name -> new HashMap<>());
      cache.invalidations().forEach((table, count) -> counts.merge(table, count, Math::max));
    }
    return all;
  }

  double bypasses(String reason) {
    return caches().stream().mapToDouble(cache -> cache.bypasses().getOrDefault(reason, 0L)).sum();
  }

  private static double number(LarderCache cache, String column) {
    return cache.status().get(column) instanceof Number number ? number.doubleValue() : 0;
  }
}
