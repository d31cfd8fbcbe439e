package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No row crosses: whatever makes two sessions different, the one gets from a cache that the other
 * has filled what it would get from the server, and that the sessions differ is checked by asking
 * the server. All sessions use a cache of one name. What each of these depends on in detail is in
 * {@link SessionKeyTest}, {@link RowSecurityTest}, {@link SessionsApartTest}, {@link
 * SearchPathTest} and {@code ServersInBetweenTest}; that nothing secret is shown, in {@code
 * LogTest}.
 */
@Tag("each-server")
final class SecurityMatrixTest {
  private static TestDatabase database;
  private static TestDatabase other;
  private static String ann;
  private static String bob;

  /** What makes two sessions different, and a query whose answer depends on it. */
  private enum Difference {
    TWO_USERS("user=%ann", "user=%bob", "SELECT title FROM document"),
    SET_ROLE("SET ROLE %ann", "SET ROLE %bob", "SELECT title FROM document"),
    SET_ROLE_AND_NONE("", "SET ROLE %bob", "SELECT title FROM document"),
    SESSION_AUTHORIZATION(
        "SET SESSION AUTHORIZATION %ann",
        "SET SESSION AUTHORIZATION %bob", "SELECT title FROM document"),
    ROLE_OF_THE_URL(
        "options=-c%20role%3D%ann", "options=-c%20role%3D%bob", "SELECT title FROM document"),
    POLICY_BY_SETTING(
        "SET ROLE %ann; SET app.tenant = 'x'",
        "SET ROLE %ann; SET app.tenant = 'y'", "SELECT title FROM tenant_document"),
    POLICY_BY_SETTING_THAT_ONE_LACKS(
        "SET ROLE %ann; SET app.tenant = 'x'",
        "SET ROLE %ann", "SELECT title FROM tenant_document"),
    POLICY_BY_SETTING_OF_THE_TRANSACTION(
        "SET ROLE %ann; SET app.tenant = 'x'",
        "SET ROLE %ann; BEGIN; SET LOCAL app.tenant = 'y'", "SELECT title FROM tenant_document"),
    ROW_SECURITY_OFF(
        "SET ROLE %ann", "SET ROLE %ann; SET row_security = off", "SELECT title FROM document"),
    VIEW_OF_THE_OWNER("SET ROLE %ann", "SET ROLE %bob", "SELECT title FROM owners_view"),
    VIEW_OF_THE_INVOKER("SET ROLE %ann", "SET ROLE %bob", "SELECT title FROM invokers_view"),
    SECURITY_DEFINER("SET ROLE %ann", "SET ROLE %bob", "SELECT title FROM definers()"),
    TABLE_THAT_ONE_MAY_NOT_READ("SET ROLE %ann", "SET ROLE %bob", "SELECT title FROM anns"),
    COLUMN_THAT_ONE_MAY_NOT_READ("SET ROLE %ann", "SET ROLE %bob", "SELECT secret FROM columns"),
    SCHEMA_THAT_ONE_MAY_NOT_USE("SET ROLE %ann", "SET ROLE %bob", "SELECT name FROM a.item"),
    FUNCTION_THAT_ONE_MAY_NOT_CALL(
        "SET ROLE %ann", "SET ROLE %bob", "SELECT anns_function(1), count(*) FROM item"),
    SEARCH_PATH("SET search_path = a", "SET search_path = b", "SELECT name FROM item"),
    SEARCH_PATH_WITH_A_USER(
        "SET search_path = \"$user\", public; SET ROLE %ann",
        "SET search_path = \"$user\", public; SET ROLE %bob", "SELECT name FROM item");

    private final String first;
    private final String second;
    private final String query;

    Difference(String first, String second, String query) {
      this.first = first;
      this.second = second;
      this.query = query;
    }

    /** Whether the answer is one that may be cached at all. */
    boolean isCached() {
      return this != SECURITY_DEFINER;
    }

    /** Whether the sessions get different answers at all. */
    boolean differs() {
      return this != VIEW_OF_THE_OWNER && this != SECURITY_DEFINER;
    }
  }

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    other = TestDatabase.create();
    ann = database.name() + "_ann";
    bob = database.name() + "_bob";
    database.execute(
        "CREATE ROLE " + ann + " LOGIN",
        "CREATE ROLE " + bob + " LOGIN",
        "CREATE TABLE document (title text, owner text)",
        "INSERT INTO document VALUES ('of ann', '" + ann + "'), ('of bob', '" + bob + "')",
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON document USING (owner = current_user)",
        "CREATE TABLE tenant_document (title text, tenant text)",
        "INSERT INTO tenant_document VALUES ('of x', 'x'), ('of y', 'y')",
        "ALTER TABLE tenant_document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON tenant_document USING (tenant = current_setting('app.tenant', true))",
        "CREATE VIEW owners_view AS SELECT title FROM document",
        "CREATE VIEW invokers_view WITH (security_invoker) AS SELECT title FROM document",
        "CREATE FUNCTION definers() RETURNS SETOF document LANGUAGE sql STABLE SECURITY DEFINER"
            + " AS 'SELECT * FROM document'",
        "CREATE TABLE anns (title text)",
        "INSERT INTO anns VALUES ('for ann')",
        "CREATE TABLE columns (open text, secret text)",
        "INSERT INTO columns VALUES ('open', 'for ann')",
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('public')",
        "CREATE FUNCTION anns_function(i int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT i'",
        "REVOKE ALL ON FUNCTION anns_function FROM PUBLIC",
        "GRANT EXECUTE ON FUNCTION anns_function TO " + ann,
        "GRANT SELECT ON document, tenant_document, owners_view, invokers_view, item TO PUBLIC",
        "GRANT SELECT ON anns, columns TO " + ann,
        "GRANT SELECT (open) ON columns TO " + bob);
    for (String schema : List.of("a", "b", ann, bob)) {
      database.execute(
          "CREATE SCHEMA " + schema,
          "CREATE TABLE " + schema + ".item (name text)",
          "INSERT INTO " + schema + ".item VALUES ('of schema " + schema + "')",
          "GRANT SELECT ON " + schema + ".item TO PUBLIC");
    }
    database.execute(
        "GRANT USAGE ON SCHEMA a, " + ann + " TO " + ann,
        "GRANT USAGE ON SCHEMA " + bob + " TO " + bob);
    other.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('elsewhere')");
  }

  @AfterAll
  static void drop() throws SQLException {
    for (String role : List.of(ann, bob)) {
      database.execute("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
    }
    database.close();
    other.close();
  }

  private static String named(String text) {
    return text.replace("%ann", ann).replace("%bob", bob);
  }

  /** Opens a session: its difference is an option of the URL, or statements. */
  private static Connection open(String url, String difference) throws SQLException {
    String made = named(difference);
    boolean option = !made.isEmpty() && !made.startsWith("SET");
    String base = option && made.startsWith("user=") ? url.replace("user=postgres", made) : url;
    Connection connection =
        DriverManager.getConnection(option && base.equals(url) ? url + "&" + made : base);
    if (!option) {
      for (String sql : made.split(";")) {
        if (!sql.isBlank()) {
          run(connection, sql);
        }
      }
    }
    return connection;
  }

  private static String larder(TestDatabase of) {
    return of.larderUrl("larder.writers=this-jvm", "larder.name=matrix");
  }

  private static String outcome(Connection connection, String sql) {
    try {
      return rows(connection, sql).toString();
    } catch (SQLException e) {
      return "refused with " + e.getSQLState();
    }
  }

  /** Puts the answer into the cache where it is one that is kept, and sees that it is the same. */
  private static void fillAndHit(Connection connection, String sql, String live)
      throws SQLException {
    LarderProbe.awaitCatalog(connection);
    fill(connection, sql);
    long before = hits(connection);
    assertThat(outcome(connection, sql)).isEqualTo(live);
    assertThat(hits(connection)).as("hits").isEqualTo(before + 1);
  }

  @ParameterizedTest
  @EnumSource
  void noRowCrosses(Difference difference) throws SQLException {
    String sql = difference.query;
    String liveFirst;
    String liveSecond;
    try (Connection first = open(database.url(), difference.first);
        Connection second = open(database.url(), difference.second)) {
      liveFirst = outcome(first, sql);
      liveSecond = outcome(second, sql);
    }
    assertThat(liveFirst).as("the answer that is cached").startsWith("[");
    if (difference.differs()) {
      assertThat(liveSecond).isNotEqualTo(liveFirst);
    }
    try (Connection first = open(larder(database), difference.first);
        Connection second = open(larder(database), difference.second)) {
      LarderProbe.awaitCatalog(first);
      if (difference.isCached()) {
        fillAndHit(first, sql, liveFirst);
      }
      assertThat(outcome(second, sql)).isEqualTo(liveSecond);
      assertThat(outcome(second, sql)).isEqualTo(liveSecond);
      if (difference.isCached() && liveSecond.startsWith("[")) {
        fillAndHit(second, sql, liveSecond);
      }
      assertThat(outcome(first, sql)).isEqualTo(liveFirst);
    }
  }

  @Test
  void twoDatabasesOfOneName() throws SQLException {
    try (Connection here = open(larder(database), "");
        Connection there = open(larder(other), "")) {
      fillAndHit(here, "SELECT name FROM item", "[public]");
      assertThat(outcome(there, "SELECT name FROM item")).isEqualTo("[elsewhere]");
      fillAndHit(there, "SELECT name FROM item", "[elsewhere]");
      fillAndHit(here, "SELECT name FROM item", "[public]");
    }
  }

  /** Two servers with a database, a user and object identifiers alike. */
  @Test
  void twoServers() throws Exception {
    try (TestServer left = TestServer.start();
        TestServer right = TestServer.start()) {
      for (TestServer server : List.of(left, right)) {
        try (Connection past = DriverManager.getConnection(url(server, "jdbc:"))) {
          run(
              past,
              "CREATE TABLE item (name text)",
              "INSERT INTO item VALUES ('" + (server == left ? "left" : "right") + "')");
        }
      }
      try (Connection first = DriverManager.getConnection(url(left, "jdbc:larder:"));
          Connection second = DriverManager.getConnection(url(right, "jdbc:larder:"))) {
        assertThat(rows(first, "SELECT 'item'::regclass::oid"))
            .isEqualTo(rows(second, "SELECT 'item'::regclass::oid"));
        fillAndHit(first, "SELECT name FROM item", "[left]");
        assertThat(outcome(second, "SELECT name FROM item")).isEqualTo("[right]");
        fillAndHit(second, "SELECT name FROM item", "[right]");
        run(first, "UPDATE item SET name = 'left anew'");
        fillAndHit(second, "SELECT name FROM item", "[right]");
        fillAndHit(first, "SELECT name FROM item", "[left anew]");
      }
    }
  }

  private static String url(TestServer server, String prefix) {
    String url = prefix + "postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres";
    return prefix.contains("larder") ? url + "&larder.writers=this-jvm&larder.name=matrix" : url;
  }

  @Test
  void whatIsRevokedThroughLarderIsGoneAtOnce() throws SQLException {
    String sql = "SELECT title FROM anns";
    try (Connection reader = open(larder(database), "user=%ann");
        Connection admin = open(larder(database), "")) {
      fillAndHit(reader, sql, "[for ann]");
      run(admin, "REVOKE SELECT ON anns FROM " + ann);
      assertThat(outcome(reader, sql)).isEqualTo("refused with 42501");
      LarderProbe.awaitCatalog(reader);
      assertThat(outcome(reader, sql)).isEqualTo("refused with 42501");
      run(admin, "GRANT SELECT ON anns TO " + ann);
      fillAndHit(reader, sql, "[for ann]");
    }
  }
}
