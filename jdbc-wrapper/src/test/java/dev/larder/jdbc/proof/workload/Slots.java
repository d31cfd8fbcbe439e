package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * The statements that write slots, and note in a {@link Change} what they wrote. All but {@link
 * #bump} need the lock of the line's counter. Confined to its thread.
 */
final class Slots {
  /** The advisory lock that a slow write waits for. */
  static final int SLOW_WRITE_LOCK = 1;

  private final Connection connection;
  private final Random random;

  private final Members members;

  Slots(Connection connection, Random random) {
    this.connection = connection;
    this.random = random;
    this.members = new Members(connection, random);
  }

  /** Returns how often a transaction may change slots of a line beside its counter. */
  static int changes(Line line) {
    return line == Line.TAP || line.isHot() ? 0 : 2;
  }

  /** Bumps the counter of a line, and so locks the line until the end of the transaction. */
  void bump(Change change, Line line) throws SQLException {
    bump(change, line, bumpText(line, random));
  }

  /** Bumps the counter whose table is being changed; ends when that client is ready. */
  void slowBump(Change change, Line line) throws SQLException {
    String sql = bumpText(line, random);
    bump(change, line, sql + ", pg_advisory_xact_lock_shared(" + SLOW_WRITE_LOCK + ')');
  }

  private void bump(Change change, Line line, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, change.id());
      try (ResultSet row = statement.executeQuery()) {
        bumped(change, line, row);
      }
    }
  }

  /** Returns the text that bumps a counter, through the table or what else leads to it. */
  static String bumpText(Line line, Random random) {
    String relation =
        switch (line) {
          case ITEM -> random.nextInt(3) == 0 ? "item_view" : "item";
          case PART -> random.nextInt(3) == 0 ? "part_0" : "part";
          default -> line.table();
        };
    return line == Line.TAP
        ? "UPDATE tap SET n = n + 1, w = ?, m = 0 WHERE k = 0 RETURNING n, m"
        : "UPDATE "
            + relation
            + " SET n = n + 1, w = ? WHERE k = "
            + line.counter()
            + " RETURNING n";
  }

  /** Notes what the text of {@link #bumpText} returned. */
  static void bumped(Change change, Line line, ResultSet row) throws SQLException {
    if (!row.next()) {
      // A snapshot from before a TRUNCATE or rewrite shows the table empty: PostgreSQL, 13.6.
      throw new SQLException("the counter of " + line + " is missing", "40001");
    }
    change.bumped(line, row.getLong(1));
    if (line == Line.TAP && row.getLong(2) != 0) {
      change.wrote(line, 1);
    }
  }

  /** Locks a line without writing anything, and returns its version. */
  long lock(Line line) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT n FROM " + line.table() + " WHERE k = " + line.counter() + " FOR UPDATE")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Writes, moves or deletes a slot, or makes one that is missing. */
  void change(Change change, Line line) throws SQLException {
    if (line == Line.LISTED) {
      members.change(change);
      return;
    }
    int slot = 1 + random.nextInt(Line.SLOTS - 1);
    switch (random.nextInt(line == Line.PART ? 5 : 4)) {
      case 0 -> put(change, line, slot);
      case 1 -> delete(change, line, slot);
      case 4 ->
          write(change, line, slot, "UPDATE part SET n = ?, w = ?, area = 1 - area WHERE k = ?");
      default -> write(change, line, slot, updateText(line));
    }
  }

  private String updateText(Line line) {
    String relation =
        switch (line) {
          case ITEM -> random.nextBoolean() ? "item_deep" : "item";
          case PART -> random.nextBoolean() ? "part_1" : random.nextBoolean() ? "part_0" : "part";
          default -> line.table();
        };
    return "UPDATE " + relation + " SET n = ?, w = ? WHERE k = ?";
  }

  /** Runs a statement with the parameters version, id and slot; returns whether it hit a row. */
  private boolean write(Change change, Line line, int slot, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, change.version(line));
      statement.setLong(2, change.id());
      statement.setInt(3, slot);
      boolean wrote = statement.executeUpdate() > 0;
      if (wrote) {
        change.wrote(line, slot);
      }
      return wrote;
    }
  }

  /** Writes a member in a block whose text says nothing. */
  void touchInBlock(Change change) throws SQLException {
    members.touchInBlock(change);
  }

  void delete(Change change, Line line, int slot) throws SQLException {
    if (line == Line.LISTED) {
      members.delete(change, slot);
      return;
    }
    String sql = "DELETE FROM " + line.table() + " WHERE k = ? RETURNING k";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, slot);
      statement.execute();
      change.deleted(line, slot);
    }
  }

  /** Writes a slot, whether or not it exists. */
  void put(Change change, Line line, int slot) throws SQLException {
    String upsert =
        " (n, w, k) VALUES (?, ?, ?) ON CONFLICT (k) DO UPDATE SET n = excluded.n, w = excluded.w";
    switch (line) {
      case ITEM, SOURCE -> write(change, line, slot, "INSERT INTO " + line.table() + upsert);
      case PARENT -> {
        write(change, line, slot, "INSERT INTO parent" + upsert);
        write(change, line, slot, "INSERT INTO child" + upsert);
        write(change, line, slot, "UPDATE orphan SET n = ?, w = ?, k = slot WHERE slot = ?");
      }
      case PART -> {
        if (!write(change, line, slot, "UPDATE part SET n = ?, w = ? WHERE k = ?")) {
          String area = random.nextBoolean() ? "0" : "1";
          write(
              change,
              line,
              slot,
              "INSERT INTO part (n, w, k, area) VALUES (?, ?, ?, " + area + ')');
        }
      }
      case LISTED -> members.put(change, slot);
      default -> throw new IllegalArgumentException(line + " has one slot");
    }
  }

  /** Empties the table of a line and fills every slot. */
  void refill(Change change, Line line) throws SQLException {
    if (line == Line.LISTED) {
      members.refill(change);
      return;
    }
    String rows = change.version(line) + ", " + change.id() + " FROM generate_series(0, 7) k";
    try (Statement statement = connection.createStatement()) {
      switch (line) {
        case ITEM -> {
          statement.execute("TRUNCATE item");
          statement.execute("INSERT INTO item SELECT k, " + rows.replace(" FROM", ", 0 FROM"));
        }
        case SOURCE -> {
          statement.execute("TRUNCATE TABLE ONLY source");
          statement.execute("INSERT INTO source SELECT k, " + rows);
        }
        case PART -> {
          statement.execute("TRUNCATE part");
          statement.execute("INSERT INTO part SELECT k, " + rows.replace(" FROM", ", k % 2 FROM"));
        }
        default -> {
          statement.execute("TRUNCATE parent CASCADE");
          statement.execute("INSERT INTO parent SELECT k, " + rows);
          statement.execute("INSERT INTO child SELECT k, " + rows);
          statement.execute("INSERT INTO orphan SELECT k, k, " + rows);
        }
      }
    }
    for (int slot = 0; slot < Line.SLOTS; slot++) {
      change.wrote(line, slot);
    }
    change.rewrote();
  }
}
