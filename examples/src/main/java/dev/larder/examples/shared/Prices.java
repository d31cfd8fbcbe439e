package dev.larder.examples.shared;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What each of the processes does with the database: nothing but JDBC. For one thread. */
final class Prices implements AutoCloseable {
  /** The SQLState of what can be tried again. */
  static final String TRY_AGAIN = "40001";

  private static final long LONGEST_WAIT_NANOS = 60_000_000_000L;

  private final Connection connection;

  /** Connects to Larder's {@code url}. */
  Prices(String url) throws SQLException {
    connection = DriverManager.getConnection(url);
  }

  /** Makes a product that costs 10. */
  void create() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE product (id int PRIMARY KEY, price int NOT NULL)");
      statement.execute("INSERT INTO product VALUES (1, 10)");
    }
  }

  /** Returns what it costs, and where the answer came from. */
  String read() throws SQLException {
    long near = count("near_hits");
    long remote = count("remote_hits");
    int price;
    try (PreparedStatement select =
            connection.prepareStatement("SELECT price FROM product WHERE id = 1");
        ResultSet row = select.executeQuery()) {
      row.next();
      price = row.getInt(1);
    }
    String source =
        count("near_hits") > near
            ? "its own memory"
            : count("remote_hits") > remote ? "memcached" : "the database";
    return price + " from " + source;
  }

  /** Reads until the answer comes from a cache: after a start or a fault that takes a moment. */
  String readFromCache() throws SQLException {
    long deadline = System.nanoTime() + LONGEST_WAIT_NANOS;
    String answer = read();
    while (answer.endsWith("the database")) {
      if (System.nanoTime() - deadline > 0) {
        throw new SQLException("no hit within 60 s");
      }
      answer = read();
    }
    return answer;
  }

  /** Changes what it costs. */
  void write(int price) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE product SET price = ? WHERE id = 1")) {
      update.setInt(1, price);
      update.executeUpdate();
    }
  }

  private long count(String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong(column);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
