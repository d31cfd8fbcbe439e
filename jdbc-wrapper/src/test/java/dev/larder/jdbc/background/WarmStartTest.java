package dev.larder.jdbc.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was asked before a restart is there after it, and nobody sees what is not for him. */
final class WarmStartTest {
  private static TestDatabase database;

  @TempDir private Path folder;
  private Path file;
  private Restarts application;

  @BeforeAll
  static void createTables() throws SQLException {
    database = Restarts.createDatabase();
    database.execute(
        "CREATE ROLE warm_other LOGIN",
        "GRANT SELECT ON v TO warm_other",
        "CREATE TABLE gone (id int)");
  }

  @AfterAll
  static void dropDatabase() throws SQLException {
    database.execute("DROP OWNED BY warm_other", "DROP ROLE warm_other");
    database.close();
  }

  @BeforeEach
  void nameFile() {
    file = folder.resolve("warm");
    application = new Restarts(database, file);
  }

  private Connection start(String... options) throws SQLException {
    return application.start(options);
  }

  private void end(Connection connection) throws SQLException, IOException {
    application.end(connection);
  }

  private static void point(Connection connection, int id) throws SQLException {
    Restarts.point(connection, id);
  }

  private static void awaitAsked(Connection connection, int queries) throws SQLException {
    Restarts.awaitAsked(connection, queries);
  }

  private static String text(Connection connection, int id) throws SQLException {
    return LarderProbe.rows(connection, "SELECT t FROM v WHERE id = " + id).toString();
  }

  // ---- a restart

  @Test
  void afterARestartWhatWasAskedIsAHitOfTheApplication() throws SQLException, IOException {
    Connection first = start();
    for (int id = 1; id <= 20; id++) {
      point(first, id);
    }
    end(first);
    try (Connection second = start()) {
      awaitAsked(second, 20);
      for (int id = 1; id <= 20; id++) {
        point(second, id);
      }
      assertThat(LarderProbe.hits(second)).isEqualTo(20);
      assertThat(LarderProbe.count(second, "misses")).isZero();
      assertThat(LarderProbe.count(second, "warmup_failed")).isZero();
      assertThat(LarderProbe.count(second, "warmup_skipped")).isZero();
    }
  }

  @Test
  void whatWasWrittenMeanwhileIsReadAsItIsNow() throws SQLException, IOException {
    Connection first = start();
    assertThat(text(first, 21)).isEqualTo("[text 21]");
    end(first);
    database.execute("UPDATE v SET t = 'between' WHERE id = 21");
    try (Connection second = start()) {
      awaitAsked(second, 1);
      assertThat(text(second, 21)).isEqualTo("[between]");
      assertThat(LarderProbe.hits(second)).isEqualTo(1);
      LarderProbe.run(second, "UPDATE v SET t = 'now' WHERE id = 21");
      assertThat(text(second, 21)).isEqualTo("[now]");
    }
  }

  /** A statement of each kind that sets a parameter, or is written otherwise. */
  private static List<Execution> executions() {
    List<Execution> all = new ArrayList<>();
    all.add(with("b = ?", s -> s.setLong(1, 7)));
    all.add(with("id = ?", s -> s.setShort(1, (short) 7)));
    all.add(with("t = ?", s -> s.setString(1, "text 7 'ä'")));
    all.add(with("n = ?", s -> s.setBigDecimal(1, new BigDecimal("7.000"))));
    all.add(with("u = ?", s -> s.setObject(1, new UUID(0, 1))));
    all.add(with("ts = ?", s -> s.setTimestamp(1, Timestamp.valueOf("2024-02-29 12:00:00.5"))));
    all.add(with("ts = ?", s -> s.setObject(1, LocalDateTime.of(2024, 2, 29, 12, 0))));
    all.add(
        with(
            "tz = ?",
            s -> s.setObject(1, OffsetDateTime.of(2024, 2, 29, 12, 0, 0, 0, ZoneOffset.UTC))));
    all.add(with("d = ?", s -> s.setObject(1, LocalDate.of(2024, 2, 29))));
    all.add(with("d = ?", s -> s.setDate(1, java.sql.Date.valueOf("2024-02-29"))));
    all.add(with("y = ?", s -> s.setBytes(1, new byte[] {0, -1})));
    all.add(with("f > ?", s -> s.setDouble(1, 48.5)));
    all.add(with("o = ?", s -> s.setBoolean(1, true)));
    all.add(with("t IS NOT DISTINCT FROM ?", s -> s.setNull(1, Types.VARCHAR)));
    all.add(with("b = ?", s -> s.setObject(1, 7, Types.BIGINT)));
    all.add(with("n = ?", s -> s.setObject(1, new BigDecimal("7"), Types.NUMERIC, 2)));
    all.add(with("ts = ?", s -> s.setObject(1, "2024-02-29 12:00:00", Types.TIMESTAMP)));
    all.add(
        with(
            "id = ANY (?)",
            s -> s.setArray(1, s.getConnection().createArrayOf("int4", new Integer[] {7, null}))));
    all.add(
        with(
            "t = ANY (?)",
            s -> s.setArray(1, s.getConnection().createArrayOf("text", new String[] {"x,\"y"}))));
    all.add(with("id < ? ORDER BY id", s -> limited(s, 5)));
    all.add(plain("SELECT t FROM v WHERE id = 7 AND t <> 'it''s' AND 0 < b"));
    all.add(plain("/* larder:ttl=1h */ SELECT count(*) FROM v WHERE b IN (1, 2, 0)"));
    all.add(plain("SELECT f FROM v WHERE id = 8"));
    return all;
  }

  private interface Execution {
    void on(Connection connection) throws SQLException;
  }

  private interface Setter {
    void set(PreparedStatement statement) throws SQLException;
  }

  private static void limited(PreparedStatement statement, int rows) throws SQLException {
    statement.setMaxRows(rows);
    statement.setInt(1, 40);
  }

  private static Execution with(String condition, Setter setter) {
    return connection -> {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT id, t FROM v WHERE " + condition)) {
        setter.set(statement);
        statement.executeQuery().close();
      }
    };
  }

  private static Execution plain(String sql) {
    return connection -> {
      try (Statement statement = connection.createStatement()) {
        statement.executeQuery(sql).close();
      }
    };
  }

  @Test
  void valuesOfEachTypeComeBackAsTheyWere() throws SQLException, IOException {
    Connection first = start();
    for (Execution each : executions()) {
      each.on(first);
    }
    end(first);
    try (Connection second = start()) {
      awaitAsked(second, executions().size());
      for (int i = 0; i < executions().size(); i++) {
        executions().get(i).on(second);
        assertThat(LarderProbe.hits(second)).as("execution %s", i).isEqualTo(i + 1L);
      }
    }
  }

  @Test
  void resultsComeInTheFormatInWhichTheyCameBefore() throws SQLException, IOException {
    Connection first = start();
    try (PreparedStatement statement = first.prepareStatement("SELECT f FROM v WHERE id = ?")) {
      statement.setInt(1, 9);
      for (int i = 0; i < 9; i++) {
        statement.executeQuery().close();
      }
    }
    end(first);
    try (Connection second = start();
        PreparedStatement statement = second.prepareStatement("SELECT f FROM v WHERE id = ?")) {
      awaitAsked(second, 2);
      statement.setInt(1, 9);
      for (int i = 0; i < 9; i++) {
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getDouble(1)).isEqualTo(9.1);
        }
      }
      assertThat(LarderProbe.count(second, "misses")).isZero();
    }
  }

  // ---- rights

  @Test
  void nothingIsAskedForAnotherUser() throws SQLException, IOException {
    Connection first = start();
    point(first, 1);
    end(first);
    try (Connection second = start("user=warm_other")) {
      point(second, 1);
      assertThat(LarderProbe.hits(second)).isZero();
      end(second);
    }
    // What waits for its user is not forgotten.
    try (Connection third = start()) {
      awaitAsked(third, 1);
      point(third, 1);
      assertThat(LarderProbe.hits(third)).isEqualTo(1);
    }
  }

  @Test
  void whatWasAskedWithAnotherRoleOrOtherSettingsIsNotAskedAgain()
      throws SQLException, IOException {
    Connection first = start();
    point(first, 1);
    LarderProbe.run(first, "SET ROLE warm_other");
    point(first, 2);
    LarderProbe.run(first, "RESET ROLE", "SET timezone = 'Asia/Tokyo'");
    point(first, 3);
    end(first);
    try (LarderLog log = LarderLog.open();
        Connection second = start()) {
      Waiting.until(
          "all were asked",
          () -> log.messages().stream().anyMatch(line -> line.contains("asked again for 1 ")));
      assertThat(LarderProbe.count(second, "warmup_asked")).isEqualTo(1);
      assertThat(log.messages()).anyMatch(line -> line.contains(" and 2 are of other users"));
    }
  }

  // ---- bounds

  @Test
  void noMoreAreAskedInASecondThanAreConfigured() throws SQLException, IOException {
    Connection first = start();
    for (int id = 1; id <= 10; id++) {
      point(first, id);
    }
    end(first);
    long began = System.nanoTime();
    try (Connection second = start("larder.warmup.queriesPerSecond=20")) {
      awaitAsked(second, 10);
      assertThat(System.nanoTime() - began).isGreaterThan(9 * 50_000_000L);
    }
  }

  @Test
  void aCacheThatOnlyObservesAsksAndNotesNothing() throws SQLException {
    Restarts.awaitEnd(); // Of what other tests have started.
    try (Connection connection = start("larder.mode=observe", "larder.warmup.interval=1s")) {
      point(connection, 1);
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("larder-warmup") && thread.isAlive());
    assertThat(file).doesNotExist();
  }

  @Test
  void afterSomeFailuresInARowNoMoreAreAsked() throws SQLException, IOException {
    Connection first = start();
    for (int id = 1; id <= 9; id++) {
      LarderProbe.rows(first, "SELECT id / (id - id) FROM gone WHERE id = " + id);
    }
    end(first);
    database.execute("INSERT INTO gone SELECT generate_series(1, 9)");
    try (LarderLog log = LarderLog.open();
        Connection second = start()) {
      Waiting.until(
          "it is said",
          () -> log.messages().stream().anyMatch(line -> line.contains("SQLState 22012")));
      assertThat(LarderProbe.count(second, "warmup_failed")).isEqualTo(5);
    }
  }
}
