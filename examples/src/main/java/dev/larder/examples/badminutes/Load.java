package dev.larder.examples.badminutes;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests that come at a steady rate, whether or not those before have been answered, as visitors
 * do. Each is taken by the next thread that is free. One that has waited too long for a thread is
 * given up.
 */
final class Load {
  private final Request request;
  private final Tally tally;
  private final long periodNanos;
  private final long begunNanos = System.nanoTime();
  private final AtomicLong next = new AtomicLong();
  private volatile boolean running = true;

  /** What is asked each time. */
  interface Request {
    /** Returns whether the answer was right. */
    boolean ask() throws SQLException;
  }

  private Load(Request request, Tally tally, int perSecond) {
    this.request = request;
    this.tally = tally;
    this.periodNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Starts asking, with so many threads. */
  static Load start(Request request, Tally tally, int perSecond, int threads) {
    Load load = new Load(request, tally, perSecond);
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(load::run);
      thread.setDaemon(true);
      thread.start();
    }
    return load;
  }

  /** Asks nothing more. Does not wait. */
  void stop() {
    running = false;
  }

  private void run() {
    while (running) {
      long due = begunNanos + next.getAndIncrement() * periodNanos;
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      if (System.nanoTime() - due > Tally.LIMIT_NANOS) {
        tally.late();
      } else if (running) {
        ask(due);
      }
    }
  }

  private void ask(long dueNanos) {
    try {
      boolean right = request.ask();
      tally.answered(System.nanoTime() - dueNanos, right);
    } catch (SQLException e) {
      tally.failed();
    }
  }
}
