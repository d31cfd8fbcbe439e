package dev.larder.benchmarks.shapes;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Writes at a steady rate, on a thread and a connection of their own, until closed. */
final class SteadyWrites implements AutoCloseable {
  private final @Nullable Connection connection;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong done = new AtomicLong();
  private final AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();

  /** A write. */
  @FunctionalInterface
  interface Write {
    /** Does it. */
    void run(Connection connection) throws SQLException;
  }

  /** Begins with {@code perSecond} writes a second; 0 for none. */
  SteadyWrites(Variant variant, int perSecond, Write write) throws SQLException {
    this.connection = perSecond == 0 ? null : variant.source().connect();
    Connection to = connection;
    if (to != null) {
      long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
      var unused =
          thread.scheduleAtFixedRate(() -> run(write, to), period, period, TimeUnit.NANOSECONDS);
    }
  }

  private void run(Write write, Connection to) {
    try {
      write.run(to);
      done.incrementAndGet();
    } catch (SQLException e) {
      failure.set(e);
    }
  }

  /** Returns how many were done. */
  long done() {
    return done.get();
  }

  /** Throws what a write threw, or where there was none. */
  void check() throws SQLException {
    SQLException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    if (connection != null && done.get() == 0) {
      throw new SQLException("There was no write.");
    }
  }

  @Override
  public void close() throws SQLException {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(30, TimeUnit.SECONDS)) {
        throw new SQLException("A write has not ended for 30 s.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while a write was under way.", e);
    }
    if (connection != null) {
      connection.close();
    }
  }
}
