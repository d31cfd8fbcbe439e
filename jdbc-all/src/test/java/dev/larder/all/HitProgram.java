package dev.larder.all;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Repeats a query through Larder until it hits, writes, and prints what it then reads. */
final class HitProgram {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private HitProgram() {}

  /** Runs on the database of the URL. */
  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS book");
      statement.execute("CREATE TABLE book (title text)");
      statement.execute("INSERT INTO book VALUES ('Emma')");
      untilHit(statement);
      statement.execute("UPDATE book SET title = 'Persuasion'");
      System.out.println("hits, then " + title(statement));
    }
  }

  private static void untilHit(Statement statement) throws SQLException {
    long begun = System.nanoTime();
    while (hits(statement) == 0) {
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IllegalStateException("no hit");
      }
      title(statement);
    }
  }

  private static String title(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT title FROM book")) {
      row.next();
      return row.getString(1);
    }
  }

  private static long hits(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong("hits");
    }
  }
}
