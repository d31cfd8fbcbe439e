package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the text of a statement does not show: it writes elsewhere, or reads the clock. */
@Tag("each-server")
@Tag("regression")
final class HiddenEffectsTest {
  private static final String LOG = "SELECT count(*) FROM log";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE log (x int)",
        "CREATE TABLE item (id int, at timestamp)",
        "CREATE MATERIALIZED VIEW summary AS SELECT count(*) FROM item",
        "CREATE FUNCTION logged() RETURNS int LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO log VALUES (1); RETURN 1; END'",
        "CREATE FUNCTION log_row() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO log VALUES (1); RETURN NULL; END'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE INDEX ON item (id)",
        "COMMENT ON TABLE item IS 'x'",
        "REFRESH MATERIALIZED VIEW summary",
        "CREATE TEMP TABLE mine (x int)",
        "SELECT 1 AS x INTO TEMP mine"
      })
  void anEventTriggerMayWriteAnything(String ddl) throws SQLException {
    database.execute(
        "CREATE FUNCTION log_ddl() RETURNS event_trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO public.log VALUES (1); END'",
        "CREATE EVENT TRIGGER log_ddl ON ddl_command_end EXECUTE FUNCTION log_ddl()");
    assertThatLogIsSeenToGrow(ddl);
  }

  @Test
  void anEventTriggerThatIsDisabledWritesNothing() throws SQLException {
    database.execute(
        "CREATE FUNCTION log_ddl() RETURNS event_trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO public.log VALUES (1); END'",
        "CREATE EVENT TRIGGER log_ddl ON ddl_command_end EXECUTE FUNCTION log_ddl()");
    try (Connection reader = LarderProbe.connect(database);
        Connection writer = LarderProbe.connect(database)) {
      run(writer, "ALTER EVENT TRIGGER log_ddl DISABLE");
      LarderProbe.awaitCatalog(reader);
      fill(reader, LOG);
      run(writer, "COMMENT ON TABLE item IS 'none'");
      LarderProbe.awaitCatalog(reader);
      assertThat(isHit(reader, LOG)).isTrue();
      run(writer, "ALTER EVENT TRIGGER log_ddl ENABLE");
      LarderProbe.awaitCatalog(reader);
      fill(reader, LOG);
      run(writer, "CREATE INDEX ON item (at)");
      assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
    }
  }

  @Test
  void aLoginTriggerWritesWheneverAConnectionIsOpened() throws SQLException {
    try (Connection past = database.connect();
        Connection reader = LarderProbe.connect(database)) {
      run(
          past,
          "CREATE FUNCTION log_login() RETURNS event_trigger LANGUAGE plpgsql AS"
              + " 'BEGIN INSERT INTO public.log VALUES (1); END'");
      String trigger = "CREATE EVENT TRIGGER log_login ON login EXECUTE FUNCTION log_login()";
      if (past.getMetaData().getDatabaseMajorVersion() < 17) {
        assertThatThrownBy(() -> run(past, trigger)).hasMessageContaining("unrecognized event");
        return;
      }
      run(past, trigger);
      run(reader, "COMMENT ON TABLE log IS 'read the catalog again'");
      LarderProbe.awaitCatalog(reader);
      fill(reader, LOG);
      List<String> before = rows(past, LOG);
      try (Connection opened = database.connectThroughLarder("larder.writers=this-jvm")) {
        assertThat(rows(past, LOG)).isNotEqualTo(before);
        assertThat(rows(reader, LOG)).isEqualTo(rows(past, LOG));
        assertThat(rows(opened, LOG)).isEqualTo(rows(past, LOG));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO far VALUES (1)",
        "INSERT INTO parts VALUES (1)",
        "COPY far FROM PROGRAM 'echo 1'",
        "WITH written AS (INSERT INTO far VALUES (1) RETURNING x) SELECT x FROM written",
        "SELECT dblink_exec('%s', 'INSERT INTO log VALUES (1)')",
        "SELECT x FROM dblink('%s', 'INSERT INTO log VALUES (1) RETURNING x') AS t (x int)",
      })
  void aForeignTableMayBeATableOfThisDatabase(String write) throws SQLException {
    String address = "host=127.0.0.1 port=" + database.port() + " dbname=" + database.name();
    database.execute(
        "CREATE EXTENSION postgres_fdw",
        "CREATE EXTENSION dblink",
        "CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '"
            + database.port()
            + "', dbname '"
            + database.name()
            + "')",
        "CREATE USER MAPPING FOR postgres SERVER loop OPTIONS (user 'postgres')",
        "CREATE FOREIGN TABLE far (x int) SERVER loop OPTIONS (table_name 'log')",
        "CREATE TABLE parts (x int) PARTITION BY LIST (x)",
        "CREATE FOREIGN TABLE far_1 PARTITION OF parts FOR VALUES IN (1) SERVER loop"
            + " OPTIONS (table_name 'log')");
    assertThatLogIsSeenToGrow(write.formatted(address + " user=postgres"));
    try (Connection reader = LarderProbe.connect(database)) {
      for (String read : new String[] {"SELECT count(*) FROM far", "SELECT count(*) FROM parts"}) {
        rows(reader, read);
        assertThat(isHit(reader, read)).as(read).isFalse();
      }
    }
  }

  @Test
  void aTriggerDisabledOnTheParentAloneFiresOnItsPartitions() throws SQLException {
    database.execute(
        "CREATE TABLE part (id int) PARTITION BY LIST (id)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1)",
        "CREATE TRIGGER log AFTER INSERT ON part FOR EACH ROW EXECUTE FUNCTION log_row()",
        "ALTER TABLE ONLY part DISABLE TRIGGER log");
    assertThatLogIsSeenToGrow("INSERT INTO part VALUES (1)");
  }

  @Test
  void aViewHasDefaultsOfItsOwn() throws SQLException {
    database.execute(
        "CREATE VIEW item_view AS SELECT * FROM item",
        "ALTER VIEW item_view ALTER id SET DEFAULT logged()");
    assertThatLogIsSeenToGrow("INSERT INTO item_view DEFAULT VALUES");
  }

  private void assertThatLogIsSeenToGrow(String write) throws SQLException {
    try (Connection reader = LarderProbe.connect(database);
        Connection writer = LarderProbe.connect(database)) {
      fill(reader, LOG);
      String before = database.queryString(LOG);
      run(writer, write);
      assertThat(database.queryString(LOG)).isNotEqualTo(before);
      assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "word::moment",
        "word::public.moment",
        "CAST(word AS moment)",
        "moment(word)",
        "words::moment[]",
        "CAST(words AS moment ARRAY)",
        "words::_moment",
        "ROW(word)::holder",
        "('(1,' || word || ')')::item",
        "('[' || word || ',)')::moments"
      })
  void aTextThatBecomesAUsersTypeMayReadTheClock(String expression) throws SQLException {
    createTypes();
    String sql = "SELECT " + expression + " FROM texts";
    try (Connection reader = LarderProbe.connect(database)) {
      rows(reader, sql);
      assertThat(isHit(reader, sql)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"word::label", "words::label[]", "word::text::label", "'x'::moods"})
  void aTypeOfTextsDoesNot(String expression) throws SQLException {
    createTypes();
    try (Connection reader = LarderProbe.connect(database)) {
      fill(reader, "SELECT " + expression + " FROM texts");
    }
  }

  @Test
  void aDifferenceThatAUserMadeATextMayReadTheClock() throws SQLException {
    String sql = "SELECT (at - 'x'::word)::date FROM item";
    String plain = "SELECT (at - interval '1 day')::date FROM item";
    database.execute("CREATE TYPE word AS ENUM ('x')", "INSERT INTO item VALUES (1, '2024-01-01')");
    try (Connection reader = LarderProbe.connect(database)) {
      fill(reader, plain);
      run(
          reader,
          "CREATE FUNCTION worded(timestamp, word) RETURNS text LANGUAGE sql IMMUTABLE"
              + " AS $$ SELECT 'today' $$",
          "CREATE OPERATOR - (LEFTARG = timestamp, RIGHTARG = word, FUNCTION = worded)");
      LarderProbe.awaitCatalog(reader);
      assertThat(rows(reader, sql)).containsExactly(database.queryString("SELECT current_date"));
      assertThat(isHit(reader, sql)).isFalse();
      assertThat(isHit(reader, plain)).isFalse();
    }
  }

  private void createTypes() throws SQLException {
    database.execute(
        "CREATE DOMAIN moment AS timestamp",
        "CREATE TYPE holder AS (at timestamp)",
        "CREATE TYPE moments AS RANGE (subtype = moment)",
        "CREATE DOMAIN label AS text",
        "CREATE TYPE moods AS ENUM ('x')",
        "CREATE TABLE texts (word text, words text[])",
        "INSERT INTO texts VALUES ('now', '{now}')");
  }
}
