package dev.larder.store;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A write between announce and publish. While it is pending no reader hits or fills an entry that
 * depends on its tags. {@link TableVersions#publish} ends it, once; a write whose outcome is
 * unknown stays pending until somebody knows. Thread-safe.
 */
public final class PendingWrite {
  // How far a write is: a number, because a new object is open without a store.
  static final int OPEN = 0;

  /** As open, and it has raised the in-flight count of ALL beside that of its tags. */
  static final int WIDENED = 1;

  static final int ENDED = 2;

  private static final AtomicIntegerFieldUpdater<PendingWrite> STATE =
      AtomicIntegerFieldUpdater.newUpdater(PendingWrite.class, "state");

  private final WriteSet writes;
  private final long announcedNanos;
  private volatile int state;

  private final int hash = ThreadLocalRandom.current().nextInt();

  /** Where {@link PendingWrites} has it; set before it is there. */
  int slot;

  /** Set and read only by the thread that ends the write. */
  private long version;

  /** As {@link #version}. */
  private int raised = Integer.MAX_VALUE;

  PendingWrite(WriteSet writes, long announcedNanos) {
    this.writes = writes;
    this.announcedNanos = announcedNanos;
  }

  /** Returns what may be written. */
  public WriteSet writes() {
    return writes;
  }

  /**
   * Returns when it was announced, by {@link System#nanoTime()}; of a write of nothing nobody asks.
   */
  public long announcedNanos() {
    return announcedNanos;
  }

  /** Returns whether it has been published. */
  public boolean ended() {
    return state == ENDED;
  }

  /** Returns whether it is under way and has become one of everything since it was announced. */
  public boolean isWidened() {
    return state == WIDENED;
  }

  /** Returns whether it may write anything, by what was announced or since it was widened. */
  public boolean mayWriteAnything() {
    return writes.unknown() || state == WIDENED;
  }

  /** Ends the write and returns what it was before. */
  int end() {
    return STATE.getAndSet(this, ENDED);
  }

  /**
   * Notes that this write counts in flight at ALL too; returns false if it does already or has
   * ended.
   */
  boolean widen() {
    return STATE.compareAndSet(this, OPEN, WIDENED);
  }

  /**
   * Spares the first call on every object the JVM's search for an identity; equality stays that of
   * objects.
   */
  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  /** Notes that the announce broke off when it had raised the in-flight count of so many tags. */
  void announcedOnly(int tags) {
    raised = tags;
  }

  int raised() {
    return raised;
  }

  void takeVersion(long version) {
    this.version = version;
  }

  long version() {
    return version;
  }
}
