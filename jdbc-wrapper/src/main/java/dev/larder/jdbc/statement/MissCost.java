package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Admissions;
import dev.larder.engine.Lookup;
import dev.larder.engine.ShapePlan;

/**
 * Measures on one connection what it costs to look queries up in vain and to keep their results, by
 * a share of the misses. After such a miss the next look-up is timed, so that hits among hits take
 * no part; one that is left alone because it does not pay leaves that to the next. Where results
 * are shared with other JVMs, a hit may take longer than the database does: then a share of the
 * hits is timed, too. Confined to the thread that uses the connection.
 */
final class MissCost {
  private static final int SHARE = 16;

  /** Stands for a time that was not taken. */
  private static final long UNKNOWN = -1;

  private final Admissions admissions;

  /** Whether the next look-up is to be timed. */
  boolean isDue;

  private final boolean shared;
  private int untilNext = 2;
  private int hitsUntilNext = 1;
  private long lookupNanos = UNKNOWN;

  /**
   * Creates the measure.
   *
   * @param shared whether results are shared with other JVMs
   */
  MissCost(Admissions admissions, boolean shared) {
    this.admissions = admissions;
    this.shared = shared;
  }

  /** Notes a hit that was not timed, where results are shared. */
  void remoteHit() {
    if (--hitsUntilNext <= 0) {
      isDue = true;
      hitsUntilNext = SHARE;
    }
  }

  /** Ends a look-up that was due. */
  void lookedUp(ShapePlan shape, Lookup lookup, long nanos) {
    if (lookup instanceof Lookup.Bypass bypass) {
      isDue &= bypass.reason() == BypassReason.NO_PROFIT; // Else hardly a miss would be timed.
      return;
    }
    isDue = false;
    if (lookup instanceof Lookup.Miss) {
      lookupNanos = nanos;
    } else if (lookup instanceof Lookup.Hit) {
      if (shared) {
        isDue = nanos > Admissions.SLOW_HIT_NANOS; // There are fewer of them.
        admissions.remoteHit(shape, nanos);
      } else {
        admissions.hit(shape, nanos);
      }
    }
  }

  /** Ends a miss whose answer came at {@code now}, and whose result was just kept, or not. */
  void missed(ShapePlan shape, long databaseNanos, long now) {
    long cost = lookupNanos == UNKNOWN ? UNKNOWN : lookupNanos + System.nanoTime() - now;
    lookupNanos = UNKNOWN;
    if (--untilNext == 0) {
      isDue = true;
      // Not always after as many: statements may come in turns.
      untilNext = SHARE / 2 + (int) (now >>> 4 & SHARE - 1);
    }
    admissions.missed(shape, databaseNanos, now, cost);
  }
}
