package dev.larder.examples.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;

/**
 * pgbench's tables in a schema of their own, which is dropped when this is closed. Thread-safe
 * after {@link #load}.
 */
final class Bank implements AutoCloseable {
  private static final int ACCOUNTS_OF_A_BRANCH = 100_000;
  private static final int TELLERS_OF_A_BRANCH = 10;

  private final String url;
  private final String schema;
  private final int accounts;
  private boolean dropped;

  private Bank(String url, int accounts) {
    this.url = url;
    this.accounts = accounts;
    this.schema =
        "larder_demo_" + Integer.toHexString(ThreadLocalRandom.current().nextInt(1 << 28));
  }

  /** Prepares a bank in the database of {@code url}; {@link #load} creates it. */
  static Bank in(String url, int accounts) {
    return new Bank(url, accounts);
  }

  int accounts() {
    return accounts;
  }

  int branches() {
    return (accounts + ACCOUNTS_OF_A_BRANCH - 1) / ACCOUNTS_OF_A_BRANCH;
  }

  int tellers() {
    return branches() * TELLERS_OF_A_BRANCH;
  }

  /** Returns the branch of an account, as pgbench deals them out. */
  static int branchOfAccount(int account) {
    return (account - 1) / ACCOUNTS_OF_A_BRANCH + 1;
  }

  /** Returns the branch of a teller. */
  static int branchOfTeller(int teller) {
    return (teller - 1) / TELLERS_OF_A_BRANCH + 1;
  }

  /** Returns how many accounts a branch has. */
  int accountsOf(int branch) {
    return Math.min(accounts - (branch - 1) * ACCOUNTS_OF_A_BRANCH, ACCOUNTS_OF_A_BRANCH);
  }

  /** Opens a connection to the bank through {@code side}. */
  Connection connect(Side side) throws SQLException {
    Connection connection = DriverManager.getConnection(side.url(url));
    try {
      connection.setSchema(schema);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Creates the schema and loads it. */
  void load() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
      connection.setSchema(schema);
      statement.execute(
          "CREATE TABLE pgbench_branches"
              + " (bid int PRIMARY KEY, bbalance int NOT NULL, filler char(88))");
      statement.execute(
          "CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int NOT NULL,"
              + " tbalance int NOT NULL, filler char(84))");
      statement.execute(
          "CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int NOT NULL,"
              + " abalance int NOT NULL, filler char(84))");
      statement.execute(
          "CREATE TABLE pgbench_history"
              + " (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))");
      statement.execute(
          "INSERT INTO pgbench_branches SELECT b, 0, '' FROM generate_series(1, %d) b"
              .formatted(branches()));
      statement.execute(
          "INSERT INTO pgbench_tellers SELECT t, (t - 1) / %d + 1, 0, '' FROM generate_series(1, %d) t"
              .formatted(TELLERS_OF_A_BRANCH, tellers()));
      statement.execute(
          "INSERT INTO pgbench_accounts SELECT a, (a - 1) / %d + 1, 0, '' FROM generate_series(1, %d) a"
              .formatted(ACCOUNTS_OF_A_BRANCH, accounts));
      statement.execute(
          "VACUUM ANALYZE pgbench_branches, pgbench_tellers, pgbench_accounts, pgbench_history");
    }
  }

  /**
   * Compares every balance with the ledger, when nobody writes any more; returns how many there
   * are.
   */
  int compare(Ledger ledger) throws SQLException {
    Ledger.Seen seen = ledger.new Seen();
    return compare(seen, Ledger.Rows.ACCOUNT, "SELECT aid, abalance FROM pgbench_accounts")
        + compare(seen, Ledger.Rows.TELLER, "SELECT tid, tbalance FROM pgbench_tellers")
        + compare(seen, Ledger.Rows.BRANCH, "SELECT bid, bbalance FROM pgbench_branches");
  }

  private int compare(Ledger.Seen seen, Ledger.Rows rows, String sql) throws SQLException {
    int count = 0;
    try (Connection connection = connect(Side.DIRECT);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        int id = result.getInt(1);
        seen.check(rows, id, seen.least(rows, id), result.getInt(2));
        count++;
      }
    }
    return count;
  }

  /** Drops the schema; the second and later calls do nothing. */
  @Override
  public synchronized void close() throws SQLException {
    if (dropped) {
      return;
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("SET client_min_messages = warning");
      statement.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
      dropped = true;
    }
  }
}
