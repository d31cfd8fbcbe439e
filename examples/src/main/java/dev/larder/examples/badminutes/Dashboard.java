package dev.larder.examples.badminutes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * A sum over a table that is written all the time. Each write adds 1, so the sum says how new it
 * is: it must have what was acknowledged as long ago as the side may be stale, and must never go
 * backwards on one connection. Thread-safe.
 */
final class Dashboard {
  private static final int ROWS = 200_000;

  private final DataSource pool;
  private final Connection writer;
  private final long staleNanos;
  private final String question;
  private final String write;

  /** The sums that were acknowledged, by when. */
  private final ConcurrentSkipListMap<Long, Long> acknowledged = new ConcurrentSkipListMap<>();

  /** The newest sum that each connection has seen. */
  private final Map<Connection, Long> seen = new ConcurrentHashMap<>();

  /**
   * Creates the dashboard of a side as it is.
   *
   * @param pool what reads, and nothing else: a connection that has written reads nothing outdated
   * @param writer what writes, and nothing else
   */
  Dashboard(Side side, DataSource pool, Connection writer) throws SQLException {
    this.pool = pool;
    this.writer = writer;
    staleNanos = side.staleness().toNanos();
    String table = side.table("visit");
    question =
        "SELECT sum(amount), sum(length(md5(id::text))) FROM " + table + " /* larder:stale=2s */";
    write = "UPDATE " + table + " SET amount = amount + 1 WHERE id = ?";
    try (Statement statement = writer.createStatement();
        ResultSet row = statement.executeQuery("SELECT sum(amount) FROM " + table)) {
      row.next();
      acknowledged.put(Long.MIN_VALUE, row.getLong(1));
    }
  }

  /** Makes a side's table. */
  static void create(Statement statement, Side side) throws SQLException {
    String table = side.table("visit");
    statement.execute(
        "CREATE TABLE " + table + " (id int PRIMARY KEY, amount int) WITH (fillfactor = 80)");
    statement.execute(
        "INSERT INTO " + table + " SELECT i, 0 FROM generate_series(1, " + ROWS + ") i");
  }

  /** Asks, and returns whether the answer was right. */
  boolean ask() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      long asked = System.nanoTime();
      long least = acknowledged.floorEntry(asked - staleNanos).getValue();
      try (ResultSet row = statement.executeQuery(question)) {
        row.next();
        long sum = row.getLong(1);
        // That of the pool: Larder hands out no driver connection without giving up its hits.
        Connection session = connection.unwrap(Connection.class);
        return sum >= least && seen.merge(session, sum, Math::max) == sum;
      }
    }
  }

  /** Adds 1. For one thread. */
  boolean write() throws SQLException {
    try (PreparedStatement update = writer.prepareStatement(write)) {
      update.setInt(1, 1 + ThreadLocalRandom.current().nextInt(ROWS));
      update.executeUpdate();
    }
    acknowledged.put(System.nanoTime(), acknowledged.lastEntry().getValue() + 1);
    return true;
  }
}
