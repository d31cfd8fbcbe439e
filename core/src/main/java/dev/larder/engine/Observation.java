package dev.larder.engine;

import dev.larder.curve.MissRatioCurve;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Uncaptured;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.result.ResultComparison;
import dev.larder.store.CacheEntry;
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
 * ObservedLookups}. Each hit is compared, but what was wrong was never to be returned. Thread-safe.
 */
public final class Observation extends Verification {
  private final QueryCache cache;
  private final MissRatioCurve curve = new MissRatioCurve();
  private final Map<String, LongAdder> wrong = new ConcurrentHashMap<>();
  private final long since = System.nanoTime();

  Observation(QueryCache cache) {
    super(cache, 1);
    this.cache = cache;
  }

  @Override
  boolean different(Plan plan, Miss miss, Expected expected, ResultComparison comparison) {
    if (cache.config().isFollowing()) {
      // A row may be as old as is declared, and nobody waits here for what is announced.
      inconclusive();
      return true;
    }
    countWrong();
    for (String table : miss.resolution().statement().tables()) {
      wrong.computeIfAbsent(table, name -> new LongAdder()).increment();
    }
    return true;
  }

  @Override
  void executed(Plan plan, Checked checked, Expected expected, long databaseNanos) {
    plan.shape().statistics().add(Count.OBSERVED_NANOS, checked.weight() * databaseNanos);
    Miss miss = checked.miss();
    long born = expected.bornNanos();
    kept(miss.key(), miss.resolution(), expected.sum(), expected.weightBytes(), born);
  }

  @Override
  void expected(ShapeStatistics statistics, Count hit) {
    statistics.add(hit, 1);
  }

  @Override
  public void ran(Plan plan, Uncaptured miss) {
    if (cache.enabled()) {
      miss.renewal().renew(miss.sum());
      plan.shape().statistics().add(Count.ADMISSIONS, 1);
      CacheEntry kept = miss.kept();
      kept(miss.key(), miss.resolution(), miss.sum(), kept.weightBytes(), kept.admittedNanos());
    }
  }

  @Override
  void kept(Miss miss, VersionVector versions, long weightBytes) {
    kept(miss.key(), miss.resolution(), versions.sum(), weightBytes, System.nanoTime());
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

  @Override
  void notKept() {
    curve.missed();
  }

  /**
   * Forgets what was kept for {@code miss}, because its result now would not be; unless that is
   * still what it was, so that others could be answered with it.
   */
  @SuppressWarnings("ReferenceEquality") // Owners have no other equality.
  @Override
  void cannotKeep(Miss miss) {
    CacheEntry entry = cache.store().get(miss.key());
    if (entry != null && entry.owner() == cache) {
      cache.store().remove(miss.key(), entry);
    }
  }

  MissRatioCurve curve() {
    return curve;
  }

  Map<String, Long> wrongByTable() {
    Map<String, Long> counts = new TreeMap<>();
    wrong.forEach((table, count) -> counts.put(table, count.sum()));
    return counts;
  }
}
