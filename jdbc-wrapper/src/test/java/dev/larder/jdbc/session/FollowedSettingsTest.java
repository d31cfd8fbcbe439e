package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.CountingSocketFactory;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A tenant, role or schema that each transaction sets for itself, by {@code set_config(?, ?, true)}
 * and otherwise: it is followed and not asked for, and nobody gets another tenant's rows. More of
 * it is in {@code set-config.txt}.
 */
final class FollowedSettingsTest {
  private static final String READ = "SELECT v FROM doc";
  private static final String[] TENANTS = {"3f25f48a", "b", "007"};

  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE doc (tenant text, v text)",
        "INSERT INTO doc SELECT t, 'of ' || t FROM unnest(ARRAY['3f25f48a', 'b', '007', '7']) t",
        "CREATE SCHEMA s1",
        "DROP ROLE IF EXISTS followed",
        "CREATE ROLE followed",
        "GRANT SELECT ON doc TO followed",
        "CREATE VIEW own AS SELECT v FROM doc WHERE tenant = current_setting('app.tenant', true)",
        "GRANT SELECT ON own TO followed");
  }

  private static Connection connect(String... parameters) throws SQLException {
    String[] all = new String[parameters.length + 2];
    all[0] = CountingSocketFactory.PARAMETER;
    all[1] = "larder.holdBack=off";
    System.arraycopy(parameters, 0, all, 2, parameters.length);
    return LarderProbe.connect(database, all);
  }

  /** Sets the tenant and reads its rows in a transaction. */
  private static String read(Connection connection, PreparedStatement set, String tenant)
      throws SQLException {
    set.setString(1, tenant);
    set.executeQuery().close();
    try (PreparedStatement read = connection.prepareStatement("SELECT v FROM own");
        ResultSet rows = read.executeQuery()) {
      String found = rows.next() ? rows.getString(1) : "";
      connection.commit();
      return found;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT set_config('app.tenant', ?, true)",
        "select pg_catalog.set_config('App.Tenant', ?::text, true) as tenant",
        "SELECT set_config('app.other', 'x', false), set_config('app.tenant', ?, true)"
      })
  void nothingIsAskedOnceTheNameIsKnown(String sql) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement set = connection.prepareStatement(sql)) {
      fill(connection, READ);
      connection.setAutoCommit(false);
      for (int i = 0; i < 30; i++) {
        String tenant = TENANTS[i % 3];
        assertThat(read(connection, set, tenant)).isEqualTo("of " + tenant);
      }
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      long before = requests.get();
      long hitsBefore = hits(connection);
      for (int i = 0; i < 30; i++) {
        String tenant = TENANTS[i % 3];
        assertThat(read(connection, set, tenant)).isEqualTo("of " + tenant);
      }
      // BEGIN goes with set_config; then there is the commit.
      assertThat(requests.get() - before).isEqualTo(60);
      assertThat(hits(connection) - hitsBefore).isEqualTo(30);
    }
  }

  /** Whatever a transaction sets for itself, a connection asks at most in its first ones. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET LOCAL app.tenant = 'b'",
        "SET LOCAL app.tenant = '007'",
        "SET LOCAL ROLE followed",
        "SET LOCAL ROLE NONE",
        "SELECT set_config('role', 'followed', true)",
        "SET LOCAL search_path TO public, s1",
        "SET LOCAL search_path = s1, \"$user\", 'public'",
        "SELECT set_config('search_path', 'public, s1', true)",
        "SET LOCAL TIME ZONE 'Asia/Kathmandu'"
      })
  void nothingIsAskedAfterTheFirstTransactions(String set) throws SQLException {
    try (Connection connection = connect()) {
      fill(connection, READ);
      connection.setAutoCommit(false);
      for (int i = 0; i < 4; i++) {
        readAfter(connection, set);
      }
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      long before = requests.get();
      long hitsBefore = hits(connection);
      for (int i = 0; i < 10; i++) {
        readAfter(connection, set);
      }
      assertThat(requests.get() - before).isEqualTo(20);
      assertThat(hits(connection) - hitsBefore).isEqualTo(10);
    }
  }

  private static void readAfter(Connection connection, String set) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(set);
    }
    LarderProbe.rows(connection, "SELECT v FROM own");
    connection.commit();
  }

  /** The driver sends a blank, and the server takes it away from a value of type char. */
  @Test
  void valueThatTheServerCutsIsAskedFor() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement set =
            connection.prepareStatement("SELECT set_config('app.tenant', ?, false)")) {
      fill(connection, READ);
      for (int i = 0; i < 20; i++) {
        set.setObject(1, TENANTS[i % 2] + " ", Types.CHAR);
        set.executeQuery().close();
        assertThat(LarderProbe.rows(connection, "SELECT v FROM own"))
            .containsExactly("of " + TENANTS[i % 2]);
      }
    }
  }

  @Test
  void nullMeansTheDefault() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement set =
            connection.prepareStatement("SELECT set_config('app.tenant', ?, false)")) {
      fill(connection, READ);
      for (int i = 0; i < 20; i++) {
        set.setString(1, i % 2 == 0 ? "b" : null);
        set.executeQuery().close();
        assertThat(LarderProbe.rows(connection, "SELECT v FROM own")).hasSize(1 - i % 2);
      }
    }
  }
}
