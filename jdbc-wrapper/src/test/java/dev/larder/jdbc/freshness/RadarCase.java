package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;

import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two tables that the radar watches, and what it shows of them. */
abstract class RadarCase {
  static final String ITEM = "SELECT name FROM item";
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  LarderLog log;
  TestDatabase database;
  Connection connection;

  @BeforeEach
  void open() throws SQLException {
    log = LarderLog.open();
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int, name text)",
        "CREATE TABLE other (id int)",
        "INSERT INTO item VALUES (1, 'a')");
    connection = LarderProbe.connect(database);
    fill(connection, ITEM);
    fill(connection, "SELECT id FROM other");
    await("item", "radar", "watching");
  }

  @AfterEach
  void close() throws SQLException {
    log.close();
    connection.close();
    database.close();
  }

  final Map<String, String> status(String table) throws SQLException {
    return status(connection, table);
  }

  private static Map<String, String> status(Connection asked, String table) throws SQLException {
    try (Statement statement = asked.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.tables")) {
      Map<String, String> status = new HashMap<>();
      while (row.next()) {
        if (row.getString("table_name").equals("public." + table)) {
          for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            status.put(row.getMetaData().getColumnLabel(i), String.valueOf(row.getString(i)));
          }
        }
      }
      return status;
    }
  }

  /** Waits, and asks meanwhile: nobody looks for an idle cache. */
  final void await(String table, String column, String value) throws SQLException {
    await(connection, table, column, value);
  }

  static void await(Connection asked, String table, String column, String value)
      throws SQLException {
    AtomicReference<Map<String, String>> last = new AtomicReference<>(status(asked, table));
    Waiting.until(
        Duration.ofNanos(PATIENCE_NANOS),
        () -> String.valueOf(last),
        () -> {
          boolean holds = value.equals(last.get().get(column));
          if (!holds) {
            rows(asked, ITEM);
            last.set(status(asked, table));
          }
          return holds;
        });
  }
}
