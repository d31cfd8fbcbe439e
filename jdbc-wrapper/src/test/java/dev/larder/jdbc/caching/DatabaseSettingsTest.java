package dev.larder.jdbc.caching;

import static dev.larder.jdbc.caching.LarderProbe.fill;
import static dev.larder.jdbc.caching.LarderProbe.isHit;
import static dev.larder.jdbc.caching.LarderProbe.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator sets with ALTER DATABASE, past Larder, is obeyed by every process. */
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

  private void set(String what) throws SQLException {
    database.execute("ALTER DATABASE " + database.name() + " " + what);
  }

  private String shown(String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getString(column);
    }
  }

  /** Asks for the item meanwhile, as an application would: an idle cache compares nothing. */
  private void awaitSettings(String expected) throws SQLException {
    long start = System.nanoTime();
    String settings = null;
    while (System.nanoTime() - start < PATIENCE_NANOS) {
      LarderProbe.rows(connection, ITEM);
      LarderProbe.awaitCatalog(connection);
      settings = shown("database_settings");
      if (expected == null ? settings == null : expected.equals(settings)) {
        return;
      }
    }
    assertThat(settings).isEqualTo(expected);
  }
}
