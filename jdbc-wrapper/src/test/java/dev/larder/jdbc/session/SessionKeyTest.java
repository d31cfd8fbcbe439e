package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session has set is part of the key, however it was set and however it is undone. */
@Tag("each-server")
final class SessionKeyTest {
  private static final String TYPED =
      "SELECT moment::text, born::text, span::text, ratio::text, bytes::text, price::text FROM typed";
  private static final String NAME = "SELECT name FROM item";

  private TestDatabase database;
  private Connection one;
  private Connection two;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE typed (moment timestamptz, born date, span interval, ratio float8, bytes bytea, price money)",
        "INSERT INTO typed VALUES ('2024-03-31 01:30Z', '2024-03-05', '1 day 02:03', 0.1 + 0.2::float8,"
            + " '\\x00ff', 12.5)",
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('public')",
        "CREATE SCHEMA other",
        "CREATE TABLE other.item (name text)",
        "INSERT INTO other.item VALUES ('other')");
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    database.close();
  }

  /** Asserts that each connection gets what a connection without cache gets after {@code live}. */
  private void agrees(Connection cached, String sql, String... live) throws SQLException {
    List<String> expected;
    try (Connection plain = database.connect()) {
      run(plain, live);
      expected = rows(plain, sql);
    }
    assertThat(rows(cached, sql)).isEqualTo(expected);
    long before = hits(cached);
    assertThat(rows(cached, sql)).isEqualTo(expected);
    assertThat(hits(cached)).as("hits").isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET TimeZone = 'Asia/Tokyo'",
        "SET TIME ZONE -5",
        "SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE",
        "SET SESSION timezone TO 'Europe/Istanbul'",
        "SET IntervalStyle = 'iso_8601'",
        "SET extra_float_digits = 0",
        "SET extra_float_digits TO -3",
        "SET bytea_output = 'escape'",
        "SET lc_monetary = 'POSIX'",
        "SET lc_numeric = 'POSIX'",
        "SET lc_time = 'POSIX'",
        "SET lc_messages = 'POSIX'",
        "SET xmlbinary = hex",
        "SET XML OPTION DOCUMENT",
        "SET quote_all_identifiers = on",
        "SET default_text_search_config = 'pg_catalog.german'",
        "SET transform_null_equals = on",
        "SET array_nulls = off",
        "SET row_security = off",
        "SELECT set_config('TimeZone', 'Asia/Tokyo', false)",
        "SELECT set_config('bytea_output', 'escape', false) FROM typed",
        "DO $$ BEGIN SET TimeZone = 'Asia/Tokyo'; END $$",
        "DO $$ BEGIN PERFORM set_config('IntervalStyle', 'sql_standard', false); END $$",
        "BEGIN; SET TimeZone = 'Asia/Tokyo'; COMMIT",
        "SET TimeZone = 'Asia/Tokyo'; SET bytea_output = 'escape'",
        "ALTER DATABASE current SET x.y = '1'; SET TimeZone = 'Asia/Tokyo'",
      })
  void aSettingIsPartOfTheKey(String setting) throws SQLException {
    String usable = setting.replace("current", database.name());
    if (usable.startsWith("ALTER")) {
      usable = usable.substring(usable.indexOf(';') + 2);
    }
    fill(one, TYPED);
    run(two, usable);
    LarderProbe.awaitCatalog(two);
    assertThat(isHit(two, TYPED)).as("another session's entry").isFalse();
    agrees(two, TYPED, usable);
    agrees(one, TYPED);
  }

  @Test
  void dateStyleIsPartOfTheKey() throws SQLException {
    // The driver insists on ISO, so that only a text conversion on the server shows it.
    fill(one, TYPED);
    run(two, "SET DateStyle = 'ISO, DMY'");
    assertThat(isHit(two, TYPED)).isFalse();
    agrees(two, TYPED, "SET DateStyle = 'ISO, DMY'");
  }

  @Test
  void equalSettingsShareTheirEntries() throws SQLException {
    run(one, "SET TimeZone = 'Asia/Tokyo'");
    fill(one, TYPED);
    run(two, "SET SESSION TIME ZONE 'Asia/Tokyo'");
    assertThat(isHit(two, TYPED)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET statement_timeout = '10s'",
        "SET application_name = 'x'",
        "SET work_mem = '8MB'",
        "SET enable_seqscan = off",
        "SET lock_timeout = 5000"
      })
  void whatChangesNoRowIsNotPartOfTheKey(String setting) throws SQLException {
    fill(one, TYPED);
    run(two, setting);
    assertThat(isHit(two, TYPED)).isTrue();
  }

  @Test
  void valuesThatOnlyLookEqualAreDifferentKeys() throws SQLException {
    database.execute(
        "ALTER TABLE item ADD tenant text",
        "DELETE FROM item",
        "INSERT INTO item VALUES ('string', '010'), ('number', '10')",
        "CREATE VIEW mine AS SELECT name FROM item WHERE tenant = current_setting('app.tenant')");
    reload();
    String sql = "SELECT name FROM mine";
    run(one, "SET app.tenant = '010'");
    run(two, "SET app.tenant = 010");
    assertThat(rows(one, sql)).containsExactly("string");
    assertThat(rows(two, sql)).containsExactly("number");
    assertThat(isHit(one, sql)).isTrue();
    assertThat(isHit(two, sql)).isTrue();
    assertThat(rows(two, sql)).containsExactly("number");
  }

  /** The catalog notices what the tests did behind Larder's back. */
  private void reload() throws SQLException {
    run(one, "COMMENT ON TABLE item IS 'changed'");
    LarderProbe.awaitCatalog(one);
  }

  // ---- names

  @Test
  void searchPathDecidesWhatANameMeans() throws SQLException {
    fill(one, NAME);
    run(two, "SET search_path = other, public");
    agrees(two, NAME, "SET search_path = other, public");
    run(two, "UPDATE item SET name = 'changed'");
    assertThat(isHit(one, NAME)).isTrue();
    assertThat(rows(one, NAME)).containsExactly("public");
    assertThat(rows(two, NAME)).containsExactly("changed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET search_path TO other",
        "SET SCHEMA 'other'",
        "SELECT set_config('search_path', 'other', false)",
        "SELECT set_config('search_path', name, false) FROM other.item"
      })
  void theSearchPathMayBeSetInManyWays(String setting) throws SQLException {
    fill(two, NAME);
    run(two, setting);
    agrees(two, NAME, "SET search_path TO other");
  }

  @Test
  void setSchemaIsPartOfTheKey() throws SQLException {
    fill(two, NAME);
    two.setSchema("other");
    agrees(two, NAME, "SET search_path TO other");
    two.setSchema("public");
    agrees(two, NAME);
  }

  // ---- transactions

  @Test
  void aRollbackUndoesASetting() throws SQLException {
    fill(one, NAME);
    one.setAutoCommit(false);
    run(one, "SET search_path = other");
    assertThat(rows(one, NAME)).containsExactly("other");
    one.rollback();
    agrees(one, NAME);
  }

  @Test
  void aCommitKeepsASettingButNotALocalOne() throws SQLException {
    fill(one, NAME);
    one.setAutoCommit(false);
    run(one, "SET LOCAL search_path = other");
    assertThat(rows(one, NAME)).containsExactly("other");
    one.commit();
    agrees(one, NAME);
    one.commit();
    run(one, "SET search_path = other");
    one.commit();
    agrees(one, NAME, "SET search_path = other");
  }

  @Test
  void aSavepointUndoesASetting() throws SQLException {
    run(one, "SET TimeZone = 'Asia/Tokyo'");
    fill(one, TYPED);
    one.setAutoCommit(false);
    run(one, "SET TimeZone = 'Asia/Kolkata'");
    Savepoint savepoint = one.setSavepoint();
    run(one, "SET TimeZone = 'America/Lima'");
    agrees(one, TYPED, "SET TimeZone = 'America/Lima'");
    one.rollback(savepoint);
    agrees(one, TYPED, "SET TimeZone = 'Asia/Kolkata'");
    one.rollback();
    agrees(one, TYPED, "SET TimeZone = 'Asia/Tokyo'");
  }

  @Test
  void aFailedTransactionUndoesASetting() throws SQLException {
    fill(one, TYPED);
    one.setAutoCommit(false);
    run(one, "SET TimeZone = 'Asia/Tokyo'");
    assertThatThrownBy(() -> run(one, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
    run(one, "COMMIT");
    agrees(one, TYPED);
  }

  @Test
  void aCommitThatFailsUndoesASetting() throws SQLException {
    database.execute(
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
    reload();
    fill(one, TYPED);
    one.setAutoCommit(false);
    run(one, "SET TimeZone = 'Asia/Tokyo'");
    run(one, "INSERT INTO child VALUES (1)");
    assertThatThrownBy(() -> one.commit()).isInstanceOf(SQLException.class);
    one.setAutoCommit(true);
    agrees(one, TYPED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN; SET TimeZone = 'Asia/Tokyo'; ROLLBACK",
        "SET LOCAL TimeZone = 'Asia/Tokyo'",
        "SET TimeZone = 'Asia/Tokyo'; RESET TimeZone",
        "SET TimeZone = 'Asia/Tokyo'; RESET ALL",
        "BEGIN; SET LOCAL TimeZone = 'Asia/Tokyo'; COMMIT"
      })
  void aTextThatUndoesItselfChangesNothing(String text) throws SQLException {
    fill(one, TYPED);
    run(one, text);
    agrees(one, TYPED);
  }

  @Test
  void resetAndDiscardUndoSettings() throws SQLException {
    for (String undo :
        List.of("RESET TimeZone", "RESET ALL", "DISCARD ALL", "SET TimeZone TO DEFAULT")) {
      run(one, "SET TimeZone = 'Asia/Tokyo'");
      agrees(one, TYPED, "SET TimeZone = 'Asia/Tokyo'");
      run(one, undo);
      agrees(one, TYPED);
    }
  }

  // ---- other ways to say it

  @Test
  void aPreparedStatementMaySetASetting() throws SQLException {
    fill(one, TYPED);
    try (PreparedStatement set = one.prepareStatement("SET TimeZone = 'Asia/Tokyo'")) {
      set.execute();
    }
    agrees(one, TYPED, "SET TimeZone = 'Asia/Tokyo'");
    try (PreparedStatement set = one.prepareStatement("SELECT set_config(?, ?, false)")) {
      set.setString(1, "TimeZone");
      set.setString(2, "America/Lima");
      set.executeQuery().close();
    }
    agrees(one, TYPED, "SET TimeZone = 'America/Lima'");
  }

  @Test
  void aBatchMaySetASetting() throws SQLException {
    fill(one, TYPED);
    try (Statement batch = one.createStatement()) {
      batch.addBatch("SET TimeZone = 'America/Lima'");
      batch.addBatch("SET TimeZone = 'Asia/Tokyo'");
      batch.executeBatch();
    }
    agrees(one, TYPED, "SET TimeZone = 'Asia/Tokyo'");
  }

  @Test
  void aFunctionOrATriggerMaySetASetting() throws SQLException {
    database.execute(
        "CREATE FUNCTION zone() RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM set_config('TimeZone', 'Asia/Tokyo', false); RETURN 1; END $$",
        "CREATE FUNCTION lima() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM set_config('TimeZone', 'America/Lima', false); RETURN NEW; END $$",
        "CREATE TRIGGER lima BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION lima()");
    reload();
    fill(one, TYPED);
    run(one, "SELECT zone()");
    LarderProbe.awaitCatalog(one);
    agrees(one, TYPED, "SET TimeZone = 'Asia/Tokyo'");
    run(one, "INSERT INTO item VALUES ('x')");
    LarderProbe.awaitCatalog(one);
    agrees(one, TYPED, "SET TimeZone = 'America/Lima'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "options=-c%20TimeZone=Asia/Tokyo|SET TimeZone = 'Asia/Tokyo'",
        "options=-c%20IntervalStyle=iso_8601|SET IntervalStyle = 'iso_8601'",
        "currentSchema=other|SET search_path = other",
        "options=-c%20search_path=other|SET search_path = other"
      })
  void theUrlMaySetASetting(String parameter, String live) throws SQLException {
    String encoded = parameter.replace("-c%20TimeZone", "-c%20TimeZone");
    String sql = live.contains("path") ? NAME : TYPED;
    fill(one, sql);
    try (Connection three = LarderProbe.connect(database, encoded)) {
      if (live.contains("TimeZone")) {
        // The driver sends its own time zone after the options.
        run(three, live);
      }
      agrees(three, sql, live);
    }
  }

  // ---- roles

  @Test
  void theRoleIsPartOfTheKey() throws SQLException {
    String role = database.name() + "_r";
    database.execute(
        "CREATE ROLE " + role,
        "GRANT SELECT ON item TO " + role,
        "GRANT USAGE ON SCHEMA other TO " + role);
    try {
      reload();
      fill(one, NAME);
      fill(one, "SELECT name FROM other.item");
      for (String change : List.of("SET ROLE " + role, "SET SESSION AUTHORIZATION " + role)) {
        run(two, change);
        assertThat(isHit(two, NAME)).isFalse();
        agrees(two, NAME, change);
        assertThatThrownBy(() -> rows(two, "SELECT name FROM other.item"))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("permission denied");
        run(two, change.contains("ROLE") ? "RESET ROLE" : "RESET SESSION AUTHORIZATION");
        assertThat(isHit(two, "SELECT name FROM other.item")).isTrue();
      }
    } finally {
      database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }

  @Test
  void defaultsOfRoleAndDatabaseAreRead() throws SQLException {
    String role = database.name() + "_d";
    database.execute(
        "CREATE ROLE " + role + " LOGIN PASSWORD 'x'",
        "GRANT SELECT ON item TO " + role,
        "GRANT USAGE ON SCHEMA other TO " + role,
        "GRANT SELECT ON other.item TO " + role,
        "ALTER ROLE " + role + " SET search_path = other");
    try {
      reload();
      fill(one, NAME);
      String url =
          database.larderUrl("larder.writers=this-jvm").replace("user=postgres", "user=" + role);
      try (Connection three = DriverManager.getConnection(url + "&password=x")) {
        LarderProbe.awaitCatalog(three);
        assertThat(rows(three, NAME)).containsExactly("other");
        assertThat(isHit(three, NAME)).isTrue();
        run(one, "UPDATE other.item SET name = 'new'");
        assertThat(rows(three, NAME)).containsExactly("new");
      }
      assertThat(isHit(one, NAME)).isTrue();
    } finally {
      database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }

  // ---- databases and names of caches

  @Test
  void twoDatabasesShareNothing() throws SQLException {
    try (TestDatabase second = TestDatabase.create()) {
      second.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('second')");
      try (Connection three = LarderProbe.connect(second)) {
        fill(one, NAME);
        assertThat(rows(three, NAME)).containsExactly("second");
        fill(three, NAME);
        run(one, "UPDATE item SET name = 'first'");
        assertThat(isHit(three, NAME)).isTrue();
        assertThat(rows(one, NAME)).containsExactly("first");
      }
    }
  }

  @Test
  void twoSpellingsOfOneDatabaseInvalidateEachOther() throws SQLException {
    String url = database.larderUrl("larder.writers=this-jvm").replace("127.0.0.1", "localhost");
    try (Connection three = DriverManager.getConnection(url)) {
      fill(one, NAME);
      fill(three, NAME);
      run(three, "UPDATE item SET name = 'new'");
      assertThat(rows(one, NAME)).containsExactly("new");
      fill(one, NAME);
      run(one, "UPDATE item SET name = 'newer'");
      assertThat(rows(three, NAME)).containsExactly("newer");
    }
  }

  @Test
  void larderNameSeparatesResultsButNotInvalidation() throws SQLException {
    try (Connection three = LarderProbe.connect(database, "larder.name=second")) {
      fill(one, NAME);
      assertThat(isHit(three, NAME)).isFalse();
      fill(three, NAME);
      run(three, "UPDATE item SET name = 'new'");
      assertThat(rows(one, NAME)).containsExactly("new");
      fill(one, NAME);
      fill(three, NAME);
      run(one, "RESET larder.cache");
      assertThat(isHit(three, NAME)).isTrue();
      assertThat(isHit(one, NAME)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stringtype=unspecified",
        "preferQueryMode=simple",
        "preferQueryMode=extendedForPrepared",
        "binaryTransferDisable=int4,timestamptz,float8",
        "binaryTransfer=false"
      })
  void theDriversProtocolOptionsArePartOfTheKey(String option) throws SQLException {
    try (Connection three = LarderProbe.connect(database, option, "prepareThreshold=-1");
        Connection four = LarderProbe.connect(database, "prepareThreshold=-1")) {
      fill(four, TYPED);
      assertThat(isHit(three, TYPED)).isFalse();
      assertThat(isHit(three, TYPED)).isTrue();
    }
  }

  @Test
  void nothingIsAskedBetweenTheFirstStatementsOfATransaction() throws SQLException {
    fill(one, NAME);
    one.setAutoCommit(false);
    // Each would be refused after a query.
    run(
        one,
        "SET LOCAL IntervalStyle = 'iso_8601'",
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY, DEFERRABLE",
        "RESET IntervalStyle",
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    assertThat(rows(one, NAME)).containsExactly("public");
    one.rollback();
    one.setAutoCommit(true);
    assertThat(isHit(one, NAME)).isTrue();
  }

  // ---- what is kept

  @Test
  void distinctCustomSettingsAreBounded() throws SQLException {
    for (int i = 0; i < 300; i++) {
      run(one, "SET app.setting_" + i + " = 'x'");
    }
    SessionTracker tracker = one.unwrap(CachingConnection.class).physical().state().tracker();
    assertThat(tracker.customNames().size()).isLessThanOrEqualTo(64);
    assertThat(rows(one, NAME)).containsExactly("public");
    run(one, "DISCARD ALL");
    agrees(one, NAME);
  }
}
