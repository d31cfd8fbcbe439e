package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an operator sets with ALTER DATABASE, past Larder, is obeyed by every process. */
@Tag("proof")
@Tag("each-server")
final class DatabaseSettingsTest {
  private static final String ITEM = "SELECT name FROM item";
  private static final String SALE = "SELECT id FROM sale";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int, name text)",
        "CREATE TABLE sale (id int)",
        "INSERT INTO item VALUES (1, 'a')");
    connection = LarderProbe.connect(database);
    fill(connection, ITEM);
    fill(connection, SALE);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    database.close();
  }

  @Test
  void theDatabaseSwitchesTheCacheOffAndOnAgain() throws SQLException {
    set("SET larder.enabled = off");
    awaitSettings("larder.enabled=off");

    assertThat(isHit(connection, ITEM)).isFalse();
    assertThat(isHit(connection, ITEM)).isFalse();
    assertThat(reason(connection, ITEM)).contains("switched off");
    assertThat(shown("enabled")).isEqualTo("f");

    set("RESET larder.enabled");
    awaitSettings(null);

    fill(connection, ITEM);
    assertThat(shown("enabled")).isEqualTo("t");
  }

  @Test
  void theDatabaseLeavesOutSingleTables() throws SQLException {
    set("SET larder.tables.exclude = 'sale, public.other_*'");
    awaitSettings("larder.tables.exclude=sale, public.other_*");

    assertThat(isHit(connection, SALE)).isFalse();
    assertThat(isHit(connection, SALE)).isFalse();
    fill(connection, ITEM);
  }

  @Test
  void whatTheDatabaseSetsDoesNotSwitchOn() throws SQLException {
    LarderProbe.run(connection, "SET larder.enabled = off");
    set("SET larder.enabled = on");
    awaitSettings("larder.enabled=on");

    assertThat(isHit(connection, ITEM)).isFalse();
  }

  @Test
  void aSettingThatCannotBeUnderstoodSwitchesOff() throws SQLException {
    set("SET larder.tables.exclude = 'a.b.c.d'");
    awaitSettings("larder.tables.exclude=a.b.c.d");

    assertThat(isHit(connection, ITEM)).isFalse();
    assertThat(shown("enabled")).isEqualTo("f");
  }

  @Test
  void writesInvalidateWhileTheCacheIsSwitchedOff() throws SQLException {
    set("SET larder.enabled = off");
    awaitSettings("larder.enabled=off");
    LarderProbe.run(connection, "UPDATE item SET name = 'b'");
    set("RESET larder.enabled");
    awaitSettings(null);

    fill(connection, ITEM);
    assertThat(LarderProbe.rows(connection, ITEM)).containsExactly("b");
  }

  private static final String CONTROL =
      "CREATE TABLE larder_control (scope text, name text, setting text, value text)";

  @Test
  void aRowSwitchesEverythingOff() throws SQLException {
    database.execute(CONTROL, row("all", null, "enabled", "off"));
    awaitSettings("larder_control all: enabled=off");

    assertThat(isHit(connection, ITEM)).isFalse();
    assertThat(reason(connection, ITEM)).contains("switched off");
    assertThat(shown("enabled")).isEqualTo("f");

    database.execute("DELETE FROM larder_control");
    awaitSettings(null);
    fill(connection, ITEM);
    assertThat(shown("enabled")).isEqualTo("t");
  }

  @Test
  void aRowLeavesOutATable() throws SQLException {
    database.execute(CONTROL, row("table", "public.sale", "enabled", "off"));
    awaitSettings("larder_control table public.sale: enabled=off");

    assertThat(isHit(connection, SALE)).isFalse();
    assertThat(isHit(connection, SALE)).isFalse();
    fill(connection, ITEM);
    assertThat(shown("enabled")).isEqualTo("t");
  }

  @Test
  void aRowConcernsOneCache() throws SQLException {
    try (Connection other = LarderProbe.connect(database, "larder.name=reports")) {
      fill(other, ITEM);
      database.execute(
          CONTROL,
          row("cache", "default", "enabled", "off"),
          row("cache", "others", "enabled", "off"));
      awaitSettings("larder_control cache default: enabled=off");

      assertThat(isHit(connection, ITEM)).isFalse();
      fill(other, ITEM);
      assertThat(shown(other, "enabled")).isEqualTo("t");
      assertThat(shown(other, "database_settings")).isNull();
    }
  }

  @Test
  void aRowShortensLives() throws SQLException {
    database.execute(CONTROL, row("table", "sale", "timeToLive", "1ms"));
    awaitSettings("larder_control table sale: timetolive=1ms");

    long expired = Long.parseLong(shown("expirations"));
    while (Long.parseLong(shown("expirations")) == expired) {
      LarderProbe.rows(connection, SALE); // Forever, if a result of it did not get too old.
    }
    fill(connection, ITEM);
  }

  @Test
  void rowsThatSayNothingAreShownAndIgnored() throws SQLException {
    database.execute(
        CONTROL,
        row("table", "a.b.c", "enabled", "off"),
        row("everything", null, "enabled", "off"),
        row("all", null, "enabled", "perhaps"),
        row("all", null, "enable", "off"),
        row("all", "item", "enabled", "off"),
        row("table", null, "enabled", "off"),
        row(null, null, null, null),
        row("table", "sale", "enabled", "off"));
    String settings = awaitSettingsWith("larder_control table sale: enabled=off");

    assertThat(settings.split("ignored: ", -1)).hasSize(8);
    assertThat(settings)
        .contains("scope must be all, table or cache", "holds \"a.b.c\", which is no name");
    fill(connection, ITEM);
    assertThat(isHit(connection, SALE)).isFalse();
  }

  @Test
  void whatIsNoPlainTableIsNotRead() throws SQLException {
    database.execute(
        "CREATE FUNCTION spy() RETURNS text LANGUAGE sql AS 'SELECT pg_notify(''a'', ''b'')::text'",
        "CREATE VIEW larder_control AS SELECT spy() AS scope, '' AS name, '' AS setting, '' AS value");
    assertThat(awaitSettingsWith("larder_control")).contains("it must be a plain table");
    fill(connection, ITEM);

    database.execute("DROP VIEW larder_control", "CREATE TABLE larder_control (scope text)");
    assertThat(awaitSettingsWith("columns")).contains("scope, name, setting and value");

    database.execute(
        "DROP TABLE larder_control",
        CONTROL,
        row("all", null, "enabled", "off"),
        "CREATE ROLE stranger_" + database.name(),
        "ALTER TABLE larder_control OWNER TO stranger_" + database.name());
    try {
      assertThat(awaitSettingsWith("its owner must be")).doesNotContain("enabled=off");
    } finally {
      database.execute("DROP TABLE larder_control", "DROP ROLE stranger_" + database.name());
    }
    awaitSettings(null);
    fill(connection, ITEM);
  }

  @Test
  void rowsThatWereReadAreObeyedWhileTheTableIsLocked() throws SQLException {
    database.execute(CONTROL, row("table", "sale", "enabled", "off"));
    awaitSettings("larder_control table sale: enabled=off");
    try (Connection locker = database.connect()) {
      locker.setAutoCommit(false);
      LarderProbe.run(locker, "LOCK TABLE larder_control IN ACCESS EXCLUSIVE MODE");
      assertThat(awaitSettingsWith("cannot be read just now")).contains("enabled=off");
      assertThat(isHit(connection, SALE)).isFalse();
      fill(connection, ITEM);
      locker.rollback();
    }
    awaitSettings("larder_control table sale: enabled=off");
  }

  /** Nobody knows what it says. */
  @Test
  void whoeverStartsWhileTheTableIsLockedCachesNothing() throws SQLException {
    try (TestDatabase fresh = TestDatabase.create();
        Connection locker = fresh.connect()) {
      fresh.execute(
          "CREATE TABLE item AS SELECT 'a' AS name",
          "CREATE TABLE sale AS SELECT 1 AS id",
          CONTROL,
          row("table", "sale", "enabled", "off"));
      locker.setAutoCommit(false);
      LarderProbe.run(locker, "LOCK TABLE larder_control IN ACCESS EXCLUSIVE MODE");
      try (Connection starting = LarderProbe.connect(fresh)) {
        LarderProbe.rows(starting, ITEM);
        LarderProbe.awaitCatalog(starting);
        for (String sql : new String[] {ITEM, ITEM, SALE, SALE}) {
          assertThat(isHit(starting, sql)).as(sql).isFalse();
        }
        assertThat(reason(starting, ITEM)).contains("switched off");
        locker.rollback();
        awaitSettings(starting, "larder_control table sale: enabled=off");
        fill(starting, ITEM);
        assertThat(isHit(starting, SALE)).isFalse();
      }
    }
  }

  @Test
  void thatThereAreMoreRowsThanAreReadIsSaid() throws SQLException {
    database.execute(
        CONTROL,
        "INSERT INTO larder_control SELECT 'table', 'public.a' || i, 'enabled', 'off'"
            + " FROM generate_series(1, 1001) i");
    assertThat(awaitSettingsWith("public.a999:")).contains("it has more than 1,000 rows");
    assertThat(isHit(connection, ITEM)).isFalse();
    database.execute("DELETE FROM larder_control WHERE name = 'public.a1'");
    while (awaitSettingsWith("public.a999:").contains("more than")) {
      LarderProbe.rows(connection, ITEM);
    }
    fill(connection, ITEM);
  }

  private static String row(String... values) {
    StringBuilder sql = new StringBuilder("INSERT INTO larder_control VALUES (");
    for (String value : values) {
      sql.append(sql.toString().endsWith("(") ? "" : ", ");
      sql.append(value == null ? "NULL" : '\'' + value + '\'');
    }
    return sql.append(')').toString();
  }

  private String awaitSettingsWith(String part) throws SQLException {
    AtomicReference<String> settings = new AtomicReference<>();
    Waiting.until(
        Duration.ofNanos(PATIENCE_NANOS),
        () -> String.valueOf(settings),
        () -> {
          LarderProbe.rows(connection, ITEM);
          settings.set(shown("database_settings"));
          return String.valueOf(settings).contains(part);
        });
    return settings.get();
  }

  private void set(String what) throws SQLException {
    database.execute("ALTER DATABASE " + database.name() + " " + what);
  }

  private String shown(String column) throws SQLException {
    return shown(connection, column);
  }

  private static String shown(Connection of, String column) throws SQLException {
    try (Statement statement = of.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getString(column);
    }
  }

  /** Asks for the item meanwhile, as an application would: an idle cache compares nothing. */
  private void awaitSettings(String expected) throws SQLException {
    awaitSettings(connection, expected);
  }

  private static void awaitSettings(Connection asked, String expected) throws SQLException {
    AtomicReference<String> settings = new AtomicReference<>();
    Waiting.until(
        Duration.ofNanos(PATIENCE_NANOS),
        () -> settings + " instead of " + expected,
        () -> {
          LarderProbe.rows(asked, ITEM);
          LarderProbe.awaitCatalog(asked);
          settings.set(shown(asked, "database_settings"));
          return Objects.equals(settings.get(), expected);
        });
  }
}
