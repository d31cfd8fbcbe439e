package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A shop that is written while it is read: {@value #READERS} connections read, one writes single
 * rows by their keys at a steady rate. Half of the reads are look-ups of a product or a customer by
 * key; the others are the orders of a customer, the products of a category, and an order with its
 * items and their products. Three of five writes change a product's stock, the others an order or a
 * customer.
 */
public final class ShopWrites implements Experiment {
  private static final String NAME = "writes";
  private static final String THROUGHPUT = "throughput";
  private static final String HIT_RATIO = "hit ratio";
  private static final String RATE = "writes";
  private static final String BY_KEY = "Larder, by key";
  private static final String BY_TABLE = "Larder, by table";
  private static final int READERS = 4;
  private static final int CATEGORIES = 100;
  private static final int PRODUCTS = 2_000;
  private static final int CUSTOMERS = 1_000;
  private static final int ORDERS = 4_000;
  private static final List<Integer> RATES = List.of(0, 1, 10, 65, 300, 1_000);

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

  /** For the command. */
  public ShopWrites() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(12L + steps(scale) * scale.of(2L, 4L));
  }

  @Override
  public int steps(Scale scale) {
    return rates(scale).size() * 3 * rounds(scale);
  }

  private static List<Integer> rates(Scale scale) {
    return scale.of(List.of(0, 65), RATES);
  }

  private static int rounds(Scale scale) {
    return scale.of(1, 3);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      createShop(postgres);
      postgres.awaitCatalog();
      List<Variant> variants =
          List.of(
              new Variant(Servers.DIRECT, postgres::direct),
              larder(postgres, BY_KEY, "key"),
              larder(postgres, BY_TABLE, "table"));
      for (Variant variant : variants) {
        measure(variant, 0, scale);
      }
      for (int round = 0; round < rounds(scale); round++) {
        for (int rate : rates(scale)) {
          for (Variant variant : variants) {
            add(results, variant, rate, measure(variant, rate, scale));
            progress.step(NAME + ": " + variant.label() + ", " + rate + " writes a second");
          }
        }
      }
    }
  }

  private static Variant larder(Postgres postgres, String label, String invalidation) {
    String parameters = "&larder.maxBytes=1GB&larder.invalidation=" + invalidation;
    return new Variant(label, () -> postgres.larder("by-" + invalidation, parameters));
  }

  private static void add(Results results, Variant variant, int rate, Reading reading) {
    results.add(NAME, variant.label(), THROUGHPUT, "1/s", reading.perSecond(), RATE, rate);
    if (!variant.label().equals(Servers.DIRECT)) {
      results.add(NAME, variant.label(), HIT_RATIO, "", reading.hitRatio(), RATE, rate);
    }
  }

  private static void createShop(Postgres postgres) throws SQLException {
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

  /** What one turn gave; the hit ratio is 0 where there is no cache. */
  private record Reading(double perSecond, double hitRatio) {}

  private static Reading measure(Variant variant, int rate, Scale scale) throws Exception {
    boolean cached = !variant.label().equals(Servers.DIRECT);
    long second = TimeUnit.SECONDS.toNanos(1);
    try (Crew crew = new Crew(variant, READERS);
        SteadyWrites writes = new SteadyWrites(variant, rate, ShopWrites::write)) {
      crew.run((connection, thread) -> read(connection, second));
      long hits = cached ? Postgres.count(crew.first(), "hits") : 0;
      Crew.Done done =
          crew.run((connection, thread) -> read(connection, scale.of(second, 3 * second)));
      hits = cached ? Postgres.count(crew.first(), "hits") - hits : 0;
      writes.check();
      return new Reading(done.perSecond(), hits / (double) done.operations());
    }
  }

  private static long read(Connection connection, long nanos) throws SQLException {
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

  private static void write(Connection connection) throws SQLException {
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

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    String title =
        "A shop read by " + READERS + " connections, while single rows of it are written by key";
    LineFigure throughput =
        figures.lines(NAME, title, "writes a second", "reads a second").fromZeroX();
    LineFigure ratio =
        figures.lines(NAME + "-hit-ratio", title, "writes a second", "hit ratio").fromZeroX();
    for (String variant : results.variants(NAME)) {
      throughput.line(variant, results.line(NAME, variant, THROUGHPUT, RATE, factors -> true));
      ratio.line(variant, results.line(NAME, variant, HIT_RATIO, RATE, factors -> true));
    }
    throughput.save();
    ratio.save();
  }
}
