package dev.larder.examples;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The table {@code product} of the examples with a framework, and what they do with it. */
final class Products {
  private static final int READS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Products() {}

  static void create(Postgres postgres) throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE product (id int PRIMARY KEY, price numeric NOT NULL)");
      statement.execute("INSERT INTO product VALUES (1, 9.90)");
    }
  }

  /** Reads the price often, changes it, reads it again, and prints what came of it. */
  static void show(Supplier<BigDecimal> read, Consumer<BigDecimal> change) {
    BigDecimal price = untilThereAreHits(read);
    long before = hits();
    for (int i = 0; i < READS; i++) {
      price = read.get();
    }
    System.out.println("before: " + price);
    change.accept(new BigDecimal("12.50"));
    System.out.println("after:  " + read.get());
    System.out.println("hits of " + (READS + 1) + ": " + (hits() - before));
  }

  /** Until Larder has read the catalog, in the background, the server answers every query. */
  private static BigDecimal untilThereAreHits(Supplier<BigDecimal> read) {
    long before = hits();
    long begun = System.nanoTime();
    BigDecimal price;
    do {
      price = read.get();
    } while (hits() == before && System.nanoTime() - begun < PATIENCE.toNanos());
    return price;
  }

  private static long hits() {
    return LarderCaches.all().stream()
        .map(LarderCache::status)
        .mapToLong(status -> status.get("hits") instanceof Long hits ? hits : 0)
        .sum();
  }
}
