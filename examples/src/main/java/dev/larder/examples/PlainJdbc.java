package dev.larder.examples;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads, writes and reads again with nothing but JDBC, and shows what the cache did. */
public final class PlainJdbc {
  private PlainJdbc() {}

  /** Runs the example. */
  public static void main(String[] arguments) throws IOException, SQLException {
    try (Postgres postgres = Postgres.start();
        Connection connection = DriverManager.getConnection(postgres.larderUrl())) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE product (id int PRIMARY KEY, price numeric NOT NULL)");
        statement.execute("INSERT INTO product VALUES (1, 9.90), (2, 24.00)");
      }
      // The first reads go to the database, until Larder knows what the table is.
      for (int i = 0; i < 10_000; i++) {
        price(connection, 1);
      }
      System.out.println("price of 1: " + price(connection, 1));
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("UPDATE product SET price = 8.50 WHERE id = 1");
      }
      System.out.println("after the update: " + price(connection, 1));
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SHOW larder.cache")) {
        row.next();
        System.out.printf(
            "hits %d, misses %d, invalidations %d%n",
            row.getLong("hits"), row.getLong("misses"), row.getLong("invalidations"));
      }
    }
  }

  private static String price(Connection connection, int id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT price FROM product WHERE id = ?")) {
      select.setInt(1, id);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getString("price");
      }
    }
  }
}
