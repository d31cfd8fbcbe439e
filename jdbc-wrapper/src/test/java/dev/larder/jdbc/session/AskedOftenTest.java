package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.count;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The log names the statement because of which the server is asked for settings again and again.
 */
final class AskedOftenTest {
  private static final String OWN = "SELECT v FROM doc WHERE tenant = ";
  private static final int TRANSACTIONS = 1_200;

  private TestDatabase database;
  private LarderLog log;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA s0",
        "CREATE SCHEMA s1",
        "CREATE TABLE doc (tenant text, v text)",
        "INSERT INTO doc SELECT t, 'of ' || t FROM unnest(ARRAY['a', 'b']) t",
        "CREATE FUNCTION enter(tenant text) RETURNS void LANGUAGE plpgsql STABLE AS"
            + " $$ BEGIN PERFORM set_config('app' || '.tenant', tenant, true); END $$");
    log = LarderLog.open();
  }

  @AfterEach
  void close() throws SQLException {
    log.close();
    database.close();
  }

  private List<String> lines() {
    return log.messages().stream().filter(text -> text.startsWith("LRD-048")).toList();
  }

  /** Sets the tenant by {@code sql}, and then reads that tenant's rows. */
  private static void transactions(Connection connection, String sql) throws SQLException {
    connection.setAutoCommit(false);
    for (int i = 0; i < TRANSACTIONS; i++) {
      String tenant = i % 2 == 0 ? "a" : "b";
      rows(connection, sql.replace("?", "'" + tenant + "'"));
      assertThat(rows(connection, OWN + "'" + tenant + "'")).containsExactly("of " + tenant);
      connection.commit();
    }
    connection.setAutoCommit(true);
  }

  @Test
  void theStatementIsNamedWithoutItsConstants() throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      transactions(connection, "SELECT enter(?)");
      assertThat(count(connection, "setting_questions")).isGreaterThan(TRANSACTIONS / 2);
    }
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("SELECT enter(", "set_config", "docs/tenants.md")
        .doesNotContain("'a'", "'b'");
  }

  @Test
  void tenantsThatAreFollowedAreNoTrouble() throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      transactions(connection, "SELECT set_config('app.tenant', ?, true)");
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        run(connection, "SET LOCAL search_path TO public, s" + i % 2);
        rows(connection, "SELECT count(*) FROM doc");
        connection.commit();
      }
      connection.setAutoCommit(true);
      assertThat(hits(connection)).isGreaterThan(TRANSACTIONS * 9 / 5);
    }
    assertThat(lines()).isEmpty();
  }
}
