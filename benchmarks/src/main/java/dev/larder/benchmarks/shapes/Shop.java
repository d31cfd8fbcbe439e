package dev.larder.benchmarks.shapes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The tables of a shop, and who reads and writes them. Half of the reads are look-ups of a product
 * or a customer by key; the others are the orders of a customer, the products of a category, and an
 * order with its items and their products. Three of five writes change a product's stock, the
 * others an order or a customer. Stateless.
 */
final class Shop {
  private static final int CATEGORIES = 100;
  private static final int PRODUCTS = 2_000;
  private static final int CUSTOMERS = 1_000;
  private static final int ORDERS = 4_000;

  private static final Query PRODUCT =
      new Query("SELECT id, name, price, stock FROM product WHERE id = ?", PRODUCTS);
  private static final Query CUSTOMER =
      new Query("SELECT id, name, visits FROM customer WHERE id = ?", CUSTOMERS);
  private static final Query ORDERS_OF_CUSTOMER =
      new Query("SELECT id, status FROM orders WHERE customer_id = ?", CUSTOMERS);
  private static final Query CATEGORY =
      new Query(
          "SELECT id, name, price FROM product WHERE category_id = ? ORDER BY name", CATEGORIES);
  private static final Query ORDER =
      new Query(
          "SELECT o.id, o.status, i.line, i.quantity, i.product_id, p.name FROM orders o"
              + " JOIN item i ON i.order_id = o.id JOIN product p ON p.id = i.product_id"
              + " WHERE o.id = ? ORDER BY i.line",
          ORDERS);

  /** As often as they are asked. */
  private static final List<Query> QUERIES =
      List.of(
          PRODUCT,
          PRODUCT,
          PRODUCT,
          CUSTOMER,
          CUSTOMER,
          ORDERS_OF_CUSTOMER,
          ORDERS_OF_CUSTOMER,
          CATEGORY,
          ORDER,
          ORDER);

  /** A query by a key from 1 to {@code keys}. */
  private record Query(String sql, int keys) {}

  private Shop() {}

  /** Makes the tables. */
  static void create(Postgres postgres) throws SQLException {
    postgres.execute(
        "CREATE TABLE category (id int PRIMARY KEY, name text)",
        "CREATE TABLE product (id int PRIMARY KEY, category_id int NOT NULL REFERENCES category,"
            + " name text, price numeric, stock int)",
        "CREATE INDEX ON product (category_id)",
        "CREATE TABLE customer (id int PRIMARY KEY, name text, visits int)",
        "CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customer,"
            + " status text)",
        "CREATE INDEX ON orders (customer_id)",
        "CREATE TABLE item (order_id int REFERENCES orders, line int,"
            + " product_id int NOT NULL REFERENCES product, quantity int,"
            + " PRIMARY KEY (order_id, line))",
        insert("category", CATEGORIES, "i, 'category ' || i"),
        insert("product", PRODUCTS, "i, i % " + CATEGORIES + " + 1, 'product ' || i, i, 100"),
        insert("customer", CUSTOMERS, "i, 'customer ' || i, 0"),
        insert("orders", ORDERS, "i, i % " + CUSTOMERS + " + 1, 'new'"),
        "INSERT INTO item SELECT i, line, (i * 7 + line * 13) % "
            + PRODUCTS
            + " + 1, line FROM generate_series(1, "
            + ORDERS
            + ") i, generate_series(1, 3) line",
        "VACUUM ANALYZE");
  }

  private static String insert(String table, int rows, String values) {
    return "INSERT INTO "
        + table
        + " SELECT "
        + values
        + " FROM generate_series(1, "
        + rows
        + ") i";
  }

  /** Reads for some time; returns how often. */
  static long read(Connection connection, long nanos) throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long start = System.nanoTime();
    long reads = 0;
    while (System.nanoTime() - start < nanos) {
      Query query = QUERIES.get(random.nextInt(QUERIES.size()));
      read(connection, query.sql(), random.nextInt(query.keys()));
      reads++;
    }
    return reads;
  }

  private static void read(Connection connection, String sql, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key + 1);
      try (ResultSet rows = statement.executeQuery()) {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          rows.getString(columns);
        }
      }
    }
  }

  /** Writes one row. */
  static void write(Connection connection) throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int kind = random.nextInt(5);
    if (kind < 3) {
      write(
          connection,
          "UPDATE product SET stock = stock - 1 WHERE id = ?",
          random.nextInt(PRODUCTS));
    } else if (kind < 4) {
      write(connection, "UPDATE orders SET status = 'sent' WHERE id = ?", random.nextInt(ORDERS));
    } else {
      write(
          connection,
          "UPDATE customer SET visits = visits + 1 WHERE id = ?",
          random.nextInt(CUSTOMERS));
    }
  }

  private static void write(Connection connection, String sql, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key + 1);
      statement.executeUpdate();
    }
  }
}
