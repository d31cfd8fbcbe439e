package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The statements that write the members and heads of lists: by each of the keys, by none, to and
 * fro between lists. All need the lock of the line's counter. Confined to its thread.
 */
final class Members {
  private static final String TOUCH = "UPDATE member SET n = ?, w = ?";
  private static final String MADE = " RETURNING k, list";
  private static final String INSERT = "INSERT INTO member (n, w, k, list, code, pad) ";

  private final Connection connection;
  private final Random random;

  Members(Connection connection, Random random) {
    this.connection = connection;
    this.random = random;
  }

  /** Writes, moves or deletes members, makes some that are missing, or writes a head. */
  void change(Change change) throws SQLException {
    int key = 1 + random.nextInt(Line.SLOTS - 1);
    int list = random.nextInt(Line.LISTS);
    int other = random.nextInt(Line.LISTS);
    switch (random.nextInt(22)) {
      case 0, 1 -> touch(change, " WHERE k = ?", key);
      case 2 -> touch(change, " WHERE code = ?", "c" + key);
      case 3 -> touch(change, " WHERE list = ? AND k = ?", list, key);
      case 4 -> touch(change, " WHERE list = ?", list);
      case 5 -> touch(change, " WHERE pad >= ?", 0);
      case 6, 7 -> touch(change, ", list = ? WHERE k = ?", list, key);
      case 8 -> touch(change, ", list = (list + 1) % 3 WHERE k = ?", key);
      case 9 -> touch(change, ", list = ? WHERE list = ?", list, other);
      case 10 -> touch(change, ", code = ?, list = ? WHERE code = ?", "c" + key, list, "c" + key);
      case 11 -> rekey(change, key);
      case 12 -> delete(change, key);
      case 13 -> deleteList(change, list);
      case 14 -> head(change, list);
      case 15 -> several(change, key);
      case 16, 17 -> update(prepare("UPDATE member SET pad = pad + 1 WHERE k = ?", key));
      case 18 -> update(prepare("UPDATE member SET pad = pad + 1 WHERE code = ?", "c" + key));
      case 19 -> update(prepare("UPDATE member SET pad = pad + 1 WHERE list = ?", list));
      default -> put(change, key);
    }
  }

  /** Updates members, in what follows SET of version and id. */
  private void touch(Change change, String rest, Object... binds) throws SQLException {
    made(change, TOUCH + rest + MADE, binds);
  }

  /** Runs a statement that begins with version and id, and notes the members that it returns. */
  private int made(Change change, String sql, Object... binds) throws SQLException {
    Object[] all = new Object[binds.length + 2];
    all[0] = change.version(Line.LISTED);
    all[1] = change.id();
    System.arraycopy(binds, 0, all, 2, binds.length);
    int rows = 0;
    try (PreparedStatement statement = prepare(sql, all);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        change.wroteMember(row.getInt(1), row.getInt(2));
        rows++;
      }
    }
    return rows;
  }

  /** Prepares a statement with parameters, or with literals in place of them. */
  private PreparedStatement prepare(String sql, Object... binds) throws SQLException {
    if (random.nextInt(3) == 0) {
      String text = sql;
      for (Object bind : binds) {
        String literal = bind instanceof String ? "'" + bind + "'" : bind.toString();
        text = text.replaceFirst("\\?", literal);
      }
      return connection.prepareStatement(text);
    }
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < binds.length; i++) {
      if (binds[i] instanceof Integer number && random.nextBoolean()) {
        statement.setLong(i + 1, number);
      } else {
        statement.setObject(i + 1, binds[i]);
      }
    }
    return statement;
  }

  /** Gives a member another key, if that is free. */
  private void rekey(Change change, int key) throws SQLException {
    int free = 1 + random.nextInt(Line.SLOTS - 1);
    if (listOf(free) == null) {
      if (made(change, TOUCH + ", k = ?, code = ? WHERE k = ?" + MADE, free, "c" + free, key) > 0) {
        change.deletedMember(key);
      }
    }
  }

  private @Nullable Integer listOf(int key) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("/* larder:off */ SELECT list FROM member WHERE k = " + key)) {
      return row.next() ? row.getInt(1) : null;
    }
  }

  void delete(Change change, int key) throws SQLException {
    boolean byCode = random.nextInt(3) == 0;
    String sql = "DELETE FROM member WHERE " + (byCode ? "code = ?" : "k = ?");
    try (PreparedStatement statement = byCode ? prepare(sql, "c" + key) : prepare(sql, key)) {
      statement.executeUpdate();
      change.deletedMember(key);
    }
  }

  private void deleteList(Change change, int list) throws SQLException {
    try (PreparedStatement statement =
            prepare("DELETE FROM member WHERE list = ? RETURNING k", list);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        change.deletedMember(row.getInt(1));
      }
    }
  }

  /** Writes a head, or makes it anew, so that its members are gone. */
  private void head(Change change, int list) throws SQLException {
    long version = change.version(Line.LISTED);
    if (random.nextInt(3) == 0) {
      update(prepare("DELETE FROM head WHERE k = ?", list));
      for (int key = 1; key < Line.SLOTS; key++) {
        change.deleted(Line.LISTED, Line.member(key, list));
      }
      update(prepare("INSERT INTO head (n, w, k) VALUES (?, ?, ?)", version, change.id(), list));
    } else {
      update(prepare("UPDATE head SET n = ?, w = ? WHERE k = ?", version, change.id(), list));
    }
    change.wrote(Line.LISTED, Line.head(list));
  }

  private static void update(PreparedStatement prepared) throws SQLException {
    try (prepared) {
      prepared.executeUpdate();
    }
  }

  /** Moves some members by one batch. */
  private void several(Change change, int key) throws SQLException {
    int list = random.nextInt(Line.LISTS);
    try (PreparedStatement statement =
        connection.prepareStatement(TOUCH + ", list = ? WHERE k = ?")) {
      int end = Math.min(Line.SLOTS, key + 3);
      for (int k = key; k < end; k++) {
        statement.setLong(1, change.version(Line.LISTED));
        statement.setLong(2, change.id());
        statement.setInt(3, list);
        statement.setInt(4, k);
        statement.addBatch();
      }
      int[] counts = statement.executeBatch();
      for (int k = key; k < end; k++) {
        if (counts[k - key] > 0) {
          change.wroteMember(k, list);
        }
      }
    }
  }

  /** Moves a member in a block whose text says nothing. */
  void touchInBlock(Change change) throws SQLException {
    int key = 1 + random.nextInt(Line.SLOTS - 1);
    int list = random.nextInt(Line.LISTS);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "DO $$ BEGIN UPDATE member SET n = "
              + change.version(Line.LISTED)
              + ", w = "
              + change.id()
              + ", list = "
              + list
              + " WHERE k = "
              + key
              + "; END $$");
    }
    if (listOf(key) != null) {
      change.wroteMember(key, list);
    }
  }

  /** Makes a member if it is missing, and writes it in some of the ways else. */
  void put(Change change, int key) throws SQLException {
    int list = random.nextInt(Line.LISTS);
    String code = "c" + key;
    boolean missing = listOf(key) == null;
    switch (random.nextInt(missing ? 5 : 2)) {
      case 0 ->
          made(
              change,
              INSERT
                  + "VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (k) DO UPDATE"
                  + " SET n = excluded.n, w = excluded.w, list = excluded.list"
                  + MADE,
              key,
              list,
              code);
      case 1 ->
          made(
              change,
              INSERT + "VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING" + MADE,
              key,
              list,
              code);
      case 2 -> made(change, INSERT + "SELECT ?, ?, ?::int, ?::int, ?, 0" + MADE, key, list, code);
      default -> made(change, INSERT + "VALUES (?, ?, ?, ?, ?, 0)" + MADE, key, list, code);
    }
  }

  /** Empties both tables and makes every row. */
  void refill(Change change) throws SQLException {
    String rows = change.version(Line.LISTED) + ", " + change.id();
    try (Statement statement = connection.createStatement()) {
      statement.execute("TRUNCATE head, member");
      statement.execute("INSERT INTO head SELECT k, " + rows + " FROM generate_series(0, 2) k");
      statement.execute(
          "INSERT INTO member SELECT k, "
              + rows
              + ", k % 3, 'c' || k, 0 FROM generate_series(1, 7) k");
    }
    for (int list = 0; list < Line.LISTS; list++) {
      change.wrote(Line.LISTED, Line.head(list));
    }
    for (int key = 1; key < Line.SLOTS; key++) {
      change.wroteMember(key, key % Line.LISTS);
    }
    change.rewrote();
  }
}
