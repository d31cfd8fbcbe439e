package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import dev.larder.jdbc.proof.history.Line;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** The transactions that are one call in autocommit: it is the commit, too. */
final class SingleStatements {
  private final Client client;
  private final Random random;

  /** A call that commits. */
  @FunctionalInterface
  private interface Call {
    void run() throws SQLException;
  }

  SingleStatements(Client client) {
    this.client = client;
    this.random = client.random();
  }

  private void run(Change change, Call call) throws SQLException {
    long sent = System.nanoTime();
    try {
      call.run();
      change.log(client.log(), sent, System.nanoTime(), Outcome.COMMITTED);
    } catch (SQLException e) {
      client.expect(e);
    }
  }

  void update(Change change) throws SQLException {
    int die = random.nextInt(10);
    Line line = die < 2 ? Line.TAP : die < 6 ? Writer.hotLine(random) : plainLine();
    run(change, () -> new Slots(client.connection(), random).bump(change, line));
  }

  void slowUpdate(Change change, Line line) throws SQLException {
    run(change, () -> new Slots(client.connection(), random).slowBump(change, line));
  }

  private Line plainLine() {
    return client.arena().plainLine(random);
  }

  void modifyingWith(Change change) throws SQLException {
    Line line = random.nextBoolean() ? Line.ITEM : Line.SOURCE;
    int slot = 1 + random.nextInt(Line.SLOTS - 1);
    String sql =
        String.format(
            "WITH v AS (UPDATE %1$s SET n = n + 1, w = ? WHERE k = 0 RETURNING n), u AS (UPDATE"
                + " %1$s t SET n = v.n, w = ? FROM v WHERE t.k = ? RETURNING t.k)"
                + " SELECT v.n, (SELECT count(*) FROM u) FROM v",
            line.table());
    run(
        change,
        () -> {
          try (PreparedStatement statement = client.connection().prepareStatement(sql)) {
            statement.setLong(1, change.id());
            statement.setLong(2, change.id());
            statement.setInt(3, slot);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              change.bumped(line, row.getLong(1));
              if (row.getLong(2) > 0) {
                change.wrote(line, slot);
              }
            }
          }
        });
  }

  void multipleStatements(Change change) throws SQLException {
    int first = random.nextInt(Writer.PLAIN.size() - 1);
    Line[] lines = {Writer.PLAIN.get(first), Writer.PLAIN.get(first + 1)};
    String id = String.valueOf(change.id());
    String sql =
        Slots.bumpText(lines[0], random).replace("?", id)
            + "; "
            + Slots.bumpText(lines[1], random).replace("?", id);
    run(
        change,
        () -> {
          try (Statement statement = client.connection().createStatement()) {
            statement.execute(sql);
            for (Line line : lines) {
              try (ResultSet row = statement.getResultSet()) {
                Slots.bumped(change, line, row);
              }
              statement.getMoreResults();
            }
          }
        });
  }

  /** Calls a function or a procedure whose text says nothing. */
  void unknown(Change change) throws SQLException {
    Line line = plainLine();
    while (line == Line.LISTED) { // Nobody reads its counter.
      line = plainLine();
    }
    unknown(change, line);
  }

  /** What may run DDL has the catalog compared; what writes the table item does not. */
  private void unknown(Change change, Line line) throws SQLException {
    String sql =
        line == Line.ITEM
            ? "SELECT bump_item(" + change.id() + ")"
            : random.nextBoolean()
                ? "SELECT bump('" + line.table() + "', " + change.id() + ")"
                : "CALL bump_call('" + line.table() + "', " + change.id() + ", NULL)";
    run(
        change,
        () -> {
          try (Statement statement = client.connection().createStatement()) {
            statement.execute(sql);
            try (ResultSet row = statement.getResultSet()) {
              row.next();
              change.bumped(line, row.getLong(1));
            }
          }
        });
  }
}
