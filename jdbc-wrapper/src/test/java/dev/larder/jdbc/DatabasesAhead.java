package dev.larder.jdbc;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Makes the next database while a test uses the last one, and drops what tests have left, on a
 * thread of its own. Thread-safe.
 */
final class DatabasesAhead {
  /** Makes a database. */
  @FunctionalInterface
  interface Maker {
    /** Returns the name of a new database. */
    String make() throws SQLException;
  }

  /** Something to do that may fail. */
  @FunctionalInterface
  interface Task {
    void run() throws SQLException;
  }

  private final Maker maker;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread made = new Thread(task, "databases-ahead");
            made.setDaemon(true);
            return made;
          });
  private CompletableFuture<String> next = new CompletableFuture<>();
  private boolean begun;

  DatabasesAhead(Maker maker) {
    this.maker = maker;
  }

  /** Returns the name of an empty database that nobody else has. */
  String next() throws SQLException {
    CompletableFuture<String> mine;
    synchronized (this) {
      mine = begun ? next : makeLater();
      begun = true;
      next = makeLater();
    }
    try {
      return mine.join();
    } catch (CompletionException e) {
      throw new SQLException("no database could be made", e.getCause());
    }
  }

  private CompletableFuture<String> makeLater() {
    CompletableFuture<String> made = new CompletableFuture<>();
    thread.execute(
        () -> {
          try {
            made.complete(maker.make());
          } catch (SQLException | RuntimeException e) {
            made.completeExceptionally(e);
          }
        });
    return made;
  }

  /** Runs {@code task} when there is nothing else to do; its failure is printed. */
  void later(Task task) {
    thread.execute(
        () -> {
          try {
            task.run();
          } catch (SQLException | RuntimeException e) {
            System.out.println("a database stays: " + e);
          }
        });
  }
}
