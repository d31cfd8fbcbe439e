package dev.larder.jdbc.caching;

import dev.larder.engine.Database;
import dev.larder.store.PendingWrite;
import dev.larder.store.WriteSet;
import org.jspecify.annotations.Nullable;

/**
 * Calls of several threads on one connection. The driver runs them one after the other, in an order
 * that nobody is told: what one has written another may commit, and the settings that a query was
 * looked up with another may change before it runs. So while two calls are under way everything
 * counts as being written, and a result is kept only where nothing else was sent since its look-up.
 * Thread-safe.
 */
final class Overlap {
  private static final int UNDER_WAY = -1;

  private final Database database;
  private volatile int begun;
  private volatile int underWay;
  private @Nullable PendingWrite pending;

  Overlap(Database database) {
    this.database = database;
  }

  /** Returns what to ask {@link #wasAlone} with, for a call that is to be sent. */
  int turn() {
    int seen = begun;
    return underWay == 0 ? seen : UNDER_WAY;
  }

  /** Returns whether one call alone has begun since {@code turn}, and none was under way then. */
  boolean wasAlone(int turn) {
    return turn != UNDER_WAY && begun == next(turn);
  }

  /** Returns whether no call was under way at {@code turn}, and none has begun since. */
  boolean isStill(int turn) {
    return turn != UNDER_WAY && turn() == turn;
  }

  private static int next(int turn) {
    return (turn + 1) & Integer.MAX_VALUE;
  }

  /** Notes that a call is about to be sent. */
  synchronized void begin() {
    if (underWay > 0 && pending == null) {
      pending = database.announce(WriteSet.UNKNOWN);
    }
    begun = next(begun);
    underWay = underWay + 1;
  }

  /** Returns whether another call is, or was, under way together with one that still is. */
  synchronized boolean isDoubtful() {
    return pending != null;
  }

  /** Notes that a call has ended; returns what the last one of several has to publish, or null. */
  synchronized @Nullable PendingWrite end() {
    underWay = underWay - 1;
    PendingWrite ended = underWay == 0 ? pending : null;
    if (underWay == 0) {
      pending = null;
    }
    return ended;
  }
}
