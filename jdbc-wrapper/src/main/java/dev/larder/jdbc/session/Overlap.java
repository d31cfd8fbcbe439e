package dev.larder.jdbc.session;

import dev.larder.engine.Database;
import dev.larder.store.PendingWrite;
import dev.larder.store.WriteSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls of several threads on one connection. The driver runs them one after the other, in an order
 * that nobody is told: what one has written another may commit, and the settings that a query was
 * looked up with another may change before it runs. So while two calls are under way everything
 * counts as being written, and a result is kept only where nothing else was sent since its look-up.
 * A question of Larder's own is asked while nothing is under way, and whatever is to be sent waits
 * for its answer. Thread-safe.
 */
public final class Overlap {
  private static final int UNDER_WAY = -1;

  private final Database database;

  /**
   * How many calls have begun, in the upper half, and how many are under way. Changed under the
   * monitor; whoever reads without it may see the past, and then finds at its own call that others
   * have begun since.
   */
  private final AtomicLong calls = new AtomicLong();

  private @Nullable PendingWrite pending;
  private boolean unsettling;
  private boolean asking;

  public Overlap(Database database) {
    this.database = database;
  }

  /** Returns what to ask {@link #wasAlone} with, for a call that is to be sent. */
  public int turn() {
    long seen = calls.getAcquire();
    return underWay(seen) == 0 ? begun(seen) : UNDER_WAY;
  }

  /** Returns whether one call alone has begun since {@code turn}, and none was under way then. */
  public boolean wasAlone(int turn) {
    return turn != UNDER_WAY && begun(calls.getAcquire()) == next(turn);
  }

  private static int begun(long calls) {
    return (int) (calls >>> Integer.SIZE);
  }

  private static int underWay(long calls) {
    return (int) calls;
  }

  private static int next(int turn) {
    return (turn + 1) & Integer.MAX_VALUE;
  }

  private void set(int begun, int underWay) {
    calls.setRelease((long) begun << Integer.SIZE | underWay);
  }

  /**
   * Returns whether a question of Larder's own may be asked: that nothing is under way, and nothing
   * begins before {@link #asked} is called. Waits for another thread's question.
   */
  synchronized boolean mayAsk() {
    awaitAnswer();
    asking = underWay(calls.getPlain()) == 0;
    return asking;
  }

  /** Notes that the question has been answered. */
  synchronized void asked() {
    asking = false;
    notifyAll();
  }

  /** Waits for the answer to a question. Call under the monitor. */
  public void awaitAnswer() {
    boolean interrupted = false;
    while (asking) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Notes that a call is about to be sent. Call under the monitor, after {@link #awaitAnswer}.
   *
   * @param unsettles whether it matters to the settings in which order this and others run
   */
  public void begin(boolean unsettles) {
    long before = calls.getPlain();
    unsettling = unsettles || (unsettling && underWay(before) > 0);
    if (underWay(before) > 0 && pending == null) {
      pending = database.announce(WriteSet.UNKNOWN);
    }
    set(next(begun(before)), underWay(before) + 1);
  }

  /**
   * Returns whether another call is, or was, under way together with one that still is. Call under
   * the monitor.
   */
  public boolean isDoubtful() {
    return pending != null;
  }

  /** Returns whether any of these calls may have changed settings. Call under the monitor. */
  public boolean isUnsettling() {
    return unsettling;
  }

  /**
   * Notes that a call has ended; returns what the last one of several has to publish, or null. Call
   * under the monitor.
   */
  public @Nullable PendingWrite end() {
    long before = calls.getPlain();
    set(begun(before), underWay(before) - 1);
    if (underWay(before) > 1) {
      return null;
    }
    PendingWrite ended = pending;
    pending = null;
    return ended;
  }
}
