package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.radar.TableRows;
import dev.larder.testing.Waiting;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** What Larder counts of its own writes is what the server counts, or it says that it does not. */
final class OwnRowsTest {
  @AutoClose private static TestDatabase database;
  private static int number;

  private String table;
  @AutoClose private Connection larder;

  @BeforeAll
  static void createDatabase() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN NEW.v := NEW.v; RETURN NEW; END'");
  }

  @BeforeEach
  void open() throws SQLException {
    table = "t" + ++number;
    larder = LarderProbe.connect(database);
    LarderProbe.run(larder, "CREATE TABLE " + table + " (id int PRIMARY KEY, v text)");
    LarderProbe.awaitCatalog(larder);
    database.execute("INSERT INTO " + table + " SELECT i, 'x' FROM generate_series(1, 10) i");
    awaitCounts(List.of(10L, 0L));
  }

  /** What the server has counted since {@code before}: inserted or updated, and deleted. */
  private List<Long> counts() throws SQLException {
    String sql =
        "SELECT sum(n_tup_ins + n_tup_upd) || ',' || sum(n_tup_del) FROM pg_stat_user_tables"
            + " WHERE relname LIKE '"
            + table
            + "%'";
    String[] counts = database.queryString(sql).split(",", -1);
    return List.of(Long.parseLong(counts[0]), Long.parseLong(counts[1]));
  }

  private TableRows own(Connection connection, String name) throws SQLException {
    long oid = Long.parseLong(database.queryString("SELECT '" + name + "'::regclass::oid::int8"));
    return connection
        .unwrap(CachingConnection.class)
        .physical()
        .cache()
        .database()
        .radar()
        .own()
        .rows(Set.of())
        .stream()
        .filter(rows -> rows.table() == oid)
        .findAny()
        .orElse(null);
  }

  /** A write. */
  private interface Work {
    void run(Connection connection) throws Exception;
  }

  /** Asserts that Larder counts what the server does, once the session has reported. */
  private void assertCounted(Work work) throws Exception {
    List<Long> before = counts();
    TableRows known = own(larder, table);
    Connection writer = LarderProbe.connect(database);
    work.run(writer);
    TableRows rows = own(writer, table);
    writer.close();
    assertThat(rows).isNotNull();
    assertThat(rows.doubts()).as("counted").isEqualTo(known == null ? 0 : known.doubts());
    long changed = rows.changed() - (known == null ? 0 : known.changed());
    long removed = rows.removed() - (known == null ? 0 : known.removed());
    assertThat(changed + removed).isPositive();
    List<Long> expected = List.of(before.get(0) + changed, before.get(1) + removed);
    awaitCounts(expected);
  }

  private void awaitCounts(List<Long> expected) throws SQLException {
    AtomicReference<List<Long>> now = new AtomicReference<>();
    Waiting.until(
        Duration.ofSeconds(20),
        () -> now + " instead of " + expected,
        () -> {
          now.set(counts());
          return now.get().equals(expected);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO T VALUES (11, 'a'), (12, 'b')",
        "INSERT INTO T SELECT i, 'y' FROM generate_series(20, 40) i",
        "INSERT INTO T VALUES (13, 'a') RETURNING id",
        "INSERT INTO T VALUES (1, 'a'), (14, 'b') ON CONFLICT DO NOTHING",
        "INSERT INTO T VALUES (1, 'a'), (15, 'b') ON CONFLICT (id) DO UPDATE SET v = 'z'",
        "INSERT INTO T VALUES (1, 'a'), (16, 'b') ON CONFLICT (id) DO UPDATE SET v = 'z'"
            + " WHERE T.id > 5",
        "UPDATE T SET v = 'y' WHERE id < 4",
        "UPDATE T SET v = 'y' WHERE id < 4 RETURNING v",
        "UPDATE T SET id = id + 100",
        "DELETE FROM T WHERE id < 4",
        "DELETE FROM T USING generate_series(1, 3) g WHERE id = g"
      })
  void countIsThatOfTheServer(String sql) throws Exception {
    String text = sql.replaceAll("\\bT\\b", table);
    assertCounted(connection -> LarderProbe.run(connection, text));
    List<Long> counts = counts();
    database.execute("TRUNCATE " + table, "INSERT INTO " + table + " SELECT 1");
    awaitCounts(List.of(counts.get(0) + 1, counts.get(1)));
    assertCounted(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(text)) {
            statement.execute();
          }
          LarderProbe.run(connection, "UPDATE " + table + " SET v = 'q'");
        });
  }

  @Test
  void rollbacksAndSavepointsCount() throws Exception {
    assertCounted(
        connection -> {
          connection.setAutoCommit(false);
          LarderProbe.run(connection, "UPDATE " + table + " SET v = 'a' WHERE id < 5");
          connection.rollback();
          LarderProbe.run(
              connection,
              "INSERT INTO " + table + " VALUES (50, 'a')",
              "SAVEPOINT s",
              "DELETE FROM " + table + " WHERE id = 50",
              "ROLLBACK TO s");
          connection.commit();
        });
  }

  @Test
  void updatesInPlaceCountOnce() throws Exception {
    assertCounted(
        connection -> {
          for (int i = 0; i < 50; i++) {
            LarderProbe.run(connection, "UPDATE " + table + " SET v = 'h" + i + "' WHERE id = 1");
          }
        });
  }

  @Test
  void batchesCount() throws Exception {
    assertCounted(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("INSERT INTO " + table + " VALUES (?, 'b')")) {
            for (int i = 60; i < 80; i++) {
              insert.setInt(1, i);
              insert.addBatch();
            }
            insert.executeBatch();
          }
        });
  }

  @Test
  void generatedKeysCount() throws Exception {
    assertCounted(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement(
                  "INSERT INTO " + table + " VALUES (90, 'k'), (91, 'k')",
                  Statement.RETURN_GENERATED_KEYS)) {
            assertThat(insert.executeUpdate()).isEqualTo(2);
            try (ResultSet keys = insert.getGeneratedKeys()) {
              assertThat(keys.next()).isTrue();
            }
          }
          try (Statement insert = connection.createStatement()) {
            insert.execute(
                "INSERT INTO " + table + " VALUES (92, 'k')", Statement.RETURN_GENERATED_KEYS);
          }
        });
  }

  @Test
  void copiesCount() throws Exception {
    assertCounted(
        connection ->
            connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(
                    "COPY " + table + " FROM STDIN (FORMAT csv)",
                    new StringReader("101,a\n102,b\n103,c\n")));
  }

  @Test
  void aTriggerThatOnlyChangesItsRowCounts() throws Exception {
    LarderProbe.run(
        larder,
        "CREATE TRIGGER s BEFORE INSERT OR UPDATE ON "
            + table
            + " FOR EACH ROW EXECUTE FUNCTION stamp()");
    assertCounted(connection -> LarderProbe.run(connection, "UPDATE " + table + " SET v = 'a'"));
  }

  @Test
  void partitionsCountTogether() throws Exception {
    LarderProbe.run(
        larder,
        "DROP TABLE " + table,
        "CREATE TABLE " + table + " (id int, v text) PARTITION BY RANGE (id)",
        "CREATE TABLE " + table + "_a PARTITION OF " + table + " FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE " + table + "_b PARTITION OF " + table + " FOR VALUES FROM (10) TO (20)");
    assertCounted(
        connection ->
            LarderProbe.run(
                connection,
                "INSERT INTO " + table + " VALUES (1, 'a'), (11, 'b')",
                "INSERT INTO " + table + "_b VALUES (12, 'c')",
                "DELETE FROM " + table + " WHERE id = 1"));
  }

  @Test
  void aRowThatChangesItsPartitionCountsAtLeastOnce() throws Exception {
    LarderProbe.run(
        larder,
        "DROP TABLE " + table,
        "CREATE TABLE " + table + " (id int, v text) PARTITION BY RANGE (id)",
        "CREATE TABLE " + table + "_a PARTITION OF " + table + " FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE " + table + "_b PARTITION OF " + table + " FOR VALUES FROM (10) TO (20)");
    assertCounted(
        connection ->
            LarderProbe.run(
                connection,
                "INSERT INTO " + table + " VALUES (1, 'a')",
                "UPDATE " + table + " SET id = 11"));
  }

  /** What is written by rows that nobody counts is said to be. */
  private void assertDoubted(String name, String... statements) throws Exception {
    LarderProbe.awaitCatalog(larder);
    TableRows before = own(larder, name);
    for (String sql : statements) {
      try {
        LarderProbe.run(larder, sql.replaceAll("\\bT\\b", table));
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isEqualTo("23505");
      }
    }
    TableRows after = own(larder, name);
    assertThat(after).isNotNull();
    assertThat(after.doubts()).isGreaterThan(before == null ? 0 : before.doubts());
    assertThat(after.open()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO T VALUES (1, 'again')",
        "TRUNCATE T",
        "WITH d AS (DELETE FROM T RETURNING id) INSERT INTO T SELECT id, 'w' FROM d",
        "WITH n AS (SELECT 1) UPDATE T SET v = 'n'",
        "EXPLAIN ANALYZE UPDATE T SET v = 'e'"
      })
  void whatCannotBeCountedIsSaidToBe(String sql) throws Exception {
    assertDoubted(table, sql);
  }

  @Test
  void cascadesToOtherTablesAreNotCounted() throws Exception {
    LarderProbe.run(
        larder,
        "CREATE TABLE "
            + table
            + "_child (id int REFERENCES "
            + table
            + " ON DELETE CASCADE ON UPDATE CASCADE)",
        "INSERT INTO " + table + "_child VALUES (1), (1), (2)");
    assertDoubted(table + "_child", "DELETE FROM T WHERE id = 1");
    TableRows parent = own(larder, table);
    assertThat(parent.removed()).isEqualTo(1);
  }

  @Test
  void cascadesToTheSameTableAreNotCounted() throws Exception {
    LarderProbe.run(
        larder,
        "ALTER TABLE " + table + " ADD up int REFERENCES " + table + " ON DELETE CASCADE",
        "UPDATE " + table + " SET up = 1 WHERE id > 1");
    assertDoubted(table, "DELETE FROM T WHERE id = 1");
  }
}
