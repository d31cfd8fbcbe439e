package dev.larder.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The same under a HikariCP pool: Larder's URL is all that differs from an application without. */
public final class PooledJdbc {
  private PooledJdbc() {}

  /** Runs the example. */
  public static void main(String[] arguments) throws IOException, SQLException {
    try (Postgres postgres = Postgres.start()) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(postgres.larderUrl());
      config.setMaximumPoolSize(4);
      try (HikariDataSource pool = new HikariDataSource(config)) {
        execute(pool, "CREATE TABLE product (id int PRIMARY KEY, price numeric NOT NULL)");
        execute(pool, "INSERT INTO product VALUES (1, 9.90), (2, 24.00)");
        // The first reads go to the database, until Larder knows what the table is.
        for (int i = 0; i < 10_000; i++) {
          first(pool, "SELECT sum(price) FROM product", "sum");
        }
        execute(pool, "DELETE FROM product WHERE id = 2");
        System.out.println(
            "after the delete: " + first(pool, "SELECT sum(price) FROM product", "sum"));
        System.out.println("hits of 10001: " + first(pool, "SHOW larder.cache", "hits"));
      }
    }
  }

  private static void execute(HikariDataSource pool, String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String first(HikariDataSource pool, String sql, String column)
      throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(column);
    }
  }
}
