package dev.larder.jdbc.background;

import dev.larder.engine.QueryCache;
import dev.larder.jdbc.background.Refreshes.Task;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.log.CacheLog;
import dev.larder.log.CacheLog.Trouble;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks for outdated results again, one after the other, on a connection of Larder's own that stays
 * open as long as there is something to ask for. A query takes the way of every miss: what its
 * result depends on is captured before it is sent. Confined to its thread.
 */
final class RefreshThread implements Runnable {
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final Duration CATALOG = Duration.ofSeconds(5);

  /** A result is not kept where somebody is just writing its tables. */
  private static final int ATTEMPTS = 3;

  private final Refreshes refreshes;
  private @Nullable BackgroundConnection connection;

  RefreshThread(Refreshes refreshes) {
    this.refreshes = refreshes;
  }

  @Override
  public void run() {
    boolean ended = false;
    try {
      do {
        askAll();
        close();
        ended = refreshes.ended();
      } while (!ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Nobody has a reason to.
    } finally {
      if (!ended) {
        close();
        refreshes.failed();
      }
    }
  }

  /** Asks until there was nothing to ask for a while, or the application has need of the slot. */
  private void askAll() throws InterruptedException {
    long idleSince = System.nanoTime();
    while (System.nanoTime() - idleSince < IDLE_NANOS) {
      Task task = refreshes.next(LOOK_NANOS);
      if (task != null) {
        ask(task);
        idleSince = System.nanoTime();
      }
      BackgroundConnection open = connection;
      if (open != null && !open.isWanted()) {
        return;
      }
    }
  }

  private void ask(Task task) {
    boolean failed = true;
    try {
      if (BackgroundConnection.isUsedByOthers(task.refresh().cache())) {
        askUntilReplaced(task);
      }
      failed = false;
    } catch (SQLException e) {
      close();
      failed = !task.refresh().isReplaced();
      if (failed) {
        CacheLog.trouble(Trouble.REFRESH, "SQLState " + e.getSQLState());
      }
    } catch (RuntimeException e) {
      close();
      CacheLog.trouble(Trouble.INTERNAL, "asking for an outdated result", e);
    } finally {
      refreshes.end(task, failed);
    }
  }

  private void askUntilReplaced(Task task) throws SQLException {
    for (int i = 0; i < ATTEMPTS && !task.refresh().isReplaced(); i++) {
      if (i == ATTEMPTS - 1) {
        close(); // What the connection has received so far may have decided about the format.
      }
      if (!Asking.send(connectionFor(task), task.query())) {
        throw new SQLException("The query cannot be asked again.", BackgroundConnection.REFUSED);
      }
    }
  }

  /** Returns a connection whose session is that of the key. */
  private BackgroundConnection connectionFor(Task task) throws SQLException {
    BackgroundConnection open = connection;
    if (open == null || !isOf(task, open)) {
      close();
      open = task.opening().open();
      connection = open;
    }
    if (!isOf(task, open)) {
      throw new SQLException("A new session has other settings.", BackgroundConnection.REFUSED);
    }
    return open;
  }

  @SuppressWarnings("ReferenceEquality") // Another cache has other entries.
  private static boolean isOf(Task task, BackgroundConnection open) throws SQLException {
    QueryCache cache = task.refresh().cache();
    if (open.physical().cache() != cache
        || !open.isWanted()
        || !cache.database().catalog().awaitLoaded(CATALOG)) {
      return false;
    }
    SessionFingerprint session = open.physical().settings();
    return session != null && task.refresh().isOf(session);
  }

  private void close() {
    BackgroundConnection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException | RuntimeException e) {
        CacheLog.count(Trouble.REFRESH);
      }
    }
  }
}
