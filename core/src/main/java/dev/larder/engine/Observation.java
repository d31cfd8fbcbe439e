package dev.larder.engine;

import dev.larder.curve.MissRatioCurve;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.store.QueryKey;
import dev.larder.store.TableTag;
import dev.larder.store.VersionVector;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a cache that only observes would have done, beyond what every cache counts: see {@link
 * ObservedLookups}. Thread-safe.
 */
public final class Observation {
  private final MissRatioCurve curve = new MissRatioCurve();
  private final Map<String, LongAdder> wrong = new ConcurrentHashMap<>();
  private final long since = System.nanoTime();

  Observation() {}

  /** Notes that {@code checked} would have been a hit on what was {@code expected}. */
  void hit(Plan plan, Checked checked, Expected expected, long databaseNanos) {
    plan.shape().statistics().observedTime(checked.weight() * databaseNanos);
    kept(checked.miss(), expected.weightBytes(), expected.bornNanos());
  }

  /** Notes that the result of {@code miss} was kept just now. */
  void kept(Miss miss, long weightBytes) {
    kept(miss, weightBytes, System.nanoTime());
  }

  private void kept(Miss miss, long weightBytes, long bornNanos) {
    VersionVector versions = miss.capture().versions();
    if (versions == null) {
      missed();
    } else {
      kept(miss.key(), miss.resolution(), versions.sum(), weightBytes, bornNanos);
    }
  }

  /**
   * Notes that a result would have been kept, or found, under versions with this sum.
   *
   * @param bornNanos when it was put there, by {@link System#nanoTime}; without meaning if it does
   *     not expire
   */
  void kept(QueryKey key, Resolution resolution, long sum, long weightBytes, long bornNanos) {
    long ttl = resolution.timeToLiveNanos();
    List<TableTag> tags = resolution.statement().readTags();
    if (ttl == Long.MAX_VALUE) {
      curve.kept(key.hashCode(), weightBytes, tags, sum, ttl, 0); // Without asking for the time.
    } else {
      long expires = bornNanos - since + ttl;
      curve.kept(key.hashCode(), weightBytes, tags, sum, expires, System.nanoTime() - since);
    }
  }

  /** Notes that a result was not kept, nor would have been. */
  void missed() {
    curve.missed();
  }

  /** Notes that what was kept of these tables was wrong. */
  void wrong(Iterable<String> tables) {
    tables.forEach(table -> wrong.computeIfAbsent(table, name -> new LongAdder()).increment());
  }

  /** Returns which hit ratio a cache of which size would have had. */
  MissRatioCurve curve() {
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
