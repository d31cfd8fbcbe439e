package dev.larder.memcached.client;

/**
 * The clock of one memcached, as it was once. An item that is to expire at a date of that clock
 * does so even if it is stored late: a request may have waited in a socket for long. Immutable.
 *
 * <p>Memcached counts whole seconds from its start, and its clock may be one behind
 * (doc/protocol.txt of memcached, "Expiration times").
 *
 * @param seconds what it showed
 * @param nanos a moment at or after that, by {@link System#nanoTime}
 */
record ServerClock(long seconds, long nanos) {
  private static final long NANOS = 1_000_000_000L;

  /** What memcached takes for never. */
  static final int NEVER = 0;

  /**
   * Returns the date at which an item expires that is not to live longer than until {@code
   * deadline}, or a second longer.
   *
   * @param deadline by {@link System#nanoTime}
   */
  int dateOf(long deadline) {
    return (int) Math.min(Integer.MAX_VALUE, seconds + Math.floorDiv(deadline - nanos, NANOS));
  }
}
