package dev.larder.jdbc.statement;

import static dev.larder.jdbc.statement.LarderProbe.fill;
import static dev.larder.jdbc.statement.LarderProbe.rows;
import static dev.larder.jdbc.statement.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.Waiting;
import dev.larder.jdbc.wrap.LarderConnections;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Somebody who writes past Larder is noticed, and said to be. */
@Tag("proof")
final class RadarTest {
  private static final String ITEM = "SELECT name FROM item";
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private LarderLog log;

  private TestDatabase database;
  private Connection connection;

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

  private Map<String, String> status(String table) throws SQLException {
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
  private void await(String table, String column, String value) throws SQLException {
    await(connection, table, column, value);
  }

  private static void await(Connection asked, String table, String column, String value)
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

  @Test
  void whoeverConnectsByTheUrlOfTheMetadataIsNoticed() throws SQLException {
    try (Connection outside = DriverManager.getConnection(connection.getMetaData().getURL())) {
      run(outside, "UPDATE item SET name = 'b'");
      await("item", "radar", "foreign writes");
    }
    assertThat(rows(connection, ITEM)).containsExactly("b");
  }

  @Test
  void aWriterPastLarderIsNoticedAndItsResultsAreReadAgain() throws SQLException {
    long troubles = LarderCaches.troubles().getOrDefault("LRD-002", -1L);
    run(connection, "UPDATE item SET name = 'b'");
    fill(connection, ITEM);
    try (Connection outside = database.connect()) {
      outside.setClientInfo("ApplicationName", "a nightly job");
      run(outside, "UPDATE item SET name = 'c'", "INSERT INTO item VALUES (2, 'd')");
      await("item", "radar", "foreign writes");
    }
    assertThat(rows(connection, ITEM)).containsExactly("c", "d");
    assertThat(status("item")).containsEntry("foreign_rows", "2");
    assertThat(status("other"))
        .containsEntry("foreign_rows", "0")
        .containsEntry("radar", "watching");
    awaitLogged("LRD-002 public.item: ");
    assertThat(log.messages())
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("LRD-002 public.item: ")
                    .contains("rows changed in", "'a nightly job'", "Cure: "));
    assertThat(LarderCaches.troubles().get("LRD-002")).isGreaterThan(troubles);
  }

  /** It is said after it is shown. */
  private void awaitLogged(String beginning) {
    Waiting.until(
        beginning, () -> log.messages().stream().anyMatch(text -> text.startsWith(beginning)));
  }

  @Test
  void aTableThatSomebodyEmptiesIsNoticed() throws SQLException {
    database.execute("TRUNCATE item");
    await("item", "radar", "foreign writes");
    assertThat(rows(connection, ITEM)).isEmpty();
  }

  @Test
  void aMaterializedViewThatSomebodyEmptiesIsNoticed() throws SQLException {
    run(connection, "CREATE MATERIALIZED VIEW names AS SELECT name FROM item");
    fill(connection, "SELECT name FROM names");
    await("names", "radar", "watching");
    database.execute("DELETE FROM item", "REFRESH MATERIALIZED VIEW names");
    await("names", "radar", "foreign writes");
    assertThat(rows(connection, "SELECT name FROM names")).isEmpty();
  }

  /** One of the partitions is empty, and was so before. */
  @Test
  void whatIsWrittenAnewWithTheRowsThatItHadIsNot() throws SQLException {
    run(
        connection,
        "CREATE TABLE parts (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE spare PARTITION OF parts FOR VALUES FROM (10) TO (20)",
        "INSERT INTO parts VALUES (1)",
        "CREATE TABLE hollow (id int)",
        "CREATE MATERIALIZED VIEW names AS SELECT name FROM item");
    for (String table : new String[] {"parts", "hollow", "names"}) {
      fill(connection, "SELECT * FROM " + table);
      await(table, "radar", "watching");
    }
    database.execute("VACUUM FULL part", "VACUUM FULL hollow", "VACUUM FULL names");
    database.execute("INSERT INTO other VALUES (2)");
    await("other", "radar", "foreign writes");
    assertThat(log.messages())
        .filteredOn(text -> text.startsWith("LRD-002"))
        .allSatisfy(text -> assertThat(text).startsWith("LRD-002 public.other"));
  }

  @Test
  void whatIsWrittenThroughLarderIsNot() throws SQLException {
    try (Connection writer = LarderProbe.connect(database)) {
      run(writer, "INSERT INTO other VALUES (1)");
      for (int i = 0; i < 200; i++) {
        run(writer, "UPDATE item SET name = 'n" + i + "'");
        rows(connection, ITEM);
      }
      run(writer, "TRUNCATE item");
    }
    database.execute("VACUUM FULL other", "VACUUM other");
    // Somebody else's row in the other table is found, and by the same look nothing in this one.
    database.execute("INSERT INTO other VALUES (2)");
    await("other", "radar", "foreign writes");
    assertThat(status("other")).containsEntry("foreign_rows", "1");
    await("item", "radar", "watching");
    assertThat(status("item")).containsEntry("foreign_rows", "0");
    assertThat(log.messages()).noneMatch(text -> text.startsWith("LRD-002 public.item"));
  }

  @Test
  void nobodyIsSaidToWatchWithoutAConnectionToWatchOn() throws SQLException {
    assertThat(LarderConnections.makeRoom()).isTrue();
    await("item", "radar", "blind");
  }

  /** In a database of its own, where nobody else's connection can be asked. */
  @Test
  void aUserWhoMayNotAskLosesNothing() throws SQLException {
    try (TestDatabase guarded = TestDatabase.create()) {
      guarded.execute(
          "CREATE TABLE item (id int, name text)",
          "INSERT INTO item VALUES (1, 'a')",
          "REVOKE EXECUTE ON FUNCTION pg_stat_get_tuples_inserted(oid) FROM PUBLIC",
          "DROP ROLE IF EXISTS modest",
          "CREATE ROLE modest LOGIN",
          "GRANT SELECT ON item TO modest");
      try (Connection modest = LarderProbe.connect(guarded, "larder.name=modest", "user=modest")) {
        fill(modest, ITEM);
        await(modest, "item", "radar", "off");
        fill(modest, ITEM);
        assertThat(rows(modest, "SELECT larder.purge('item')")).containsExactly("public.item");
        fill(modest, ITEM);
      } finally {
        guarded.execute("DROP OWNED BY modest", "DROP ROLE modest");
      }
    }
  }
}
