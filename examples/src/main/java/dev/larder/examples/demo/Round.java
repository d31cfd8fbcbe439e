package dev.larder.examples.demo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the workload for a while. */
final class Round {
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Bank bank;
  private final Ledger ledger;
  private final List<Ledger.Seen> readers;
  private final Progress progress;

  Round(Bank bank, Ledger ledger, List<Ledger.Seen> readers, Progress progress) {
    this.bank = bank;
    this.ledger = ledger;
    this.readers = readers;
    this.progress = progress;
  }

  /**
   * Runs a round and adds what it did to {@code totals}.
   *
   * @param readSide what the readers read through
   * @param writeSide what the writer writes through
   */
  void run(Side readSide, Side writeSide, Duration time, Totals totals)
      throws SQLException, InterruptedException {
    Pace pace = new Pace();
    long wrongBefore = ledger.wrong();
    ExecutorService threads = Executors.newCachedThreadPool(Round::daemon);
    try {
      List<Future<Latencies>> reads = new ArrayList<>();
      long start = System.nanoTime();
      Future<Latencies> writes = threads.submit(new Writer(bank, ledger, pace, writeSide));
      for (Ledger.Seen seen : readers) {
        reads.add(threads.submit(new Reader(bank, ledger, seen, pace, readSide)));
      }
      watch(writes, start, time);
      pace.stop();
      for (Future<Latencies> read : reads) {
        totals.reads.add(get(read));
      }
      totals.writes.add(get(writes));
      totals.nanos += System.nanoTime() - start;
      totals.wrong += ledger.wrong() - wrongBefore;
    } finally {
      // Their connections are closed when this returns.
      pace.stop();
      threads.shutdown();
      threads.awaitTermination(GRACE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Shows the progress until the time is over or the writer has failed. */
  private void watch(Future<Latencies> writes, long start, Duration time)
      throws SQLException, InterruptedException {
    long left = time.toNanos();
    while (left > 0) {
      try {
        writes.get(Math.min(left, LOOK.toNanos()), TimeUnit.NANOSECONDS);
        return;
      } catch (TimeoutException e) {
        left = time.toNanos() - (System.nanoTime() - start);
        progress.show(time.toNanos() - Math.max(left, 0));
      } catch (ExecutionException e) {
        throw failure(e);
      }
    }
  }

  private static Latencies get(Future<Latencies> future) throws SQLException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static SQLException failure(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause instanceof SQLException failed ? failed : new SQLException(cause);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "demo");
    thread.setDaemon(true);
    return thread;
  }
}
