package dev.larder.jdbc.session;

import dev.larder.store.PendingWrite;
import dev.larder.store.WriteSet;
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

  /** In {@link #calls}: a call has begun. */
  private static final long ONE_BEGUN = 1L << Integer.SIZE;

  private final Reach reach;

  /**
   * How many calls have begun, in the upper half, and how many are under way. Changed under the
   * monitor; whoever reads without it may see the past, and then finds at its own call that others
   * have begun since.
   */
  private volatile long calls;

  private @Nullable PendingWrite pending;
  private boolean unsettling;

  /** Who asks a question of Larder's own; null while nobody does. */
  private @Nullable Thread asking;

  public Overlap(Reach reach) {
    this.reach = reach;
  }

  /** Returns what to ask {@link #wasAlone} with, for a call that is to be sent. */
  public int turn() {
    long seen = calls;
    return (int) seen == 0 ? (int) (seen >>> Integer.SIZE) & Integer.MAX_VALUE : UNDER_WAY;
  }

  /** Returns whether nothing is under way. */
  public boolean isQuiet() {
    return (int) calls == 0;
  }

  /** Returns whether one call alone has begun since {@code turn}, and none was under way then. */
  public boolean wasAlone(int turn) {
    int begun = (int) (calls >>> Integer.SIZE) & Integer.MAX_VALUE;
    return turn != UNDER_WAY && begun == ((turn + 1) & Integer.MAX_VALUE);
  }

  /**
   * Returns whether a question of Larder's own may be asked: that nothing is under way, and nothing
   * begins before {@link #asked} is called. Waits for another thread's question.
   */
  synchronized boolean mayAsk() {
    awaitAnswer();
    asking = (int) calls == 0 ? Thread.currentThread() : null;
    return asking != null;
  }

  /** Notes that the question has been answered. */
  synchronized void asked() {
    asking = null;
    notifyAll();
  }

  /** Waits for the answer to a question. Call under the monitor. */
  public void awaitAnswer() {
    boolean interrupted = false;
    if (Thread.currentThread().equals(asking)) {
      asked(); // The stack had no room for the question: there is no answer to wait for.
    }
    while (asking != null) {
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
  @SuppressWarnings("NonAtomicVolatileUpdate") // Under the monitor.
  public void begin(boolean unsettles) {
    boolean others = (int) calls > 0;
    unsettling = unsettles || (unsettling && others);
    if (others && pending == null) {
      pending = reach.announce(WriteSet.UNKNOWN);
    }
    calls += ONE_BEGUN + 1;
  }

  /** Returns whether calls under way overlap, or have. Call under the monitor. */
  public boolean isDoubtful() {
    return pending != null;
  }

  /** Returns whether any of these calls may have changed settings. Call under the monitor. */
  public boolean isUnsettling() {
    return unsettling;
  }

  /** Notes the end of a call; returns what the last of several publishes. Under the monitor. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Under the monitor.
  public @Nullable PendingWrite end() {
    calls--;
    if ((int) calls > 0) {
      return null;
    }
    PendingWrite ended = pending;
    pending = null;
    return ended;
  }
}
