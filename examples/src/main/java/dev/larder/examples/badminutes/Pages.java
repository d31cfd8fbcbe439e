package dev.larder.examples.badminutes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.sql.DataSource;

/**
 * The pages of some products, each with a sum over thousands of sales. A page must be at least as
 * new as every change that was acknowledged, and every answer that had come, before it was asked
 * for. Thread-safe.
 */
final class Pages {
  /** How many there are. */
  static final int COUNT = 1_000;

  private static final int SALES_A_PAGE = 25_000;
  private static final int SALES_APART = 10;

  private final DataSource pool;
  private final Connection writer;
  private final String page;
  private final String change;
  private final AtomicLongArray versions = new AtomicLongArray(COUNT + 1);

  /**
   * Creates the pages of a side as they are.
   *
   * @param pool what reads
   * @param writer what changes, and nothing else
   */
  Pages(Side side, DataSource pool, Connection writer) throws SQLException {
    this.pool = pool;
    this.writer = writer;
    String table = side.table("product");
    page =
        "SELECT p.version, count(*), sum(s.amount) FROM "
            + table
            + " p JOIN sale s ON s.id BETWEEN p.first_sale AND p.last_sale"
            + " WHERE p.id = ? GROUP BY p.version";
    change = "UPDATE " + table + " SET version = version + 1 WHERE id = ? RETURNING version";
    try (Statement statement = writer.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, version FROM " + table)) {
      while (rows.next()) {
        seen(rows.getInt(1), rows.getLong(2));
      }
    }
  }

  /** Makes a side's table. */
  static void create(Statement statement, Side side) throws SQLException {
    String table = side.table("product");
    statement.execute(
        "CREATE TABLE "
            + table
            + " (id int PRIMARY KEY, version bigint, first_sale int, last_sale int)");
    statement.execute(
        "INSERT INTO "
            + table
            + " SELECT i, 0, i * "
            + SALES_APART
            + ", i * "
            + SALES_APART
            + " + "
            + (SALES_A_PAGE - 1)
            + " FROM generate_series(1, "
            + COUNT
            + ") i");
  }

  /** Makes the sales, which nobody writes. */
  static void createSales(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE sale (id int PRIMARY KEY, amount int)");
    statement.execute(
        "INSERT INTO sale SELECT i, i % 100 FROM generate_series(1, "
            + (COUNT * SALES_APART + SALES_A_PAGE)
            + ") i");
  }

  private void seen(int product, long version) {
    versions.accumulateAndGet(product, version, Math::max);
  }

  /** Half of the visitors ask for a quarter of the products. */
  private static int anyProduct() {
    double random = ThreadLocalRandom.current().nextDouble();
    return 1 + (int) (COUNT * random * random);
  }

  /** Asks for any page, and returns whether it was right. */
  boolean askAny() throws SQLException {
    return ask(anyProduct());
  }

  /** Asks for a page, and returns whether it was right. */
  boolean ask(int product) throws SQLException {
    long least = versions.get(product);
    try (Connection connection = pool.getConnection();
        PreparedStatement select = connection.prepareStatement(page)) {
      select.setInt(1, product);
      try (ResultSet row = select.executeQuery()) {
        boolean found = row.next() && row.getInt(2) == SALES_A_PAGE;
        if (found) {
          seen(product, row.getLong(1));
        }
        return found && row.getLong(1) >= least;
      }
    }
  }

  /** Changes any product. For one thread. */
  boolean change() throws SQLException {
    int product = anyProduct();
    try (PreparedStatement update = writer.prepareStatement(change)) {
      update.setInt(1, product);
      try (ResultSet row = update.executeQuery()) {
        row.next();
        seen(product, row.getLong(1));
      }
    }
    return true;
  }
}
