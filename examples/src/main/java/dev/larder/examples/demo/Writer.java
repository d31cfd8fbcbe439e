package dev.larder.examples.demo;

import dev.larder.examples.demo.Ledger.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The one thread that writes. Of twenty writes 13 add a line to the history, six also change a
 * teller, and one an account, its teller and its branch, in one transaction; some of these are
 * tried before with balances that nobody may ever see, and rolled back.
 */
final class Writer implements Callable<Latencies> {
  private static final int DIRTY = -1_000_000;

  private final Bank bank;
  private final Ledger ledger;
  private final Pace pace;
  private final Side side;
  private final Keys keys;
  private final Latencies latencies = new Latencies();

  Writer(Bank bank, Ledger ledger, Pace pace, Side side) {
    this.bank = bank;
    this.ledger = ledger;
    this.pace = pace;
    this.side = side;
    this.keys = new Keys(bank);
  }

  @Override
  public Latencies call() throws SQLException {
    try (Connection connection = bank.connect(side)) {
      connection.setAutoCommit(false);
      for (int turn = 0; pace.awaitWrite(); turn++) {
        long start = System.nanoTime();
        write(connection, turn);
        latencies.add(System.nanoTime() - start);
        pace.noteWrite();
      }
    }
    return latencies;
  }

  private void write(Connection connection, int turn) throws SQLException {
    int account = keys.account();
    int branch = Bank.branchOfAccount(account);
    int teller = keys.tellerOf(branch);
    boolean changesTeller = turn % 20 >= 13;
    boolean changesAccount = turn % 20 == 19;
    if (changesAccount && ThreadLocalRandom.current().nextInt(4) == 0) {
      change(connection, "UPDATE pgbench_accounts SET abalance = ? WHERE aid = ?", DIRTY, account);
      change(connection, "UPDATE pgbench_branches SET bbalance = ? WHERE bid = ?", DIRTY, branch);
      connection.rollback();
    }
    if (changesAccount) {
      add(connection, "UPDATE pgbench_accounts SET abalance = abalance + ? WHERE aid = ?", account);
    }
    if (changesTeller) {
      add(connection, "UPDATE pgbench_tellers SET tbalance = tbalance + ? WHERE tid = ?", teller);
    }
    if (changesAccount) {
      add(connection, "UPDATE pgbench_branches SET bbalance = bbalance + ? WHERE bid = ?", branch);
    }
    history(connection, teller, branch, account);
    if (changesTeller) {
      ledger.sent(Rows.TELLER, teller);
    }
    if (changesAccount) {
      ledger.sent(Rows.ACCOUNT, account);
      ledger.sent(Rows.BRANCH, branch);
    }
    connection.commit();
    if (changesTeller) {
      ledger.acknowledged(Rows.TELLER, teller);
    }
    if (changesAccount) {
      ledger.acknowledged(Rows.ACCOUNT, account);
      ledger.acknowledged(Rows.BRANCH, branch);
    }
  }

  private static void add(Connection connection, String sql, int id) throws SQLException {
    change(connection, sql, 1, id);
  }

  private static void change(Connection connection, String sql, int value, int id)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setInt(1, value);
      update.setInt(2, id);
      if (update.executeUpdate() != 1) {
        throw new SQLException("no row " + id + ": " + sql);
      }
    }
  }

  private static void history(Connection connection, int teller, int branch, int account)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (?, ?, ?, 1, now())")) {
      insert.setInt(1, teller);
      insert.setInt(2, branch);
      insert.setInt(3, account);
      insert.executeUpdate();
    }
  }
}
