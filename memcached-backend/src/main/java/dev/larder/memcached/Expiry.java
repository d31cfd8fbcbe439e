package dev.larder.memcached;

import java.time.Duration;

/** How memcached takes a time to live. Stateless. */
final class Expiry {
  /** Above it memcached takes the number for a date. */
  private static final long MONTH_SECONDS = 60L * 60 * 24 * 30;

  private Expiry() {}

  /**
   * Returns {@code timeToLive} in whole seconds, rounded down, but at least one; 0 for ever; a
   * month at most. Memcached's clock ticks once a second: an item lives up to a second longer.
   */
  static int of(Duration timeToLive) {
    if (timeToLive.isZero()) {
      return 0;
    }
    return (int) Math.min(MONTH_SECONDS, Math.max(1, timeToLive.toSeconds()));
  }
}
