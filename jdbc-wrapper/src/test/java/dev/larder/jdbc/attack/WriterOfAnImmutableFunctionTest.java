package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody declares a function IMMUTABLE that is not, by purpose or for an index. */
@Tag("regression")
class WriterOfAnImmutableFunctionTest {
  private static final String OWN = "SELECT id FROM document";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE document (id int, tenant text)",
        "INSERT INTO document VALUES (1, 't1'), (2, 't2')",
        "CREATE TABLE rate (n int)",
        "INSERT INTO rate VALUES (1)",
        "CREATE ROLE reader_" + database.name(),
        "GRANT SELECT ON document, rate TO reader_" + database.name());
  }

  private Connection connectAsReader() throws SQLException {
    Connection connection = LarderProbe.connect(database, "larder.admission=all");
    LarderProbe.run(connection, "SET ROLE reader_" + database.name());
    return connection;
  }

  /** Restricts the documents by {@code condition}, and asserts that each tenant has its own. */
  private void assertApart(String condition) throws SQLException {
    database.execute(
        "CREATE POLICY own ON document USING (" + condition + ")",
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY");
    try (Connection connection = connectAsReader()) {
      LarderProbe.rows(connection, "SELECT set_config('app.tenant', 't' || 1, false)");
      LarderProbe.fill(connection, OWN);
      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("1");

      LarderProbe.rows(connection, "SELECT set_config('app.tenant', 't' || 2, false)");
      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("2");
      LarderProbe.fill(connection, OWN);
      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("2");
    } finally {
      database.execute("DROP OWNED BY reader_" + database.name());
      database.execute("DROP ROLE reader_" + database.name());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LANGUAGE sql AS $$ SELECT current_setting('app.tenant') $$",
        "LANGUAGE sql AS $$ SELECT pg_catalog.Current_Setting ( 'App.Tenant' , true ) $$",
        "LANGUAGE plpgsql AS $$ BEGIN RETURN current_setting('app.tenant', true); END $$",
        "LANGUAGE sql AS $$ SELECT helper() $$",
      })
  void policyByASettingKeepsTenantsApart(String body) throws SQLException {
    database.execute(
        "CREATE FUNCTION helper() RETURNS text STABLE LANGUAGE sql"
            + " AS $$ SELECT current_setting('app.tenant') $$",
        "CREATE FUNCTION tenant() RETURNS text IMMUTABLE " + body);

    assertApart("tenant = tenant()");
  }

  @Test
  void operatorAndCastBySettingsAreSeen() throws SQLException {
    database.execute(
        "CREATE FUNCTION is_mine(text, int) RETURNS bool IMMUTABLE LANGUAGE sql"
            + " AS $$ SELECT $1 = current_setting('app.tenant') $$",
        "CREATE OPERATOR <~> (leftarg = text, rightarg = int, function = is_mine)");

    assertApart("tenant <~> 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT n FROM rate",
        "SELECT n FROM public.rate",
        "SELECT n FROM ONLY \"rate\"",
        "SELECT r.n FROM (VALUES (1)) v JOIN rate r ON true",
      })
  void tableThatAFunctionReadsIsReadAnew(String body) throws SQLException {
    database.execute(
        "CREATE FUNCTION rate() RETURNS int IMMUTABLE LANGUAGE sql AS $$ " + body + " $$");
    String query = "SELECT id * rate() FROM document WHERE id = 1";
    try (Connection connection = LarderProbe.connect(database)) {
      LarderProbe.fill(connection, OWN);
      for (int i = 0; i < 3; i++) {
        assertThat(LarderProbe.isHit(connection, query)).isFalse();
      }
      LarderProbe.run(connection, "UPDATE rate SET n = 2");

      assertThat(LarderProbe.rows(connection, query)).containsExactly("2");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clock_timestamp()::text",
        "now ()::text",
        "CURRENT_TIMESTAMP::text",
        "'now'::text::timestamptz::text",
        "age(timestamp '2001-01-01')::text",
        "current_setting('app.' || 'tenant', true)",
        "current_setting('work_mem')",
        "\"current_setting\"('app.tenant', true)",
        "(SELECT setting FROM pg_settings LIMIT 1)",
        "(SELECT count(*)::text FROM pg_class)",
        "pg_backend_pid()::text",
      })
  void bodyThatReadsMoreIsNotCached(String expression) throws SQLException {
    database.execute(
        "CREATE FUNCTION f() RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT "
            + expression
            + " $$");
    try (Connection connection = LarderProbe.connect(database)) {
      LarderProbe.fill(connection, OWN);
      String query = "SELECT id, f() FROM document";
      LarderProbe.rows(connection, query);

      assertThat(LarderProbe.isHit(connection, query)).isFalse();
      assertThat(LarderProbe.isHit(connection, query)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT $1 * 2",
        "SELECT extract(year FROM timestamp '2001-01-01')::int + $1",
        "SELECT sum(x)::int FROM unnest(ARRAY[$1, 2]) x",
        "SELECT length(current_user || session_user) + $1",
      })
  void bodyThatReadsNoMoreIsBelieved(String body) throws SQLException {
    database.execute(
        "CREATE FUNCTION f(int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ " + body + " $$");
    try (Connection connection = LarderProbe.connect(database)) {
      LarderProbe.fill(connection, "SELECT f(id) FROM document");
    }
  }

  @Test
  void functionThatIsDeclaredToReadOnlyIsCached() throws SQLException {
    database.execute(
        "CREATE FUNCTION rate() RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n FROM rate'");
    try (Connection connection = LarderProbe.connect(database, "larder.functions.readOnly=rate")) {
      LarderProbe.fill(connection, "SELECT id * rate() FROM document");
    }
  }
}
