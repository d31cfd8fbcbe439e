package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tenants are kept apart where no text shows that their setting is read, or that it was set. */
@Tag("each-server")
@Tag("regression")
final class SettingsReadUnseenTest {
  private static final String ITEMS = "SELECT name FROM item ORDER BY name";
  private static final String OPERATOR =
      "CREATE OPERATOR ## (FUNCTION = current_setting, RIGHTARG = text)";
  private static final String AGGREGATE =
      "CREATE AGGREGATE shown(bool) (SFUNC = current_setting, STYPE = text, INITCOND = 'app.x')";
  private static final String TELL =
      "CREATE FUNCTION tell() RETURNS text LANGUAGE sql IMMUTABLE AS"
          + " $$ SELECT current_setting('app.x', true) $$";

  private TestDatabase database;
  private String role;

  /** How a setting is read: what is made for it, and the tenant by it. */
  record Reader(String name, String tenant, String... made) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    role = database.name() + "_reader";
    database.execute(
        "CREATE ROLE " + role,
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('a'), ('b')",
        "CREATE FUNCTION enter(tenant text) RETURNS void LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM set_config('app.x', tenant, false); END $$",
        "GRANT SELECT ON item TO " + role);
  }

  @AfterEach
  void drop() throws SQLException {
    database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    database.close();
  }

  private static String immutable(String body) {
    return "CREATE FUNCTION mine() RETURNS text IMMUTABLE LANGUAGE sql AS $$ " + body + " $$";
  }

  /** The server's own current_setting has another name, and no body has it. */
  static Stream<Reader> underAnotherName() {
    return Stream.of(
        new Reader("operator of a function", "mine()", OPERATOR, immutable("SELECT ## 'app.x'")),
        new Reader("aggregate of a function", "mine()", AGGREGATE, immutable("SELECT shown(true)")),
        new Reader(
            "operator of a declared function",
            "(SELECT told())",
            OPERATOR,
            "CREATE FUNCTION told() RETURNS text STABLE LANGUAGE sql AS $$ SELECT ## 'app.x' $$"),
        new Reader(
            "declared aggregate", "(SELECT told(true))", AGGREGATE.replace("shown", "told")));
  }

  @ParameterizedTest
  @MethodSource("underAnotherName")
  void currentSettingUnderAnotherNameKeepsSessionsApart(Reader reader) throws SQLException {
    database.execute(reader.made());
    String query = "SELECT name FROM item WHERE name = " + reader.tenant();
    try (Connection one = connect();
        Connection two = connect()) {
      run(one, "SET app.x = 'a'");
      run(two, "SET app.x = 'b'");
      areApart(one, two, query);
    }
  }

  /** A body in standard SQL, or what runs without being named. */
  static Stream<Reader> unnamed() {
    return Stream.of(
        new Reader(
            "standard SQL",
            "mine()",
            "CREATE FUNCTION mine() RETURNS text IMMUTABLE RETURN current_setting('app.x', true)"),
        new Reader(
            "default of a parameter",
            "mine()",
            "CREATE FUNCTION same(v text DEFAULT current_setting('app.x', true)) RETURNS text"
                + " LANGUAGE sql IMMUTABLE AS $$ SELECT v $$",
            immutable("SELECT same()")),
        new Reader(
            "cast",
            "mine()",
            TELL,
            "CREATE TYPE kept AS ENUM ('p')",
            "CREATE FUNCTION cast_kept(kept) RETURNS text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT tell() $$",
            "CREATE CAST (kept AS text) WITH FUNCTION cast_kept(kept)",
            immutable("SELECT ('p'::kept)::text")),
        new Reader(
            "operator",
            "mine()",
            TELL,
            "CREATE FUNCTION chosen(text) RETURNS text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT tell() $$",
            "CREATE OPERATOR %% (FUNCTION = chosen, RIGHTARG = text)",
            immutable("SELECT %% ''::text")));
  }

  @ParameterizedTest
  @MethodSource("unnamed")
  void tenantsWhomAFunctionHasSetAreApart(Reader reader) throws SQLException {
    policy(reader);
    try (Connection one = connect();
        Connection two = connect()) {
      run(one, "SELECT enter('a')", "SET ROLE " + role);
      run(two, "SELECT enter('b')", "SET ROLE " + role);
      areApart(one, two, ITEMS);
    }
  }

  @ParameterizedTest
  @MethodSource("unnamed")
  void tenantsOfTwoUrlsAreApart(Reader reader) throws SQLException {
    policy(reader);
    try (Connection one = connect("options=-c%20app.x%3Da");
        Connection two = connect("options=-c%20app.x%3Db")) {
      run(one, "SET ROLE " + role);
      run(two, "SET ROLE " + role);
      areApart(one, two, ITEMS);
    }
  }

  @Test
  void tenantsOfADeclaredFunctionThatReadsByAPolicyAreApart() throws SQLException {
    policy(new Reader("literal", "current_setting('app.x', true)"));
    database.execute(
        "CREATE TABLE note AS SELECT 1 AS id",
        "GRANT SELECT ON note TO " + role,
        "CREATE FUNCTION told() RETURNS text STABLE LANGUAGE sql AS $$ SELECT name FROM item $$");
    try (Connection one = connect();
        Connection two = connect()) {
      run(one, "SELECT enter('a')", "SET ROLE " + role);
      run(two, "SELECT enter('b')", "SET ROLE " + role);
      areApart(one, two, "SELECT told() FROM note");
    }
  }

  private void policy(Reader reader) throws SQLException {
    try (Connection plain = database.connect()) {
      boolean standard = Stream.of(reader.made()).anyMatch(sql -> sql.contains("IMMUTABLE RETURN"));
      assumeTrue(!standard || plain.getMetaData().getDatabaseMajorVersion() >= 14);
    }
    database.execute(reader.made());
    database.execute(
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON item USING (name = " + reader.tenant() + ")");
  }

  private Connection connect(String... parameters) throws SQLException {
    return LarderProbe.connect(
        database,
        Stream.concat(Stream.of("larder.functions.readOnly=told"), Stream.of(parameters))
            .toArray(String[]::new));
  }

  /** Whether it is cached is left open: where it is, each has its own. */
  private static void areApart(Connection one, Connection two, String query) throws SQLException {
    long before = hits(one);
    for (int i = 0; i < 3; i++) {
      assertThat(rows(one, query)).isEqualTo(List.of("a"));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(rows(two, query)).as("%d hits", hits(one) - before).isEqualTo(List.of("b"));
    }
    assertThat(rows(one, query)).isEqualTo(List.of("a"));
  }
}
