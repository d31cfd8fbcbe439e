package dev.larder.benchmarks.cost;

import dev.larder.benchmarks.shapes.Postgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What an application sends that no cache can answer, and the count of it. For one thread. */
final class Statements {
  private static final String READ = "SELECT abalance FROM account WHERE aid = ? AND bid < ?";
  private static final String OWN_WRITE = "SELECT abalance FROM account WHERE aid = ?";
  private static final String CLOCK =
      "SELECT abalance, clock_timestamp() AS at FROM account WHERE aid = ?";
  private static final String WRITE = "UPDATE account SET abalance = ? WHERE aid = ?";
  private static final String WRITE_TELLER = "UPDATE teller SET tbalance = ? WHERE tid = ?";
  private static final int TELLERS = 1_000;

  private final Connection connection;
  private int key;
  private long reads;
  private long misses;

  /** Begins with key {@code first}, far from what any other has used. */
  Statements(Connection connection, int first) {
    this.connection = connection;
    this.key = first;
  }

  /** Returns how many queries were sent. */
  long reads() {
    return reads;
  }

  /** Returns how many queries were sent that a cache would keep. */
  long misses() {
    return misses;
  }

  /** Reads a row by binds that were never used together before. */
  long readNew() throws SQLException {
    misses++;
    reads++;
    int next = ++key;
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setInt(1, next % Postgres.ACCOUNTS + 1);
      statement.setInt(2, Postgres.ACCOUNTS + next / Postgres.ACCOUNTS);
      return only(statement);
    }
  }

  /** Reads a row and what time it is. */
  long readTheClock() throws SQLException {
    return read(CLOCK, ++key % Postgres.ACCOUNTS + 1);
  }

  private long read(String sql, int row) throws SQLException {
    reads++;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, row);
      return only(statement);
    }
  }

  private static long only(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("There is no row.");
      }
      return row.getInt(1);
    }
  }

  /** Updates a row. */
  long write() throws SQLException {
    return write(WRITE, Postgres.ACCOUNTS);
  }

  /** Updates one of {@code rows} rows, and returns which one. */
  private int write(String sql, int rows) throws SQLException {
    int next = ++key;
    int row = next % (rows - 1) + 1;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, next);
      statement.setInt(2, row);
      if (statement.executeUpdate() != 1) {
        throw new SQLException("There is no row to update.");
      }
      return row;
    }
  }

  /** Updates, reads the row that it wrote, updates another table, and commits. */
  long transaction() throws SQLException {
    if (connection.getAutoCommit()) {
      connection.setAutoCommit(false);
    }
    int row = write(WRITE, Postgres.ACCOUNTS);
    long read = read(OWN_WRITE, row);
    write(WRITE_TELLER, TELLERS);
    connection.commit();
    return read;
  }
}
