package dev.larder.examples.demo;

import dev.larder.examples.demo.Ledger.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A thread that reads and checks what it reads. Of a hundred reads 60 look up an account, 14 join
 * it with its branch, 25 join a teller with its branch, and one adds up the accounts of a branch.
 */
final class Reader implements Callable<Latencies> {
  static final String ACCOUNT = "SELECT aid, bid, abalance FROM pgbench_accounts WHERE aid = ?";
  static final String ACCOUNT_AND_BRANCH =
      "SELECT a.aid, b.bid, a.abalance, b.bbalance"
          + " FROM pgbench_accounts a JOIN pgbench_branches b ON b.bid = a.bid WHERE a.aid = ?";
  static final String TELLER_AND_BRANCH =
      "SELECT t.tid, b.bid, t.tbalance, b.bbalance"
          + " FROM pgbench_tellers t JOIN pgbench_branches b ON b.bid = t.bid WHERE t.tid = ?";
  static final String SUM =
      "SELECT count(*), sum(a.abalance), b.bbalance FROM pgbench_accounts a"
          + " JOIN pgbench_branches b ON b.bid = a.bid WHERE b.bid = ? GROUP BY b.bbalance";

  private final Bank bank;
  private final Ledger ledger;
  private final Ledger.Seen seen;
  private final Pace pace;
  private final Side side;
  private final Keys keys;
  private final Latencies latencies = new Latencies();

  /** Creates a reader that goes on where {@code seen} has got to. */
  Reader(Bank bank, Ledger ledger, Ledger.Seen seen, Pace pace, Side side) {
    this.bank = bank;
    this.ledger = ledger;
    this.seen = seen;
    this.pace = pace;
    this.side = side;
    this.keys = new Keys(bank);
  }

  @Override
  public Latencies call() throws SQLException {
    try (Connection connection = bank.connect(side)) {
      while (pace.running()) {
        for (int i = 0; i < Pace.NOTED; i++) {
          read(connection);
        }
        pace.noteReads();
      }
    }
    return latencies;
  }

  private void read(Connection connection) throws SQLException {
    int die = ThreadLocalRandom.current().nextInt(100);
    if (die < 60) {
      account(connection, keys.account());
    } else if (die < 74) {
      int account = keys.account();
      int branch = Bank.branchOfAccount(account);
      joined(connection, ACCOUNT_AND_BRANCH, Rows.ACCOUNT, account, branch);
    } else if (die < 99) {
      int teller = keys.teller();
      joined(connection, TELLER_AND_BRANCH, Rows.TELLER, teller, Bank.branchOfTeller(teller));
    } else {
      sum(connection, keys.branch());
    }
  }

  private void account(Connection connection, int account) throws SQLException {
    int least = seen.least(Rows.ACCOUNT, account);
    int[] row = row(connection, ACCOUNT, account, 3);
    if (row.length > 0) {
      seen.same("aid", account, row[0]);
      seen.same("bid", Bank.branchOfAccount(account), row[1]);
      seen.check(Rows.ACCOUNT, account, least, row[2]);
    }
  }

  private void joined(Connection connection, String sql, Rows rows, int id, int branch)
      throws SQLException {
    int least = seen.least(rows, id);
    int leastOfBranch = seen.least(Rows.BRANCH, branch);
    int[] row = row(connection, sql, id, 4);
    if (row.length > 0) {
      seen.same("id", id, row[0]);
      seen.same("bid", branch, row[1]);
      seen.check(rows, id, least, row[2]);
      seen.check(Rows.BRANCH, branch, leastOfBranch, row[3]);
    }
  }

  private void sum(Connection connection, int branch) throws SQLException {
    int least = seen.least(Rows.BRANCH, branch);
    int[] row = row(connection, SUM, branch, 3);
    if (row.length > 0) {
      seen.same("count of accounts", bank.accountsOf(branch), row[0]);
      seen.same("sum of the accounts' balances beside the branch's", row[2], row[1]);
      seen.check(Rows.BRANCH, branch, least, row[2]);
    }
  }

  /** Returns the columns of the only row; empty, and counted as wrong, where there is not one. */
  private int[] row(Connection connection, String sql, int id, int columns) throws SQLException {
    int[] row = new int[columns];
    long start = System.nanoTime();
    int rows = 0;
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setInt(1, id);
      try (ResultSet result = select.executeQuery()) {
        for (; result.next(); rows++) {
          for (int i = 0; i < columns; i++) {
            row[i] = result.getInt(i + 1);
          }
        }
      }
    }
    latencies.add(System.nanoTime() - start);
    if (rows == 1) {
      return row;
    }
    ledger.wrong("%d rows instead of 1 for id %d: %s", rows, id, sql);
    return new int[0];
  }
}
