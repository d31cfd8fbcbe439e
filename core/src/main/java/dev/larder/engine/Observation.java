package dev.larder.engine;

import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.store.VersionVector;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a cache that only observes would have done. It keeps results as if it were on, so that hits,
 * misses and evictions are those of a cache that is; but the database answers every execution, and
 * what would have been a hit is compared with its answer. Thread-safe.
 */
public final class Observation {
  private final HitCurve curve = new HitCurve();
  private final Map<String, LongAdder> wrong = new ConcurrentHashMap<>();
  private final long since = System.nanoTime();

  Observation() {}

  /** Notes that {@code miss} would have been a hit on what was {@code expected}. */
  void hit(Plan plan, Miss miss, Expected expected, long databaseNanos) {
    plan.shape().statistics().observedTime(databaseNanos);
    kept(miss, expected.weightBytes(), expected.bornNanos(), System.nanoTime());
  }

  /** Notes that the result of {@code miss} was kept just now. */
  void kept(Miss miss, long weightBytes) {
    long now = System.nanoTime();
    kept(miss, weightBytes, now, now);
  }

  private void kept(Miss miss, long weightBytes, long bornNanos, long nowNanos) {
    VersionVector versions = miss.capture().versions();
    if (versions == null) {
      missed(miss);
      return;
    }
    long ttl = miss.resolution().timeToLiveNanos();
    long expires = ttl == Long.MAX_VALUE ? Long.MAX_VALUE : bornNanos - since + ttl;
    curve.kept(miss.key().hashCode(), weightBytes, versions, expires, nowNanos - since);
  }

  /** Notes that the result of {@code miss} was not kept, nor would have been. */
  void missed(Miss miss) {
    curve.missed(miss.key().hashCode());
  }

  /** Notes that what was kept of these tables was wrong. */
  void wrong(Iterable<String> tables) {
    tables.forEach(table -> wrong.computeIfAbsent(table, name -> new LongAdder()).increment());
  }

  /** Returns which hit ratio a cache of which size would have had. */
  HitCurve curve() {
    return curve;
  }

  /** Returns how many wrong results there were of each table. */
  Map<String, Long> wrongByTable() {
    Map<String, Long> counts = new TreeMap<>();
    wrong.forEach((table, count) -> counts.put(table, count.sum()));
    return counts;
  }

  /** Returns for how long it has been observed, in nanoseconds. */
  long nanos() {
    return System.nanoTime() - since;
  }
}
