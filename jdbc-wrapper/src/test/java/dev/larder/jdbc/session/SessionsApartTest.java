package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.engine.Resolution;
import dev.larder.jdbc.ComparedSessions;
import dev.larder.jdbc.Hoarder;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.jdbc.statement.Plans;
import dev.larder.store.SessionFingerprint;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/** What one session fills answers another only where that would get the same from the server. */
@Tag("regression")
final class SessionsApartTest extends ComparedSessions {

  @Test
  void theAbbreviationsOfTimeZonesArePartOfTheSession() throws SQLException {
    String sql = "SELECT timestamptz '2020-01-01 00:00 EST' AT TIME ZONE 'UTC' FROM item";
    fill(one, sql);
    both("SET timezone_abbreviations = 'Australia'");
    assertSame(sql);
  }

  @Test
  void aSessionThatMayReadNoViewsReadsNone() throws SQLException {
    ddl("CREATE VIEW names AS SELECT name FROM item");
    fill(one, "SELECT name FROM names");
    both("SET restrict_nonsystem_relation_kind = 'view'");
    assertSame("SELECT name FROM names");
  }

  @Test
  void aSettingThatIsEmptyIsNotOneThatIsUnset() throws SQLException {
    policy("current_setting('app.tenant', true) IS NULL");
    fill(one, NAMES);
    both("SET app.tenant = ''");
    assertSame(NAMES);
  }

  @Test
  void aSettingThatAPolicyNeedsIsMissed() throws SQLException {
    policy("name <> current_setting('app.tenant')");
    run(one, "SET app.tenant = ''");
    fill(one, NAMES);
    assertSame(NAMES);
    assertSame(NAMES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log_context.tenant", "enable_context.tenant"})
  void aCustomSettingIsFollowedWhateverItsName(String setting) throws SQLException {
    policy("name = current_setting('" + setting + "', true)");
    both("SET " + setting + " = 'first'");
    fill(two, NAMES);
    both("SET " + setting + " = 'second'");
    assertSame(NAMES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET plpgsql.check_asserts = off; SET statement_timeout = 0",
        "SELECT set_config('plpgsql.check_asserts', 'off', false)"
      })
  void anAssertionThatOneSessionSkipsIsCheckedForAnother(String set) throws SQLException {
    ddl(
        "CREATE FUNCTION norm(x int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS"
            + " 'BEGIN ASSERT x > 1; RETURN x; END'");
    String sql = "SELECT norm(id) FROM item";
    run(one, set);
    fill(one, sql);
    assertSame(sql);
  }

  @Test
  void aSessionThatHasLoadedAnExtensionSharesItsEntries() throws SQLException {
    run(one, "DO 'BEGIN END'");
    fill(one, NAMES);
    assertThat(LarderProbe.isHit(two, NAMES)).isTrue();
  }

  @Test
  void customSettingsThatAreSetTogetherArePartOfTheSession() throws Exception {
    ddl(
        "CREATE FUNCTION tenant() RETURNS text LANGUAGE sql STABLE AS"
            + " $$ SELECT current_setting('app.tenant', true) $$");
    String sql = "SELECT name FROM item WHERE name = tenant()";
    two.close();
    two = LarderProbe.connect(database, "larder.functions.readOnly=tenant");
    both("SET app.tenant = 'first'; SET app.team = 'a'");
    fill(two, sql);
    two.close();
    two = LarderProbe.connect(database, "larder.functions.readOnly=tenant");
    both("SET app.tenant = 'second'; SET app.team = 'a'");
    assertSame(sql);
  }

  @Test
  void aNoticeThatOneSessionDoesNotWantIsGivenToAnother() throws SQLException {
    String sql = "SELECT name FROM item WHERE to_tsvector(name) @@ to_tsquery('english', 'the')";
    run(one, "SET client_min_messages = error");
    fill(one, sql);
    assertThat(warning(two, sql)).isEqualTo(warning(bare, sql));
  }

  private static String warning(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery(sql);
      SQLWarning warning = statement.getWarnings();
      return String.valueOf(warning);
    }
  }

  @Test
  void aSettingThatARollbackLeavesEmptyIsNotUnset() throws SQLException {
    policy("current_setting('app.tenant', true) IS NULL");
    fill(two, NAMES);
    for (Connection each : new Connection[] {two, bare}) {
      each.setAutoCommit(false);
      run(each, "SET app.tenant = 'x'");
      each.rollback();
      each.setAutoCommit(true);
    }
    assertSame(NAMES);
  }

  @Test
  void aConnectionsOwnTimeToLiveHoldsForWhatAnotherHasRead() throws Exception {
    try (Connection strict = LarderProbe.connect(database, "larder.timeToLive=50ms")) {
      fill(one, NAME);
      database.execute("UPDATE item SET name = 'outside' WHERE id = 1");
      Waiting.pass(Duration.ofMillis(100));
      assertThat(rows(strict, NAME)).containsExactly("outside");
    }
  }

  @Test
  void aMembershipThatIsRevokedThroughAnotherDatabaseIsGone() throws SQLException {
    role = database.name() + "_role";
    String group = role + "_group";
    try (TestDatabase other = TestDatabase.create();
        Connection admin = LarderProbe.connect(other)) {
      ddl(
          "CREATE ROLE " + role,
          "CREATE ROLE " + group + " ROLE " + role,
          "GRANT SELECT ON item TO " + group);
      both("SET ROLE " + role);
      fill(two, NAME);
      run(admin, "REVOKE " + group + " FROM " + role);
      assertSame(NAME);
    } finally {
      run(bare, "RESET ROLE", "DROP OWNED BY " + group, "DROP ROLE " + group);
    }
  }

  @Test
  void whatAStatementMeansIsFoundOutOnceForSessionsOfAllRoles() throws SQLException {
    policy("true");
    run(one, "RESET ROLE");
    Resolution first = resolution(one);
    assertThat(resolution(two)).isNotNull().isSameAs(first);
    assertThat(resolution(one)).isSameAs(first);
    run(two, "SET search_path = pg_catalog");
    assertThat(resolution(two)).isNotSameAs(first);
  }

  /** Returns what the names mean for the session, as its last lookup left it. */
  private static Resolution resolution(Connection connection) throws SQLException {
    LarderProbe.awaitCatalog(connection);
    CachingConnection caching = connection.unwrap(CachingConnection.class);
    PhysicalConnection physical = caching.physical();
    SessionFingerprint settings = Objects.requireNonNull(physical.settings());
    return physical.cache().resolutions().resolve(Plans.of(caching, NAME), settings);
  }

  @Test
  void aReloadOfTheConfigurationReachesTheOtherSessions() throws Exception {
    String sql = "SELECT '\\x41'::bytea::text FROM item";
    try {
      ddl("ALTER SYSTEM SET bytea_output = 'escape'");
      fill(two, sql);
      run(one, "SELECT pg_reload_conf()");
      Waiting.until("the configuration is read", () -> !outcome(bare, sql).contains("x41"));
      assertSame(sql);
    } finally {
      run(one, "ALTER SYSTEM RESET bytea_output", "SELECT pg_reload_conf()");
    }
  }

  @Test
  void aDatabaseThatWasMadeAgainIsAnotherOne() throws SQLException {
    String name = database.name() + "_again";
    String create = "CREATE DATABASE " + name + " TEMPLATE " + database.name() + " OID = 77777";
    String drop = "DROP DATABASE " + name + " WITH (FORCE)";
    String url = database.larderUrl("larder.writers=this-jvm").replace(database.name(), name);
    try (TestDatabase elsewhere = TestDatabase.create();
        Connection admin = elsewhere.connect()) {
      leaveDatabase();
      run(admin, create);
      try (Connection connection = DriverManager.getConnection(url)) {
        LarderProbe.awaitCatalog(connection);
        run(connection, "UPDATE item SET name = 'changed'");
        fill(connection, NAME);
      }
      run(admin, drop, create);
      try (Connection connection = DriverManager.getConnection(url)) {
        assertThat(rows(connection, NAME)).containsExactly("first");
      }
      run(admin, drop);
    }
    bare = database.connect();
  }

  /** Closes every session of the database, Larder's own included. */
  private void leaveDatabase() throws SQLException {
    one.close();
    two.close();
    run(
        bare,
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    bare.close();
  }

  @Test
  void aDatabaseThatNobodyUsesCanBeCopied() throws SQLException {
    String copy = database.name() + "_copy";
    try (TestDatabase elsewhere = TestDatabase.create();
        Connection admin = elsewhere.connect()) {
      fill(one, NAME);
      one.close();
      two.close();
      bare.close();
      try {
        run(admin, "CREATE DATABASE " + copy + " TEMPLATE " + database.name());
        run(admin, "DROP DATABASE " + copy);
      } finally {
        bare = database.connect();
      }
    }
  }

  @Test
  void allConnectionsThatARoleMayHaveAreTheApplications() throws SQLException {
    role = database.name() + "_role";
    run(
        bare,
        "CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 2",
        "GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() TO " + role);
    try (TestDatabase other = TestDatabase.create()) {
      String url = other.larderUrl().replace("user=postgres", "user=" + role);
      try (Connection first = DriverManager.getConnection(url)) {
        LarderProbe.awaitCatalog(first);
        try (Connection second = DriverManager.getConnection(url)) {
          assertThat(outcome(second, "SELECT 1")).isEqualTo("[1]");
        }
      }
    }
  }

  @Test
  void aResultThatIsTooLargeForTheDriverIsRefused() throws SQLException {
    String sql = "SELECT repeat('x', 30000) FROM item";
    String option = "maxResultBuffer=100";
    fill(one, sql);
    try (Connection cached = LarderProbe.connect(database, option);
        Connection live = new Driver().connect(database.url() + '&' + option, new Properties())) {
      assertThat(outcome(cached, sql)).isEqualTo(outcome(live, sql));
    }
  }

  @Test
  void theResultSetOfACursorLeadsToTheConnection() throws SQLException {
    two.setAutoCommit(false);
    run(two, "DECLARE c CURSOR FOR SELECT name FROM item");
    try (Statement statement = two.createStatement();
        ResultSet row = statement.executeQuery("SELECT 'c'::refcursor")) {
      row.next();
      ResultSet cursor = (ResultSet) row.getObject(1);
      assertThat(cursor.getStatement().getConnection()).isSameAs(two);
    }
  }

  @Test
  void typesThatOneConnectionReceivesInBinary() throws SQLException {
    run(bare, "ALTER TABLE item ADD address macaddr DEFAULT '08:00:2b:01:02:03'");
    String address = "SELECT address FROM item WHERE id = 1";
    String binary = "prepareThreshold=-1";
    String enabled = "binaryTransferEnable=829";
    try (Connection reader = LarderProbe.connect(database, binary);
        Connection registered = LarderProbe.connect(database, binary);
        Connection other = LarderProbe.connect(database, binary, enabled)) {
      run(reader, "COMMENT ON TABLE item IS 'read the catalog again'");
      LarderProbe.awaitCatalog(reader);
      registered.unwrap(PGConnection.class).addDataType("macaddr", Hoarder.class);
      for (Connection connection : new Connection[] {registered, other}) {
        for (int i = 0; i < 3; i++) {
          try (PreparedStatement statement = connection.prepareStatement(address);
              ResultSet row = statement.executeQuery()) {
            assertThat(row.next()).isTrue();
            assertThat(row.getBytes(1)).hasSize(6);
          }
        }
      }
      long hits = LarderProbe.hits(reader);
      for (int i = 0; i < 3; i++) {
        try (PreparedStatement statement = reader.prepareStatement(address)) {
          assertThat(rows(statement.executeQuery())).containsExactly("08:00:2b:01:02:03");
        }
      }
      assertThat(LarderProbe.hits(reader)).isGreaterThan(hits);
    }
  }
}
