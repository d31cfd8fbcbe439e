package com.example;

import io.agroal.api.AgroalDataSource;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads a price until it is a hit, changes it, and reads the new one, with Panache and Agroal. */
@QuarkusMain
public class Prices implements QuarkusApplication {
  @Inject AgroalDataSource pool;

  /** Runs the application; fails where there is no hit within 30 seconds, or a wrong price. */
  @Override
  public int run(String... arguments) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS product");
      statement.execute("CREATE TABLE product (id int PRIMARY KEY, price int NOT NULL)");
      statement.execute("INSERT INTO product VALUES (1, 10)");
    }
    long end = System.nanoTime() + 30_000_000_000L;
    while (hits() < 10) {
      expect(10);
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no hits");
      }
    }
    QuarkusTransaction.requiringNew().run(() -> Product.<Product>findById(1).price = 20);
    expect(20);
    System.out.printf(
        "%d hits, and the new price after the update, with Quarkus %s%n",
        hits(), QuarkusApplication.class.getPackage().getImplementationVersion());
    return 0;
  }

  private static void expect(int expected) {
    int price =
        QuarkusTransaction.requiringNew().call(() -> Product.<Product>findById(1).price);
    if (price != expected) {
      throw new IllegalStateException("the price is " + price);
    }
  }

  private long hits() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong("hits");
    }
  }
}
