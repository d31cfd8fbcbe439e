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
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The log names the statement because of which the server is asked for settings again and again.
 */
final class AskedOftenTest {
  private static final String OWN = "SELECT v FROM doc WHERE tenant = ";
  private static final int TRANSACTIONS = 300;

  private TestDatabase database;
  private LarderLog log;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA s0",
        "DO $$ BEGIN CREATE ROLE asked_often; EXCEPTION WHEN duplicate_object THEN END $$",
        "CREATE TABLE doc (tenant text, v text)",
        "INSERT INTO doc SELECT t, 'of ' || t FROM unnest(ARRAY['a', 'b']) t",
        "GRANT SELECT ON doc TO asked_often",
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

  /** Sets the tenant by {@code texts}, and then reads that tenant's rows. */
  private static void transactions(Connection connection, String... texts) throws SQLException {
    connection.setAutoCommit(texts[0].equals("BEGIN"));
    for (int i = 0; i < TRANSACTIONS; i++) {
      String tenant = i % 2 == 0 ? "a" : "b";
      try (Statement statement = connection.createStatement()) {
        for (String text : texts) {
          boolean unused = statement.execute(text.replace("?", "'" + tenant + "'"));
        }
      }
      assertThat(rows(connection, OWN + "'" + tenant + "'")).containsExactly("of " + tenant);
      run(connection, "COMMIT");
    }
    connection.setAutoCommit(true);
  }

  /** It is the cause that is named, not what was sent after it, nor what ended the transaction. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT enter(?)",
        "SELECT enter(?); SET LOCAL app.audit = 'secret'",
        "SET LOCAL app.audit = 'secret'; SELECT enter(?)"
      })
  void theStatementIsNamedWithoutItsConstants(String texts) throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      transactions(connection, texts.split("; "));
      transactions(connection, texts.split("; "));
      assertThat(count(connection, "setting_questions")).isGreaterThan(TRANSACTIONS);
    }
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("because of SELECT enter(", "set_config", "docs/tenants.md")
        .doesNotContain("'a'", "'b'", "secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT set_config('app.tenant', ?, true)",
        "SET LOCAL app.tenant = ?",
        "SET LOCAL ROLE asked_often; SET LOCAL app.tenant = ?",
        "SET LOCAL search_path TO public, s0; SELECT set_config('app.tenant', ?, true)",
        "SAVEPOINT s; SET LOCAL app.tenant = ?; ROLLBACK TO s; SET LOCAL app.tenant = ?",
        "BEGIN; SET LOCAL search_path TO public, s0"
      })
  void tenantsThatAreFollowedAreNoTrouble(String texts) throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      for (int catalogs = 0; catalogs < 2; catalogs++) {
        long questions = count(connection, "setting_questions");
        transactions(connection, texts.split("; "));
        assertThat(count(connection, "setting_questions") - questions).isLessThan(10);
        run(connection, "CREATE TABLE another_" + catalogs + " (v int)");
        LarderProbe.awaitCatalog(connection);
      }
      assertThat(hits(connection)).isGreaterThan(TRANSACTIONS * 9 / 5);
    }
    assertThat(lines()).isEmpty();
  }

  /** 2,000 transactions of each of five kinds, after the first of their connection. */
  @ParameterizedTest
  @CsvSource({
    "SELECT set_config('app.tenant'; ?; true), 0",
    "SET LOCAL app.tenant = ?, 0",
    "SET app.tenant = ?, 2",
    "SET LOCAL ROLE asked_often, 2",
    "SET LOCAL search_path TO public; s0, 2"
  })
  void nothingIsAskedAgain(String kind, int sent) throws SQLException {
    String text = kind.replace(';', ',');
    try (Connection connection = LarderProbe.connect(database);
        Connection other = database.connect()) {
      String pid = rows(connection, "SELECT pg_backend_pid()").get(0);
      String last = "SELECT state_change FROM pg_stat_activity WHERE pid = " + pid;
      transactions(connection, text);
      long questions = count(connection, "setting_questions");
      List<String> before = rows(other, last);
      connection.setAutoCommit(false);
      for (int i = 0; i < 2_000; i++) {
        String tenant = i % 2 == 0 ? "a" : "b";
        try (Statement statement = connection.createStatement()) {
          boolean unused = statement.execute(text.replace("?", "'" + tenant + "'"));
        }
        assertThat(rows(connection, OWN + "'" + tenant + "'")).containsExactly("of " + tenant);
        connection.commit();
      }
      if (sent == 0) {
        assertThat(rows(other, last)).isEqualTo(before);
      }
      assertThat(count(connection, "setting_questions")).isEqualTo(questions);
    }
  }

  @Test
  void tenantsAreHeldBackAgainAfterAChangeOfTheCatalog() throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      transactions(connection, "SET LOCAL app.tenant = ?");
      run(connection, "CREATE TABLE another (v int)");
      LarderProbe.awaitCatalog(connection);
      long held = count(connection, "held_back");
      assertThat(held).isGreaterThan(TRANSACTIONS * 9 / 10);
      transactions(connection, "SET LOCAL app.tenant = ?");
      assertThat(count(connection, "held_back") - held).isGreaterThan(TRANSACTIONS * 9 / 10);
    }
  }

  /** Each is asked for once, and then known. */
  @Test
  void schemasThatAreNewAreNoTrouble() throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        run(connection, "SET LOCAL search_path TO public, s" + i % 60);
        rows(connection, "SELECT count(*) FROM doc");
        connection.commit();
      }
      connection.setAutoCommit(true);
      assertThat(count(connection, "setting_questions")).isBetween(60L, 70L);
    }
    assertThat(lines()).isEmpty();
  }
}
