package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what one cache had no part in, by reasons: bypasses, misses whose results were not kept,
 * and the time that both took at the database. Thread-safe.
 */
final class BypassCounts {
  private static final class Count {
    final LongAdder bypasses = new LongAdder();
    final LongAdder refusals = new LongAdder();
    final LongAdder nanos = new LongAdder();
    final Sampling timing = new Sampling(ALL_TIMED, SAMPLED);
  }

  /** How many bypasses of each reason are all timed, so that few are not told by one of them. */
  private static final int ALL_TIMED = 64;

  /** Of how many bypasses one is timed after that: the clock costs as much as all else. */
  private static final int SAMPLED = 32;

  /**
   * What a reason came to.
   *
   * @param bypasses executions that were not looked up
   * @param refusals misses whose results were not kept
   * @param databaseNanos how long both ran, as far as they succeeded; of many bypasses an estimate
   */
  record Sum(long bypasses, long refusals, long databaseNanos) {}

  /** Never changed once it is made, so that threads may share it. */
  private final Map<BypassReason, Count> counts = new EnumMap<>(BypassReason.class);

  BypassCounts() {
    for (BypassReason reason : BypassReason.values()) {
      counts.put(reason, new Count());
    }
  }

  private Count of(BypassReason reason) {
    Count count = counts.get(reason);
    if (count == null) {
      throw new IllegalStateException(reason.name());
    }
    return count;
  }

  void add(BypassReason reason) {
    of(reason).bypasses.increment();
  }

  /**
   * Returns for how many bypasses the time of the next one is to stand; 0 if it is not to be taken.
   */
  int timingWeight(BypassReason reason) {
    return of(reason).timing.weight();
  }

  /** Adds the time that bypasses ran. */
  void ran(BypassReason reason, long databaseNanos) {
    of(reason).nanos.add(databaseNanos);
  }

  /** Adds a miss whose result was not kept. */
  void refused(BypassReason reason, long databaseNanos) {
    Count count = of(reason);
    count.refusals.increment();
    count.nanos.add(databaseNanos);
  }

  /** Returns the sums, those that are zero included. */
  Map<BypassReason, Sum> byReason() {
    Map<BypassReason, Sum> sums = new EnumMap<>(BypassReason.class);
    counts.forEach(
        (reason, count) ->
            sums.put(
                reason, new Sum(count.bypasses.sum(), count.refusals.sum(), count.nanos.sum())));
    return sums;
  }

  void reset() {
    for (Count count : counts.values()) {
      count.bypasses.reset();
      count.refusals.reset();
      count.nanos.reset();
    }
  }
}
