package dev.larder.changefeed.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.postgresql.replication.LogSequenceNumber;

/**
 * Writes messages into the log that say nothing, so that the server sends what it has not sent: it
 * sends what is flushed. Used by one thread.
 */
final class LogMessages {
  private static final int FLUSHING = 170000;
  private static final Set<String> FORBIDDEN = Set.of("42501", "25006", "42883");

  private static final String FLUSHED =
      "SELECT pg_catalog.pg_logical_emit_message(false, 'larder', '', true)";

  private static final String COMMITTED =
      "SELECT pg_catalog.pg_logical_emit_message(true, 'larder', '')";

  private final Connection connection;
  private final int version;
  private volatile boolean forbidden;
  private long last;

  LogMessages(Connection connection, int version) {
    this.connection = connection;
    this.version = version;
  }

  /** Returns whether the role may not. */
  boolean areForbidden() {
    return forbidden;
  }

  /** Writes one unless the last one has not come yet. */
  void write(long reached) throws SQLException {
    if (forbidden || Long.compareUnsigned(reached, last) < 0) {
      return;
    }
    try {
      last = version >= FLUSHING ? flushed() : committed();
    } catch (SQLException e) {
      connection.setAutoCommit(true);
      if (e.getSQLState() == null || !FORBIDDEN.contains(e.getSQLState())) {
        throw e;
      }
      forbidden = true;
    }
  }

  private long flushed() throws SQLException {
    return ask(FLUSHED);
  }

  /** Commits it, which flushes. It must not wait for a standby. */
  private long committed() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL synchronous_commit = local");
    }
    long position = ask(COMMITTED);
    connection.setAutoCommit(true);
    return position;
  }

  private long ask(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return LogSequenceNumber.valueOf(row.getString(1)).asLong();
    }
  }
}
