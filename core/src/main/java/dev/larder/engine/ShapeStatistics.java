package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what happened to the executions of one shape. Thread-safe; a hit costs one adder. */
public final class ShapeStatistics {
  /** How many executions of a shape are all observed, so that a wrong result is found at once. */
  static final int ALL_OBSERVED = 1_000;

  /** Of how many executions one is observed after that. */
  static final int OBSERVED = 4;

  private final LongAdder nearHits = new LongAdder();
  private final LongAdder remoteHits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder bypasses = new LongAdder();
  private final LongAdder admissions = new LongAdder();
  private final LongAdder rejections = new LongAdder();
  private final LongAdder databaseNanos = new LongAdder();
  private final LongAdder observedNanos = new LongAdder();
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
    nearHits.increment();
  }

  /** A hit of a result that another JVM may have read, fetched from what JVMs share. */
  void remoteHit() {
    remoteHits.increment();
  }

  void miss() {
    misses.increment();
  }

  void bypass(BypassReason reason) {
    bypasses.increment();
    note(reason);
  }

  private void note(BypassReason reason) {
    if (lastReason != reason) {
      lastReason = reason;
    }
  }

  void admitted() {
    admissions.increment();
  }

  void rejected(@Nullable BypassReason reason) {
    rejections.increment();
    if (reason != null) {
      note(reason);
    }
  }

  void databaseTime(long nanos) {
    databaseNanos.add(nanos);
  }

  void observedTime(long nanos) {
    observedNanos.add(nanos);
  }

  void add(ShapeStatistics other) {
    nearHits.add(other.nearHits());
    remoteHits.add(other.remoteHits());
    misses.add(other.misses());
    bypasses.add(other.bypasses());
    admissions.add(other.admissions());
    rejections.add(other.rejections());
    databaseNanos.add(other.databaseNanos());
    observedNanos.add(other.observedNanos());
  }

  void reset() {
    nearHits.reset();
    remoteHits.reset();
    misses.reset();
    bypasses.reset();
    admissions.reset();
    rejections.reset();
    databaseNanos.reset();
    observedNanos.reset();
    lastReason = null;
  }

  /** Returns how many executions were answered from the cache. */
  public long hits() {
    return nearHits.sum() + remoteHits.sum();
  }

  /** Returns how many of the hits were of what this JVM holds itself. */
  public long nearHits() {
    return nearHits.sum();
  }

  /** Returns how many of the hits were fetched from what several JVMs share. */
  public long remoteHits() {
    return remoteHits.sum();
  }

  /** Returns how many executions could have been answered from the cache but were not in it. */
  public long misses() {
    return misses.sum();
  }

  /** Returns how many executions had nothing to do with the cache. */
  public long bypasses() {
    return bypasses.sum();
  }

  /** Returns how many results were kept. */
  public long admissions() {
    return admissions.sum();
  }

  /** Returns how many results of misses were not kept. */
  public long rejections() {
    return rejections.sum();
  }

  /** Returns the time that misses spent at the database, in nanoseconds. */
  public long databaseNanos() {
    return databaseNanos.sum();
  }

  /** Returns the time that what would have been hits spent at the database, in nanoseconds. */
  public long observedNanos() {
    return observedNanos.sum();
  }

  /** Returns why the last result that was not kept was not, or null. */
  public @Nullable BypassReason lastReason() {
    return lastReason;
  }
}
