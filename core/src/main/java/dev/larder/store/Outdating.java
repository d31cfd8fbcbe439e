package dev.larder.store;

import java.util.concurrent.atomic.AtomicLong;

/** When an entry may have become outdated, and who asks for it again. Thread-safe. */
public final class Outdating {
  private final long epoch;
  private final long nanos;

  /** When somebody last undertook to ask the database, by {@link System#nanoTime}. */
  private final AtomicLong asked;

  private volatile boolean inPlace;

  Outdating(long epoch, long nanos) {
    this.epoch = epoch;
    this.nanos = nanos;
    this.asked = new AtomicLong(nanos);
  }

  /** Returns the epoch before which the entry was current. */
  public long epoch() {
    return epoch;
  }

  /** Returns how long the entry may have been outdated at most, in nanoseconds. */
  public long ageNanos(long nowNanos) {
    return nowNanos - nanos;
  }

  /**
   * Returns whether the caller is the one that is to ask the database now: nobody has since the
   * entry was outdated, or since the last who did so long ago.
   */
  public boolean isToAsk(long nowNanos, long periodNanos) {
    long last = asked.get();
    return nowNanos - last >= periodNanos && asked.compareAndSet(last, nowNanos);
  }

  /** Has the next one ask at once, and for itself: whoever undertook to ask has failed. */
  public void askInPlace() {
    inPlace = true;
    asked.set(nanos);
  }

  /** Returns whether whoever is to ask asks for itself. */
  public boolean isAskedInPlace() {
    return inPlace;
  }
}
