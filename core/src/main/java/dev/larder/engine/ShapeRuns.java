package dev.larder.engine;

/**
 * How the executions of a shape have gone: how long they usually take, and whether it was worth
 * waiting for others. Thread-safe; threads that race may lose one of their notes.
 */
public final class ShapeRuns {
  private volatile long usualNanos;
  private volatile int vainRuns;
  private volatile int vainLeases;
  private volatile long vainLeaseNanos;

  /** Returns how long a miss usually takes at the database, in nanoseconds; 0 before the first. */
  long usualNanos() {
    return usualNanos;
  }

  /** Returns how many misses in a row have left nothing that others could use. */
  int vainRuns() {
    return vainRuns;
  }

  /**
   * Notes a miss that has ended. Threads that race may lose one of their notes.
   *
   * @param nanos how long the database took
   * @param useful whether its result was kept, and nothing was written meanwhile
   */
  void ran(long nanos, boolean useful) {
    long before = usualNanos;
    // An execution that had to wait for a lock is not usual.
    long change = before == 0 ? Math.max(1, nanos) : (Math.min(nanos, 2 * before) - before) / 4;
    if (Math.abs(change) > before / 16) {
      usualNanos = before + change;
    }
    if (!useful) {
      vain();
    } else if (vainRuns > 0) {
      vainRuns = 0;
    }
  }

  /** Notes a miss that has left nothing that others could use. */
  void vain() {
    int before = vainRuns;
    if (before < Flights.MAX_VAIN) {
      vainRuns = before + 1;
    }
  }

  /** Notes a wait for another JVM, and whether there was a result of it then. */
  public void waitedForLease(boolean useful) {
    vainLeases = useful ? 0 : Math.min(vainLeases + 1, Flights.MAX_VAIN);
    vainLeaseNanos = System.nanoTime();
  }

  /** Returns whether other JVMs are waited for: not for a while after some waits in vain. */
  boolean isWorthALease() {
    return vainLeases < Flights.MAX_VAIN
        || System.nanoTime() - vainLeaseNanos > Flights.VAIN_LEASE_NANOS;
  }
}
