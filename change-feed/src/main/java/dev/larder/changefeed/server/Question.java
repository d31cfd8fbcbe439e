package dev.larder.changefeed.server;

import dev.larder.feed.FollowedWrites;
import dev.larder.feed.ServerSnapshot;
import dev.larder.sql.OwnSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.replication.LogSequenceNumber;

/**
 * Asks what is visible and where the log ends, by its insert position: what was committed
 * asynchronously is visible before it is flushed. Used by one thread.
 */
final class Question implements AutoCloseable {
  private static final String SQL =
      OwnSql.pinned("SELECT pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text");

  private static final String HORIZON = OwnSql.pinned("SELECT pg_current_xact_id()::text");

  private final Connection connection;
  private final PreparedStatement query;

  Question(Connection connection) throws SQLException {
    this.connection = connection;
    this.query = connection.prepareStatement(SQL);
  }

  /** Asks, and has {@code writes} take the answer. */
  ServerSnapshot ask(FollowedWrites writes) throws SQLException {
    FollowedWrites.Question question = writes.question();
    try (ResultSet row = query.executeQuery()) {
      row.next();
      ServerSnapshot snapshot = ServerSnapshot.parse(row.getString(1));
      long end = LogSequenceNumber.valueOf(row.getString(2)).asLong();
      writes.answered(question, snapshot, end);
      return snapshot;
    }
  }

  /**
   * Begins a transaction that writes nothing, takes it back, and returns its identifier: each that
   * was assigned before is less, and snapshots from now on name all of these that have not ended.
   */
  long horizon() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(HORIZON)) {
      row.next();
      long horizon = Long.parseUnsignedLong(row.getString(1));
      connection.rollback();
      return horizon;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void close() throws SQLException {
    query.close();
  }
}
