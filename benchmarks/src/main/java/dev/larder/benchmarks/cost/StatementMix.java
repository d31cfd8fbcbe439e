package dev.larder.benchmarks.cost;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A mix of statements over tables of one schema, at random, but the same again for the same number.
 * Of a hundred statements 9 add up the accounts of a branch, 5 ask what time it is, and one is an
 * update; of the other 85 all look an account up, or 25 join four tables for a page of 25 rows with
 * 40 columns, which is read as object mappers do. For one thread.
 */
final class StatementMix {
  private static final int KEYS = 1_000;
  private static final int BRANCHES = 10;
  private static final int SHAPES = 20;
  private static final int COLUMNS = 40;
  private static final int PAGE = 25;
  private static final List<String> JOINED = List.of("line", "purchase", "product", "category");
  private static final String SUM = "SELECT count(*), sum(balance) FROM account WHERE branch = ?";
  private static final String CLOCK =
      "SELECT id, balance, clock_timestamp() AS at FROM account WHERE id = ?";
  private static final String UPDATE = "UPDATE account SET balance = balance + 1 WHERE id = ?";
  private static final String UPDATE_LINE = "UPDATE line SET b = b + 1 WHERE id = ?";

  private final Connection connection;
  private final int pages;
  private final Random random;
  private final String page = page();
  private final String[] lookups = new String[SHAPES];

  /**
   * Makes a mix.
   *
   * @param pages how many of a hundred statements read a page
   */
  StatementMix(Connection connection, int pages, int number) {
    this.connection = connection;
    this.pages = pages;
    this.random = new Random(number);
    Arrays.setAll(lookups, StatementMix::lookup);
  }

  /** Returns what makes the tables in {@code schema}. */
  static List<String> tables(String schema) {
    StringBuilder sql = new StringBuilder("CREATE SCHEMA " + schema);
    create(
        sql,
        schema + ".account",
        "i AS id, i % 10 AS branch, i * 7 AS balance, 'x'::char(84) AS filler");
    for (String table : JOINED) {
      create(
          sql,
          schema + "." + table,
          "i AS id, i * 1.25 AS n, 'some text ' || 100000 + i AS t, i * 10000000000 AS b,"
              + " timestamp '2024-01-01' + i * interval '1 hour' AS ts");
    }
    return List.of(sql.toString(), "VACUUM ANALYZE");
  }

  private static void create(StringBuilder sql, String table, String columns) {
    sql.append("; CREATE TABLE " + table + " AS SELECT " + columns)
        .append(" FROM generate_series(1, " + KEYS + ") i")
        .append("; ALTER TABLE " + table + " ADD PRIMARY KEY (id)");
  }

  private static String page() {
    StringBuilder sql = new StringBuilder("SELECT ");
    for (int i = 0; i < COLUMNS; i++) {
      String column = List.of("id", "n", "t", "b", "ts").get(i % 5);
      String table = JOINED.get(i / (COLUMNS / JOINED.size()));
      sql.append(i == 0 ? "" : ", ").append(table + "." + column + " AS c" + i + "_0_");
    }
    return sql
        + " FROM line JOIN purchase ON purchase.id = line.id JOIN product ON product.id = line.id"
        + " JOIN category ON category.id = product.id WHERE line.id > ? ORDER BY line.id LIMIT "
        + PAGE;
  }

  private static String lookup(int shape) {
    return "SELECT id, branch, balance, filler"
        + ", id AS x".repeat(shape)
        + " FROM account WHERE id = ?";
  }

  /** Runs the next statement. */
  long next() throws SQLException {
    int die = random.nextInt(100);
    if (die < pages) {
      return readPage(skewed() / PAGE * PAGE);
    }
    if (die < 85) {
      return read(lookups[random.nextInt(SHAPES)], skewed());
    }
    if (die < 94) {
      return read(SUM, random.nextInt(BRANCHES));
    }
    if (die < 99) {
      return read(CLOCK, skewed());
    }
    return update(pages > 0 && random.nextBoolean() ? UPDATE_LINE : UPDATE);
  }

  /** Returns a key of few that are asked for often and many that are not. */
  private int skewed() {
    return (int) Math.pow(KEYS, random.nextDouble());
  }

  private long read(String sql, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(2);
      }
    }
  }

  private long readPage(int after) throws SQLException {
    long sum = 0;
    try (PreparedStatement statement = connection.prepareStatement(page)) {
      statement.setInt(1, after);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          for (int column = 1; column <= COLUMNS; column++) {
            sum += read(rows, column);
          }
        }
      }
    }
    return sum;
  }

  private static long read(ResultSet rows, int column) throws SQLException {
    return switch (column % 5) {
      case 1 -> rows.getInt(column);
      case 2 -> rows.getBigDecimal(column).hashCode();
      case 3 -> rows.getString(column).hashCode();
      case 4 -> rows.getLong(column);
      default -> rows.getTimestamp(column).hashCode();
    };
  }

  private long update(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, random.nextInt(KEYS) + 1);
      return statement.executeUpdate();
    }
  }
}
