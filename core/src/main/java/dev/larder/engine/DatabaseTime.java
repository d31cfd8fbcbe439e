package dev.larder.engine;

/**
 * How long one shape usually takes at the database. A few executions do not outweigh what is known.
 * Not thread-safe.
 */
final class DatabaseTime {
  /** How many executions outweigh all before them. */
  private static final int FEW = 32;

  /** How many times as long as a hit it must be, so that hits are clearly worth it. */
  private static final double CLEARLY = 8;

  /** What is older does not count, once there is anything newer. */
  private static final long KNOWN_NANOS = 30_000_000_000L;

  /** A hit that takes longer asks another process, as the database is one. */
  private static final long REMOTE_NANOS = 10_000;

  /** How long it is between two trials at least. */
  private static final long TRIALS_NANOS = 5_000_000_000L;

  private double nanos;
  private long lastExecuted;
  private long lastTrial;
  private long known;
  private long bypasses;
  private long bypassNanos;

  DatabaseTime(long now) {
    this.lastTrial = now; // At first much is slow that is not compiled yet.
  }

  /** Notes an execution that was not looked up. */
  void bypassed(long databaseNanos) {
    bypasses++;
    bypassNanos += databaseNanos;
  }

  /**
   * Adds what was executed since the last call.
   *
   * @param misses how many executions were looked up
   * @param missNanos how long all of these took
   * @param crowding see {@link Admissions#crowding()}
   */
  void learn(long misses, long missNanos, double crowding, long now) {
    long executed = misses + bypasses;
    if (executed > 0) {
      long before = now - lastExecuted > KNOWN_NANOS ? 0 : known;
      known = Math.min(FEW, before + executed);
      lastExecuted = now;
      double mean = (double) (missNanos + bypassNanos) / executed;
      nanos += Math.min(1, (double) executed / known) * (mean / crowding - nanos);
    }
    bypasses = 0;
    bypassNanos = 0;
  }

  /**
   * Returns whether the database is to be asked once, only to see how long it takes: hits ask
   * another process, and none of the last executions went to the database.
   */
  boolean isToAsk(double hitNanos, long now) {
    boolean unknown = known == 0 || now - lastExecuted > KNOWN_NANOS;
    return hitNanos > REMOTE_NANOS && unknown;
  }

  /**
   * Returns whether there is to be a {@link Trial}. An execution now and then takes longer than one
   * of many, so that hits seem to be worth it which are not. Where they clearly are, there is none.
   */
  boolean isToTry(double hitNanos, long now) {
    boolean due = now - lastTrial > TRIALS_NANOS;
    return due && known > 0 && hitNanos > REMOTE_NANOS && CLEARLY * hitNanos > nanos;
  }

  /** Notes that a trial begins. */
  void tries(long now) {
    lastTrial = now;
  }

  /** Takes over what a trial says, of so many executions; nothing of none. */
  void tried(int executed, long allNanos, double crowding, long now) {
    if (executed > 0) {
      nanos = (double) allNanos / executed / crowding;
      known = Math.min(FEW, executed);
      lastExecuted = now;
    }
  }

  /** Returns how many executions say so, up to {@value #FEW}. */
  long known() {
    return known;
  }

  /** Returns the usual time, or 0 before the first execution. */
  double nanos() {
    return nanos;
  }
}
