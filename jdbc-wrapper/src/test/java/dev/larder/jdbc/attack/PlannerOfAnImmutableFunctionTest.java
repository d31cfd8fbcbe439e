package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server puts the value of a function that is declared IMMUTABLE into the plan that a session
 * keeps. If the function reads the tenant or the role after all, that session goes on with the
 * value of before. No other session gets such rows: it has no such plan.
 */
@Tag("regression")
final class PlannerOfAnImmutableFunctionTest {
  private static final String OWN = "SELECT v FROM t ORDER BY v";
  private static final String MINE = "SELECT v FROM t WHERE tenant = me() ORDER BY v";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "DO $$ BEGIN CREATE ROLE larder_one LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
        "DO $$ BEGIN CREATE ROLE larder_two LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
        "GRANT larder_two TO larder_one",
        "CREATE TABLE t (v int PRIMARY KEY, tenant text)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'larder_one'), (4, 'larder_two')",
        "GRANT SELECT ON t TO larder_one, larder_two",
        "CREATE FUNCTION inner_one() RETURNS text IMMUTABLE LANGUAGE sql"
            + " AS $$ SELECT current_setting('app.tenant', true) $$",
        "CREATE FUNCTION me() RETURNS text IMMUTABLE LANGUAGE sql"
            + " AS $$ SELECT current_user::text $$");
  }

  private Connection connect() throws SQLException {
    Connection connection =
        database.connectThroughLarder(
            "larder.writers=this-jvm", "larder.admission=all", "prepareThreshold=1");
    LarderProbe.awaitCatalog(connection);
    LarderProbe.run(connection, "SET SESSION AUTHORIZATION larder_one");
    connection.setAutoCommit(false);
    return connection;
  }

  /** Runs {@code set} for a transaction, and returns what that reads. */
  private static List<String> read(
      Connection connection, String set, String query, boolean prepared) throws SQLException {
    LarderProbe.run(connection, set);
    List<String> rows;
    if (prepared) {
      try (PreparedStatement statement = connection.prepareStatement(query);
          ResultSet result = statement.executeQuery()) {
        rows = LarderProbe.rows(result);
      }
    } else {
      rows = LarderProbe.rows(connection, query);
    }
    connection.commit();
    return rows;
  }

  private void assertApart(String first, String second, String query, boolean prepared, String rows)
      throws SQLException {
    try (Connection planned = connect();
        Connection other = connect()) {
      for (int round = 0; round < 3; round++) {
        read(planned, first, query, prepared);
        read(planned, second, query, prepared);
      }
      assertThat(read(other, second, query, prepared)).containsExactly(rows);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LANGUAGE sql AS $$ SELECT current_setting('app.tenant', true) $$",
        "LANGUAGE plpgsql AS $$ BEGIN RETURN current_setting('app.tenant', true); END $$"
      })
  void aPreparedPlanHasTheTenantOfBefore(String body) throws SQLException {
    assertTenantsApart(body, true);
  }

  @Test
  void aBodyHasTheTenantOfBefore() throws SQLException {
    assertTenantsApart("LANGUAGE plpgsql AS $$ BEGIN RETURN inner_one(); END $$", false);
  }

  private void assertTenantsApart(String body, boolean prepared) throws SQLException {
    database.execute(
        "CREATE FUNCTION tenant() RETURNS text IMMUTABLE " + body,
        "ALTER TABLE t ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON t USING (tenant = tenant())");
    assertApart(
        "SELECT set_config('app.tenant', 'a', true)",
        "SELECT set_config('app.tenant', 'b', true)",
        OWN,
        prepared,
        "2");
  }

  @Test
  void aPreparedPlanHasTheRoleOfBefore() throws SQLException {
    assertApart("SET LOCAL ROLE larder_one", "SET LOCAL ROLE larder_two", MINE, true, "4");
  }
}
