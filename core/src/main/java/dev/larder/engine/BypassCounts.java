package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Counts what one cache had no part in, by reasons: bypasses, misses whose results were not kept,
 * and the time that both took at the database. Thread-safe.
 */
@SuppressWarnings("EnumOrdinal") // An index of an array that is made and read here alone.
final class BypassCounts {
  /** How many bypasses of each reason are all timed, so that a few are not judged by one. */
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
  record Sum(BypassReason reason, long bypasses, long refusals, long databaseNanos) {
    boolean isEmpty() {
      return bypasses + refusals == 0;
    }
  }

  private final Counters<BypassReason> bypasses = new Counters<>(BypassReason.class);
  private final Counters<BypassReason> refusals = new Counters<>(BypassReason.class);
  private final Counters<BypassReason> nanos = new Counters<>(BypassReason.class);
  private final Sampling[] timing = new Sampling[BypassReason.values().length];

  BypassCounts() {
    Arrays.setAll(timing, reason -> new Sampling(ALL_TIMED, SAMPLED));
  }

  void add(BypassReason reason) {
    bypasses.add(reason, 1);
  }

  /** Returns for how many bypasses the time of the next one stands; 0 if it is not to be taken. */
  int timingWeight(BypassReason reason) {
    return timing[reason.ordinal()].weight();
  }

  void ran(BypassReason reason, long databaseNanos) {
    nanos.add(reason, databaseNanos);
  }

  void refused(BypassReason reason, long databaseNanos) {
    refusals.add(reason, 1);
    nanos.add(reason, databaseNanos);
  }

  /** Returns what every reason came to, those first that took longest at the database. */
  List<Sum> sums() {
    return Arrays.stream(BypassReason.values())
        .map(
            reason ->
                new Sum(reason, bypasses.sum(reason), refusals.sum(reason), nanos.sum(reason)))
        .sorted(Comparator.comparingLong(Sum::databaseNanos).reversed())
        .toList();
  }

  void reset() {
    bypasses.reset();
    refusals.reset();
    nanos.reset();
  }
}
