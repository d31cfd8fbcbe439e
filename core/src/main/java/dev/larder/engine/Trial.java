package dev.larder.engine;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * For a moment one execution after the other goes to the database, though all are hits of another
 * process. So the processes of the server are awake, as they are where all executions go there; a
 * single execution would take longer. Never two at a time: a database that does not answer holds up
 * one caller. Thread-safe.
 */
final class Trial {
  private static final long SHORTEST_NANOS = 60_000_000;

  /** After so long it counts how long they take. */
  private static final long WARM_UP_NANOS = 20_000_000;

  private static final long LONGEST_NANOS = 1_000_000_000;

  /** So many say it well enough; fewer do not count. */
  private static final int ENOUGH = 8;

  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile boolean on;
  private volatile long began;
  private volatile int count;
  private volatile long nanos;

  boolean isOn() {
    return on;
  }

  void begin(long now) {
    began = now;
    count = 0;
    nanos = 0;
    busy.set(false); // The last one may have failed.
    on = true;
  }

  void end() {
    on = false;
  }

  /** Returns whether the caller is to ask the database. */
  boolean takes() {
    return busy.compareAndSet(false, true);
  }

  /** Notes how long that took. */
  synchronized void took(long databaseNanos, long now) {
    if (now - began > WARM_UP_NANOS) {
      count++;
      nanos += databaseNanos;
    }
    busy.set(false);
  }

  boolean isOver(long now) {
    long passed = now - began;
    return passed > SHORTEST_NANOS && (count >= ENOUGH || passed > LONGEST_NANOS);
  }

  /** Returns how many executions were counted, or 0 if they were too few. */
  int counted() {
    return count < ENOUGH ? 0 : count;
  }

  /** Returns how long they took. */
  long nanos() {
    return nanos;
  }
}
