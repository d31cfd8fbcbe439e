package dev.larder.examples.followed;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that reads prices, each as often as it can, and says when it has seen a new one: {@code
 * id version nanos}. It ends with its input, and then says its hits and misses. One thread.
 */
final class Follower {
  /** What it says when the feed is live. */
  static final String READY = "ready";

  private static final long PAUSE_NANOS = 200_000;

  private static final long LONGEST_START_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Follower() {}

  /** Works; the argument is Larder's URL. */
  public static void main(String[] arguments) throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        PreparedStatement select =
            connection.prepareStatement("SELECT version FROM product WHERE id = ?")) {
      awaitLive(connection);
      System.out.println(READY);
      long[] seen = new long[Followed.PRODUCTS + 1];
      long[] asked = new long[Followed.PRODUCTS + 1]; // When it was that answered so the last time.
      while (System.in.available() == 0) {
        for (int id = 1; id <= Followed.PRODUCTS; id++) {
          long begun = System.nanoTime();
          long version = version(select, id);
          if (version != seen[id]) {
            seen[id] = version;
            System.out.println(id + " " + version + " " + System.nanoTime() + " " + asked[id]);
          }
          asked[id] = begun;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      System.out.println("counts " + count(connection, "hits") + " " + count(connection, "misses"));
    }
  }

  private static long version(PreparedStatement select, int id) throws SQLException {
    select.setInt(1, id);
    try (ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void awaitLive(Connection connection) throws SQLException {
    long begun = System.nanoTime();
    while (!"live".equals(shown(connection, "feed"))) {
      if (System.nanoTime() - begun > LONGEST_START_NANOS) {
        throw new SQLException("the feed is not live within a minute");
      }
      Thread.onSpinWait();
    }
  }

  private static long count(Connection connection, String column) throws SQLException {
    return Long.parseLong(shown(connection, column));
  }

  private static String shown(Connection connection, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getString(column);
    }
  }
}
