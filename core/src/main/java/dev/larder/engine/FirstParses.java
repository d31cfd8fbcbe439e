package dev.larder.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many shapes are parsed when they come for the first time: enough for all statements of most
 * applications, and then so few a second that texts that never come again cost little. A parser
 * that is not compiled yet takes a millisecond for each. Thread-safe.
 */
final class FirstParses {
  /** How many at once. */
  static final int AT_ONCE = 1_000;

  static final int A_SECOND = 50;

  private final LongSupplier nanoClock;
  private double left = AT_ONCE;
  private long sinceNanos;

  FirstParses(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.sinceNanos = nanoClock.getAsLong();
  }

  /** Returns whether one more may be parsed now, which is then taken for granted. */
  synchronized boolean take() {
    long now = nanoClock.getAsLong();
    double seconds = (double) (now - sinceNanos) / Duration.ofSeconds(1).toNanos();
    left = Math.min(AT_ONCE, left + A_SECOND * seconds);
    sinceNanos = now;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
