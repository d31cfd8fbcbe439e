package dev.larder.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each table of the caches of one name was written, as meters. The first {@value #MAX}
 * tables that are written have one each; a database may have thousands, so what is written after
 * them is counted together, as {@value #OTHERS}. Thread-safe.
 */
final class TableMeters {
  static final String NAME = "larder.table.invalidations";
  static final int MAX = 100;
  static final String OTHERS = "(others)";

  private final MeterRegistry registry;
  private final String cache;

  /** What was counted last, by database and table; guarded by this. */
  private final Map<String, Map<String, Long>> last = new HashMap<>();

  /** The sums by table, of those that were ever written; guarded by this. */
  private final Map<String, Long> counts = new HashMap<>();

  /** By table, {@link #OTHERS} included; guarded by this. */
  private final Map<String, Meter> meters = new HashMap<>();

  TableMeters(MeterRegistry registry, String cache) {
    this.registry = registry;
    this.cache = cache;
  }

  /**
   * Takes over how often each table was written, by database. A table that is not named, because no
   * query reads it any more, keeps its count. One whose count is less than before is another one,
   * or was not looked after for a while, and is counted from zero: a counter does not fall.
   */
  synchronized void count(Map<String, Map<String, Long>> now) {
    last.keySet().retainAll(now.keySet());
    now.forEach(
        (database, tables) -> {
          Map<String, Long> before = last.computeIfAbsent(database, name -> new HashMap<>());
          tables.forEach((table, count) -> add(table, before.getOrDefault(table, 0L), count));
          before.putAll(tables);
        });
    List<String> unnamed = new ArrayList<>(counts.keySet());
    unnamed.removeAll(meters.keySet());
    unnamed.sort(Comparator.comparing(counts::get, Comparator.reverseOrder()));
    for (String table : unnamed) {
      String name = meters.size() < MAX ? table : OTHERS;
      meters.computeIfAbsent(name, this::meter);
    }
  }

  /** Call under the lock. */
  private void add(String table, long before, long count) {
    long more = count < before ? count : count - before;
    if (more > 0) {
      counts.merge(table, more, Long::sum);
    }
  }

  private Meter meter(String table) {
    return FunctionCounter.builder(NAME, this, tables -> tables.countOf(table))
        .tags("cache", cache, "table", table)
        .description("Writes that made the results of a table outdated")
        .register(registry);
  }

  private synchronized double countOf(String table) {
    return table.equals(OTHERS)
        ? counts.entrySet().stream()
            .filter(count -> !meters.containsKey(count.getKey()))
            .mapToDouble(Map.Entry::getValue)
            .sum()
        : counts.getOrDefault(table, 0L);
  }

  /** Takes the meters out of the registry. */
  synchronized void remove() {
    meters.values().forEach(registry::remove);
    meters.clear();
  }
}
