package dev.larder.examples.wrongrows;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks the database, by whichever driver the URL names. */
final class JdbcProducts implements Products {
  private static final int SALES = 100_000;

  /** The SQLState of what was not committed, as when memcached does not answer in time. */
  private static final String TRY_AGAIN = "40001";

  private final Connection connection;
  private final String page;
  private final String change;

  /** Connects. */
  JdbcProducts(String url, Side side) throws SQLException {
    connection = DriverManager.getConnection(url);
    page =
        "SELECT p.version, count(*), sum(s.amount) FROM "
            + side.table()
            + " p JOIN sale s ON s.product = p.id WHERE p.id = ? GROUP BY p.version";
    change = "UPDATE " + side.table() + " SET version = version + 1 WHERE id = ? RETURNING version";
  }

  /** Makes a table for each side, and the sales of all. */
  static void create(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (Side side : Side.values()) {
        statement.execute("CREATE TABLE " + side.table() + " (id int PRIMARY KEY, version bigint)");
        statement.execute(
            "INSERT INTO "
                + side.table()
                + " SELECT i, 0 FROM generate_series(1, "
                + COUNT
                + ") i");
      }
      statement.execute("CREATE TABLE sale (product int, amount int)");
      statement.execute(
          "INSERT INTO sale SELECT 1 + i % "
              + COUNT
              + ", i % 100 FROM generate_series(1, "
              + SALES
              + ") i");
      statement.execute("CREATE INDEX ON sale (product)");
      statement.execute("VACUUM ANALYZE");
    }
  }

  /** Creates what a change feed needs. */
  static void publish(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE PUBLICATION larder FOR TABLE sale, " + Side.LARDER.table());
    }
  }

  @Override
  public Page page(int product) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(page)) {
      select.setInt(1, product);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return new Page(row.getLong(1), row.getLong(2), row.getLong(3));
      }
    }
  }

  @Override
  public long change(int product) throws SQLException {
    while (true) {
      try {
        return tryToChange(product);
      } catch (SQLException e) {
        if (!TRY_AGAIN.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  private long tryToChange(int product) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(change)) {
      update.setInt(1, product);
      try (ResultSet row = update.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
