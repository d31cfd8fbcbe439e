package com.example;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads a price until it is a hit, changes it, and reads the new one. Takes the URL, and nothing but JDBC. */
public final class Prices {
  private Prices() {}

  /** Runs the application; fails where there is no hit within 30 seconds, or a wrong price. */
  public static void main(String[] arguments) throws Exception {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS product");
      statement.execute("CREATE TABLE product (id int PRIMARY KEY, price int NOT NULL)");
      statement.execute("INSERT INTO product VALUES (1, 10)");
      long end = System.nanoTime() + 30_000_000_000L;
      while (hits(statement) < 10) {
        expect(connection, 10);
        if (System.nanoTime() > end) {
          throw new IllegalStateException("no hits");
        }
      }
      statement.executeUpdate("UPDATE product SET price = 20 WHERE id = 1");
      expect(connection, 20);
      System.out.println(hits(statement) + " hits, and the new price after the update");
    }
  }

  private static void expect(Connection connection, int expected) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT price FROM product WHERE id = ?")) {
      select.setInt(1, 1);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        if (row.getInt(1) != expected) {
          throw new IllegalStateException("the price is " + row.getInt(1));
        }
      }
    }
  }

  private static long hits(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong("hits");
    }
  }
}
