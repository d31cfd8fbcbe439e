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

/** A function that is declared IMMUTABLE sets a setting, as its body says: the server lets it. */
@Tag("regression")
class SetterOfAnImmutableFunctionTest {
  private static final String OWN = "SELECT id FROM document";

  @AutoClose private TestDatabase database;
  private String reader;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    reader = "reader_" + database.name();
    database.execute(
        "CREATE TABLE document (id int, tenant text)",
        "INSERT INTO document VALUES (1, 't1'), (2, 't2')",
        "CREATE POLICY own ON document USING (tenant = current_setting('app.tenant', true))",
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE FUNCTION become(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM set_config('app.tenant', $1, false); RETURN $1; END $$",
        "CREATE FUNCTION become_by_another(text) RETURNS text IMMUTABLE LANGUAGE sql AS"
            + " $$ SELECT become($1) $$",
        "CREATE FUNCTION become_as_well(text, text) RETURNS text IMMUTABLE LANGUAGE sql AS"
            + " $$ SELECT set_config($1, $2, false) $$",
        "CREATE OPERATOR ==> (LEFTARG = text, RIGHTARG = text, FUNCTION = become_as_well)",
        "CREATE TABLE made (name text, same text GENERATED ALWAYS AS (become(name)) STORED)",
        "CREATE TABLE found (name text)",
        "CREATE INDEX ON found (become(name))",
        "CREATE ROLE " + reader,
        "GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO " + reader);
  }

  @AfterEach
  void dropRole() throws SQLException {
    database.execute("DROP OWNED BY " + reader, "DROP ROLE " + reader);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT become('t2')",
        "SELECT become_by_another('t2')",
        "SELECT 'app.tenant'::text ==> 't2'::text",
        "EXPLAIN SELECT become('t2')",
        "INSERT INTO made (name) VALUES ('t2')",
        "INSERT INTO found VALUES ('t2')",
      })
  void tenantThatItSetsIsSeen(String sql) throws SQLException {
    try (Connection connection = LarderProbe.connect(database, "larder.admission=all")) {
      LarderProbe.run(connection, "SET ROLE " + reader);
      LarderProbe.run(connection, "SET app.tenant = 't1'");
      LarderProbe.fill(connection, OWN);
      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("1");

      LarderProbe.run(connection, sql);

      assertThat(LarderProbe.rows(connection, OWN)).containsExactly("2");
    }
  }
}
