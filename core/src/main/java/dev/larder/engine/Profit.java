package dev.larder.engine;

import java.util.Locale;

/**
 * What it has earned, in some time, to look a shape up: the time that hits have saved, less what
 * misses have cost. A value.
 *
 * @param hits how many look-ups were answered from memory
 * @param misses how many were not
 * @param savedNanos what a hit saves: the usual time at the database, less the time of a hit
 * @param costNanos what a miss costs beyond the time at the database
 */
record Profit(long hits, long misses, double savedNanos, double costNanos) {
  /** A loss of this share of what the database takes is borne: it is less than can be measured. */
  private static final double BORNE = 0.01;

  /** What is given up comes back only if it earns so many times what it costs, so as to stay. */
  private static final double ENOUGH = 2;

  /** Returns the look-ups. */
  long lookups() {
    return hits + misses;
  }

  double hitRatio() {
    return lookups() == 0 ? 0 : (double) hits / lookups();
  }

  /** Returns the time that was won, in nanoseconds; negative where it was lost. */
  double nanos() {
    return hits * savedNanos - misses * costNanos;
  }

  /** Returns whether so much is lost that the look-ups should end. */
  boolean isLoss() {
    return isInVain() || nanos() < -BORNE * lookups() * Math.max(0, savedNanos);
  }

  /**
   * Returns whether nothing was hit: what that costs is never worth it, however little it seems.
   */
  boolean isInVain() {
    return hits == 0 && misses > 0;
  }

  /** Returns whether so much is won that the look-ups should begin again. */
  boolean isGain() {
    return hits * savedNanos > ENOUGH * misses * costNanos;
  }

  /** Returns the numbers in words, for status displays. */
  String words() {
    return String.format(
        Locale.ROOT,
        "of %d look-ups %d were hits; a hit saves %.1f µs, a miss costs %.1f µs",
        lookups(),
        hits,
        savedNanos / 1_000,
        costNanos / 1_000);
  }
}
