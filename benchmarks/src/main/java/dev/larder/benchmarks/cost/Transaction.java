package dev.larder.benchmarks.cost;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transaction at READ COMMITTED: prepared statements, and a commit at the end. Not thread-safe.
 */
final class Transaction {
  /** Prime to the number of keys: all come, and those that follow each other are far apart. */
  private static final long STRIDE = 61_813;

  private static final String SERIALIZATION_OR_DEADLOCK = "40";

  private static final AtomicInteger NEXT = new AtomicInteger();

  private final Connection connection;
  private final SplittableRandom random;

  /** What a transaction does. */
  @FunctionalInterface
  interface Statements {
    /** Does all but the commit. */
    void run(Transaction transaction) throws SQLException;
  }

  private Transaction(Connection connection, SplittableRandom random) {
    this.connection = connection;
    this.random = random;
  }

  /** Returns the load that does {@code statements} in a transaction each time. */
  static Load of(Statements statements) {
    return (connection, random) -> {
      if (connection.getAutoCommit()) {
        connection.setAutoCommit(false);
      }
      statements.run(new Transaction(connection, random));
      connection.commit();
    };
  }

  /** Rolls back what has failed by a deadlock or by serialization, and throws anything else. */
  static void rollBack(Connection connection, SQLException failed) throws SQLException {
    String state = failed.getSQLState();
    if (state == null || !state.startsWith(SERIALIZATION_OR_DEADLOCK)) {
      throw failed;
    }
    connection.rollback();
  }

  /** Returns a key of {@value TransactionTables#MANY}; it comes again when all others have come. */
  int newKey() {
    return (int) Math.floorMod(NEXT.incrementAndGet() * STRIDE, (long) TransactionTables.MANY) + 1;
  }

  /** Returns a key from 1 to {@code bound}, any of them as often. */
  int anyOf(int bound) {
    return random.nextInt(bound) + 1;
  }

  /** Returns true in so many of a hundred calls. */
  boolean percent(int share) {
    return random.nextInt(100) < share;
  }

  /** Reads all rows. */
  void read(String sql, int... values) throws SQLException {
    try (PreparedStatement statement = prepare(sql, values);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        rows.getString(1);
      }
    }
  }

  /** Writes. */
  void write(String sql, int... values) throws SQLException {
    try (PreparedStatement statement = prepare(sql, values)) {
      statement.executeUpdate();
    }
  }

  private PreparedStatement prepare(String sql, int... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setInt(i + 1, values[i]);
    }
    return statement;
  }
}
