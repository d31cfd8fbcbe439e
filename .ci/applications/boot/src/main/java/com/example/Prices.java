package com.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads a price until it is a hit, changes it, and reads the new one, with Spring Boot's JdbcTemplate. */
@SpringBootApplication
public class Prices {
  /** Runs the application; fails where there is no hit within 30 seconds, or a wrong price. */
  public static void main(String[] arguments) {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(Prices.class, arguments)) {
      JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
      jdbc.execute("DROP TABLE IF EXISTS product");
      jdbc.execute("CREATE TABLE product (id int PRIMARY KEY, price int NOT NULL)");
      jdbc.execute("INSERT INTO product VALUES (1, 10)");
      long end = System.nanoTime() + 30_000_000_000L;
      while (hits(jdbc) < 10) {
        expect(jdbc, 10);
        if (System.nanoTime() > end) {
          throw new IllegalStateException("no hits");
        }
      }
      jdbc.update("UPDATE product SET price = 20 WHERE id = 1");
      expect(jdbc, 20);
      System.out.printf(
          "%d hits, and the new price after the update, with Spring Boot %s%n",
          hits(jdbc), SpringBootVersion.getVersion());
    }
  }

  private static void expect(JdbcTemplate jdbc, int expected) {
    Integer price =
        jdbc.queryForObject("SELECT price FROM product WHERE id = ?", Integer.class, 1);
    if (price == null || price != expected) {
      throw new IllegalStateException("the price is " + price);
    }
  }

  private static long hits(JdbcTemplate jdbc) {
    return ((Number) jdbc.queryForMap("SHOW larder.cache").get("hits")).longValue();
  }
}
