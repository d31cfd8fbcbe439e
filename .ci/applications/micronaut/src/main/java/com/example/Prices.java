package com.example;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.version.VersionUtils;
import io.micronaut.jdbc.DataSourceResolver;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;

/** Reads a price until it is a hit, changes it, and reads the new one, with Micronaut Data and HikariCP. */
public final class Prices {
  private Prices() {}

  /** Runs the application; fails where there is no hit within 30 seconds, or a wrong price. */
  public static void main(String[] arguments) throws SQLException {
    Map<String, Object> properties = Map.of("datasources.default.url", arguments[0]);
    try (ApplicationContext context = ApplicationContext.run(properties);
        Connection connection = pool(context).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS product");
      statement.execute("CREATE TABLE product (id int PRIMARY KEY, price int NOT NULL)");
      statement.execute("INSERT INTO product VALUES (1, 10)");
      Products products = context.getBean(Products.class);
      long end = System.nanoTime() + 30_000_000_000L;
      while (hits(statement) < 10) {
        expect(products, 10);
        if (System.nanoTime() > end) {
          throw new IllegalStateException("no hits");
        }
      }
      products.update(1, 20);
      expect(products, 20);
      System.out.printf(
          "%d hits, and the new price after the update, with Micronaut %s%n",
          hits(statement), VersionUtils.MICRONAUT_VERSION);
    }
  }

  /** Returns HikariCP itself: Micronaut Data's data source has connections in transactions only. */
  private static DataSource pool(ApplicationContext context) {
    return context
        .getBean(DataSourceResolver.class)
        .resolve(context.getBean(DataSource.class));
  }

  private static void expect(Products products, int expected) {
    int price = products.findById(1).orElseThrow().price();
    if (price != expected) {
      throw new IllegalStateException("the price is " + price);
    }
  }

  private static long hits(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong("hits");
    }
  }
}
