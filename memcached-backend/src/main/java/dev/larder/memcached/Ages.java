package dev.larder.memcached;

import java.util.concurrent.TimeUnit;

/**
 * How the time that a result may live is shared out between memcached and the JVMs that fetch it
 * from there, which do not know its age. Memcached counts in whole seconds, and its clock may be
 * one behind. Stateless.
 */
final class Ages {
  private static final long SLACK_SECONDS = 1;

  private Ages() {}

  /**
   * Returns for how many nanoseconds after its look-up it may lie on memcached; {@link
   * Long#MAX_VALUE} for ever, 0 for not at all.
   */
  static long remote(long timeToLiveNanos) {
    return timeToLiveNanos == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : TimeUnit.SECONDS.toNanos(remoteSeconds(timeToLiveNanos));
  }

  private static long remoteSeconds(long timeToLiveNanos) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(timeToLiveNanos);
    return seconds <= SLACK_SECONDS ? 0 : Math.max(1, (seconds - SLACK_SECONDS) / 2);
  }

  /** Returns how many nanoseconds are left for one that was fetched from memcached. */
  static long nearAfterRemote(long timeToLiveNanos) {
    if (timeToLiveNanos == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    long spent = remoteSeconds(timeToLiveNanos) + SLACK_SECONDS;
    return Math.max(0, timeToLiveNanos - TimeUnit.SECONDS.toNanos(spent));
  }
}
