package dev.larder.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many queries are parsed when they come for the first time: enough for all statements of most
 * applications, and then so few a second that texts that never come again cost little. A parser
 * that is not compiled yet takes a millisecond for each. Thread-safe.
 */
final class FirstParses {
  /** How many at once. */
  static final int AT_ONCE = 200;

  static final int A_SECOND = 1;

  private final LongSupplier nanoClock;
  private final int atOnce;
  private double left;
  private long sinceNanos;

  /** Has as many at once as a test of thousands of shapes may want, by a system property. */
  static FirstParses ofThisJvm() {
    return new FirstParses(System::nanoTime, Integer.getInteger("larder.firstParses", AT_ONCE));
  }

  FirstParses(LongSupplier nanoClock, int atOnce) {
    this.nanoClock = nanoClock;
    this.atOnce = atOnce;
    this.left = atOnce;
    this.sinceNanos = nanoClock.getAsLong();
  }

  /** Returns whether one more may be parsed now, which is then taken for granted. */
  synchronized boolean take() {
    long now = nanoClock.getAsLong();
    double seconds = (double) (now - sinceNanos) / Duration.ofSeconds(1).toNanos();
    left = Math.min(atOnce, left + A_SECOND * seconds);
    sinceNanos = now;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
