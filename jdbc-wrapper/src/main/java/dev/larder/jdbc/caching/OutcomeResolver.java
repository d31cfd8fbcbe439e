package dev.larder.jdbc.caching;

import dev.larder.engine.CacheLog;
import dev.larder.engine.Database;
import dev.larder.store.PendingWrite;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out what became of writes whose connection was lost: a write ends when the server process
 * that ran it is gone, and never by time, because a process that waits for synchronous replication
 * commits long after its client died. One thread for each database, only while something is open.
 * Thread-safe.
 */
final class OutcomeResolver {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final String IS_PRESENT =
      "SELECT EXISTS (SELECT FROM pg_catalog.pg_stat_get_activity(?) WHERE"
          + " backend_start IS NULL OR pg_catalog.date_part('epoch', backend_start)::text"
          + " = coalesce(nullif(?, ''), pg_catalog.date_part('epoch', backend_start)::text))";

  private record Lost(PendingWrite write, int pid, String backendStart) {}

  private final Database database;
  private final OwnConnections connections;
  private final List<Lost> open = new CopyOnWriteArrayList<>();
  private boolean running;

  OutcomeResolver(Database database, OwnConnections connections) {
    this.database = database;
    this.connections = connections;
  }

  /**
   * Takes {@code write} over: it is published once the process {@code pid} that began then is gone.
   */
  void resolve(PendingWrite write, int pid, String backendStart) {
    open.add(new Lost(write, pid, backendStart));
    synchronized (this) {
      if (!running) {
        running = true;
        Thread thread =
            new Thread(this::run, "larder-outcomes-" + database.identity().databaseOid());
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private void run() {
    long pause = FIRST_PAUSE_NANOS;
    while (true) {
      synchronized (this) {
        if (open.isEmpty()) {
          running = false;
          return;
        }
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      try (Connection connection = connections.connect()) {
        check(connection);
      } catch (SQLException | RuntimeException | LinkageError e) {
        CacheLog.trouble(CacheLog.Trouble.UNKNOWN_OUTCOME, "asking the server", e);
      }
    }
  }

  private void check(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(IS_PRESENT)) {
      for (Iterator<Lost> each = open.iterator(); each.hasNext(); ) {
        Lost lost = each.next();
        statement.setInt(1, lost.pid());
        statement.setString(2, lost.backendStart());
        try (ResultSet answer = statement.executeQuery()) {
          answer.next();
          if (!answer.getBoolean(1)) {
            database.publishLate(lost.write());
            open.remove(lost);
          }
        }
      }
    }
  }
}
