package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import org.jspecify.annotations.Nullable;

/** Counts what happened to the executions of one shape. Thread-safe; a hit costs one adder. */
public final class ShapeStatistics {
  /** How many executions of a shape are all observed, so that a wrong result is found at once. */
  static final int ALL_OBSERVED = 1_000;

  /** Of how many executions one is observed after that. */
  static final int OBSERVED = 4;

  /** What is counted. */
  public enum Count {
    /** Hits of what this JVM holds. */
    NEAR_HITS,
    /** Hits of shared results, which another JVM may have read. */
    REMOTE_HITS,
    /** Executions that reached the database and whose result might have been kept. */
    MISSES,
    /** Executions that the cache had no part in. */
    BYPASSES,
    /** Misses whose result was kept. */
    ADMISSIONS,
    /** Misses whose result was not kept. */
    REJECTIONS,
    /** Misses of queries that Larder has asked by itself, for which nobody waited. */
    BACKGROUND,
    /** Misses that had been hits if the database had not been asked to verify them. */
    VERIFIED,
    /** What the kept results weighed. */
    KEPT_BYTES,
    /** The time that misses spent at the database. */
    DATABASE_NANOS,
    /** The time at the database of what would have been hits, where the cache only observes. */
    OBSERVED_NANOS
  }

  private final Counters<Count> counts = new Counters<>(Count.class);
  private final Sampling observed = new Sampling(ALL_OBSERVED, OBSERVED);
  private volatile @Nullable BypassReason lastReason;

  ShapeStatistics() {}

  /**
   * Returns for how many executions the next one is to stand where the cache only observes; 0 if it
   * is only to be counted.
   */
  int observedWeight() {
    return observed.weight();
  }

  void hit() {
    counts.add(Count.NEAR_HITS, 1);
  }

  void miss() {
    counts.add(Count.MISSES, 1);
  }

  void bypass(BypassReason reason) {
    counts.add(Count.BYPASSES, 1);
    note(reason);
  }

  void rejected(@Nullable BypassReason reason) {
    counts.add(Count.REJECTIONS, 1);
    if (reason != null) {
      note(reason);
    }
  }

  private void note(BypassReason reason) {
    if (lastReason != reason) {
      lastReason = reason;
    }
  }

  void add(Count count, long more) {
    counts.add(count, more);
  }

  void add(ShapeStatistics other) {
    counts.addAll(other.counts);
  }

  void reset() {
    counts.reset();
    lastReason = null;
  }

  /** Returns one of the counts. */
  public long of(Count count) {
    return counts.sum(count);
  }

  /** Returns how many executions were answered from the cache. */
  public long hits() {
    return of(Count.NEAR_HITS) + of(Count.REMOTE_HITS);
  }

  /** Returns how many executions were hits or misses. */
  public long lookups() {
    return hits() + misses();
  }

  /** Returns how many executions of the application's reached the database as misses. */
  public long misses() {
    return of(Count.MISSES) - of(Count.BACKGROUND);
  }

  /** Returns the mean time of a miss at the database, in nanoseconds; 0 without misses. */
  public double meanNanos() {
    long misses = of(Count.MISSES);
    return misses == 0 ? 0 : (double) of(Count.DATABASE_NANOS) / misses;
  }

  /** Returns the time that hits have saved, as far as the mean time of the misses says. */
  public long savedNanos() {
    long measured = of(Count.OBSERVED_NANOS);
    return measured > 0 ? measured : (long) (meanNanos() * hits());
  }

  /** Returns why the last result that was not kept was not, or null. */
  public @Nullable BypassReason lastReason() {
    return lastReason;
  }
}
