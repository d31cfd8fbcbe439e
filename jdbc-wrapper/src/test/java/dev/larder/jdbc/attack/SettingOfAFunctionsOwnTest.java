package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A function with a custom setting of its own leaves that empty where it was unset, and a policy
 * may tell the two apart: a query that calls one has an effect that no hit has.
 */
@Tag("regression")
final class SettingOfAFunctionsOwnTest {
  private static final String OWN = "SELECT id FROM document ORDER BY id";

  @AutoClose private TestDatabase database;
  private String reader;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    reader = "reader_" + database.name();
    database.execute(
        "CREATE TABLE document (id int, tenant text)",
        "INSERT INTO document VALUES (1, 't1'), (2, 't2')",
        "CREATE POLICY own ON document"
            + " USING (coalesce(tenant = current_setting('app.tenant', true), true))",
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE TABLE plain AS SELECT 'x'::text AS name",
        "CREATE FUNCTION loud(text) RETURNS text IMMUTABLE LANGUAGE sql SET app.tenant = 't1' AS"
            + " $$ SELECT upper($1) $$",
        "CREATE FUNCTION loud_by_another(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS"
            + " $$ BEGIN RETURN loud($1); END $$",
        "CREATE FUNCTION same(text, text) RETURNS boolean IMMUTABLE LANGUAGE plpgsql"
            + " SET \"App.Tenant\" = 't1' AS $$ BEGIN RETURN $1 = $2; END $$",
        "CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same)",
        "CREATE DOMAIN known AS text CHECK (same(value, value))",
        "CREATE VIEW shouted AS SELECT loud(name) FROM plain",
        "CREATE FUNCTION internal(text) RETURNS text IMMUTABLE LANGUAGE internal"
            + " SET app.tenant = 't1' AS 'upper'",
        "CREATE FUNCTION tenant() RETURNS text STABLE LANGUAGE plpgsql SET app.tenant = 't1' AS"
            + " $$ BEGIN RETURN current_setting('app.tenant'); END $$",
        "CREATE ROLE " + reader,
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + reader);
  }

  @AfterEach
  void dropRole() throws SQLException {
    database.execute("DROP OWNED BY " + reader, "DROP ROLE " + reader);
  }

  private Connection connect() throws SQLException {
    Connection connection =
        LarderProbe.connect(
            database, "larder.admission=all", "larder.functions.readOnly=public.tenant");
    LarderProbe.run(connection, "SET ROLE " + reader);
    return connection;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT loud(name) FROM plain",
        "SELECT loud_by_another(name) FROM plain",
        "SELECT name FROM plain WHERE name === 'x'",
        "SELECT name::known FROM plain",
        "SELECT * FROM shouted",
        "SELECT internal(name) FROM plain",
        "SELECT name FROM plain WHERE tenant() = 't1'",
      })
  void theSettingIsEmptyAfterwards(String sql) throws SQLException {
    try (Connection before = connect();
        Connection connection = connect()) {
      LarderProbe.rows(before, sql);
      LarderProbe.rows(before, sql);
      LarderProbe.fill(connection, OWN);
      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("1", "2");

      LarderProbe.rows(connection, sql);

      assertThat(LarderProbe.rows(connection, OWN)).isEmpty();
    }
  }

  /** The server itself runs the functions of an index there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ANALYZE sorted",
        "ANALYZE",
        "REINDEX TABLE sorted",
        "VACUUM FULL sorted",
        "CLUSTER sorted USING sorted_loud_idx",
      })
  void itIsEmptyAfterWhatLooksAtAnIndex(String sql) throws SQLException {
    database.execute(
        "DROP FUNCTION same CASCADE", // Whatever a type may run is looked at everywhere.
        "CREATE TABLE sorted AS SELECT name FROM plain",
        "CREATE INDEX ON sorted (loud(name))",
        "GRANT CREATE ON SCHEMA public TO " + reader,
        "ALTER TABLE sorted OWNER TO " + reader,
        "ANALYZE sorted");
    try (Connection before = connect();
        Connection connection = connect()) {
      LarderProbe.run(before, sql);
      LarderProbe.awaitCatalog(before);
      LarderProbe.fill(connection, OWN);
      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("1", "2");

      LarderProbe.run(connection, sql);

      assertThat(LarderProbe.rows(connection, OWN)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO watched VALUES ('y')",
        "UPDATE watched SET name = 'y'",
        "SELECT noted('y')",
        "CALL note('y')",
      })
  void itIsEmptyAfterAWrite(String sql) throws SQLException {
    database.execute(
        "DROP FUNCTION same CASCADE",
        "CREATE TABLE watched AS SELECT name FROM plain",
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql SET app.tenant = 't1' AS"
            + " $$ BEGIN RETURN NEW; END $$",
        "CREATE TRIGGER nothing BEFORE INSERT OR UPDATE ON watched"
            + " FOR EACH ROW EXECUTE FUNCTION nothing()",
        "CREATE TABLE noted (name text)",
        "CREATE FUNCTION noted(text) RETURNS void LANGUAGE plpgsql SET app.tenant = 't1' AS"
            + " $$ BEGIN INSERT INTO noted VALUES ($1); END $$",
        "CREATE PROCEDURE note(text) LANGUAGE sql SET app.tenant = 't1' AS"
            + " $$ INSERT INTO noted VALUES ($1) $$",
        "GRANT ALL ON watched, noted TO " + reader);
    try (Connection connection = connect()) {
      LarderProbe.fill(connection, OWN);
      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("1", "2");

      LarderProbe.run(connection, sql);

      assertThat(LarderProbe.rows(connection, OWN)).isEmpty();
    }
  }
}
