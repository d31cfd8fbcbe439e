package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.engine.Database;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Results are shared whatever a custom setting is that nothing reads, and apart where it is read.
 */
@Tag("each-server")
final class UnreadSettingsTest {
  private static final String ITEMS = "SELECT name FROM item ORDER BY name";

  /** Functions that the tests declare to be read-only. */
  private static final String DECLARED =
      "larder.functions.readOnly=told,told_of,visible,tell,told_last,seen";

  private TestDatabase database;
  private String role;
  private Connection one;
  private Connection two;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    role = database.name() + "_reader";
    database.execute(
        "CREATE ROLE " + role,
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('a'), ('b')",
        "GRANT ALL ON item TO " + role,
        "CREATE TABLE setting (name text)",
        "INSERT INTO setting VALUES ('app.x')");
    one = LarderProbe.connect(database, DECLARED);
    two = LarderProbe.connect(database, DECLARED);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    database.close();
  }

  private void ddl(String... statements) throws SQLException {
    run(one, statements);
    LarderProbe.awaitCatalog(one);
  }

  private void differ() throws SQLException {
    run(one, "SET app.x = 'a'");
    run(two, "SET app.x = 'b'");
  }

  /** Asserts that each session gets its own rows, from memory, too, where {@code cached}. */
  private void areApart(String query, boolean cached, String... before) throws SQLException {
    differ();
    run(one, before);
    run(two, before);
    List<String> ofOne = bare(query, "a", before);
    List<String> ofTwo = bare(query, "b", before);
    assertThat(ofOne).isNotEqualTo(ofTwo);
    assertThat(rows(one, query)).isEqualTo(ofOne);
    if (cached) {
      fill(one, query);
    }
    assertThat(rows(two, query)).as("after another's").isEqualTo(ofTwo);
    if (cached) {
      fill(two, query);
    }
    long before1 = hits(one);
    assertThat(rows(one, query)).isEqualTo(ofOne);
    assertThat(rows(two, query)).isEqualTo(ofTwo);
    assertThat(hits(one) - before1).isEqualTo(cached ? 2 : 0);
  }

  private List<String> bare(String query, String value, String... before) throws SQLException {
    try (Connection plain = database.connect()) {
      run(plain, "SET app.x = '" + value + "'");
      run(plain, before);
      return rows(plain, query);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET app.audit_user = 'ann'",
        "SELECT set_config('app.audit_user', 'ann', false)",
        "SET app.audit_user = 'ann'; SET app.other = 'x'"
      })
  void anUnreadSettingCostsNoMiss(String setting) throws SQLException {
    fill(one, ITEMS);
    run(two, setting);
    LarderProbe.awaitCatalog(two);
    assertThat(isHit(two, ITEMS)).isTrue();
    run(one, "SET app.audit_user = 'bob'");
    assertThat(isHit(one, ITEMS)).isTrue();
    run(one, "RESET app.audit_user");
    assertThat(isHit(one, ITEMS)).isTrue();
  }

  @Test
  void whatOnlyWritesReadCostsNoMiss() throws SQLException {
    ddl(
        "CREATE TABLE audit (who text DEFAULT current_setting('app.x', true), what text)",
        "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " INSERT INTO audit (what) VALUES (current_setting('app.x', true)); RETURN NEW; END $$",
        "CREATE TRIGGER noted AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION noted()");
    differ();
    for (String query : List.of(ITEMS, "SELECT what FROM audit")) {
      fill(one, query);
      assertThat(isHit(two, query)).as(query).isTrue();
    }
  }

  @Test
  void aPolicyOfOneSettingSharesWhateverAnotherIs() throws SQLException {
    policy("name = current_setting('app.x', true)");
    areApart(ITEMS, true, "SET ROLE " + role);
    run(two, "SET app.x = 'a'", "SET app.audit_user = 'ann'");
    assertThat(isHit(two, ITEMS)).isTrue();
    assertThat(rows(two, ITEMS)).containsExactly("a");
  }

  private void policy(String condition) throws SQLException {
    ddl(
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON item USING (" + condition + ")");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name = current_setting('app.x', true)",
        "name = (SELECT current_setting('app.x', true))",
        "name IN (SELECT s.name FROM setting s WHERE current_setting('app.x', true) = 'a')"
            + " OR current_setting('app.x', true) = name",
      })
  void aPolicyKeepsSessionsApart(String condition) throws SQLException {
    policy(condition);
    run(one, "GRANT SELECT ON setting TO " + role);
    LarderProbe.awaitCatalog(one);
    areApart(ITEMS, true, "SET ROLE " + role);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LANGUAGE sql IMMUTABLE AS $$ SELECT current_setting('app.x', true) $$",
        "LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN current_setting('app.x', true); END $$",
        "LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS $$ BEGIN RETURN current_setting('app.x', true); END $$",
      })
  void aFunctionOfAPolicyKeepsSessionsApart(String definition) throws SQLException {
    ddl("CREATE FUNCTION mine() RETURNS text " + definition);
    policy("name = mine()");
    areApart(ITEMS, true, "SET ROLE " + role);
  }

  @Test
  void aSettingOfAPolicyCountsForThoseWhomItDoesNotConcern() throws SQLException {
    policy("name = current_setting('app.x', true)");
    differ();
    fill(one, ITEMS); // The superuser sees every row.
    assertThat(rows(two, ITEMS)).containsExactly("a", "b");
    ddl("ALTER TABLE item OWNER TO " + role);
    run(one, "SET ROLE " + role);
    run(two, "SET ROLE " + role);
    fill(one, ITEMS);
    assertThat(rows(two, ITEMS)).as("owner").containsExactly("a", "b");
    run(one, "RESET ROLE");
    run(two, "RESET ROLE");
    ddl("ALTER TABLE item FORCE ROW LEVEL SECURITY");
    areApart(ITEMS, true, "SET ROLE " + role);
  }

  @Test
  void aRoleWithoutPoliciesAndOneWithThemAreApart() throws SQLException {
    policy("name = current_setting('app.x', true)");
    run(one, "SET app.x = 'a'");
    run(two, "SET app.x = 'a'", "SET ROLE " + role);
    fill(one, ITEMS);
    assertThat(rows(two, ITEMS)).containsExactly("a");
  }

  @Test
  void nothingIsAnsweredThatWasKeptBeforeAPolicy() throws SQLException {
    differ();
    run(one, "SET ROLE " + role);
    run(two, "SET ROLE " + role);
    fill(one, ITEMS);
    assertThat(isHit(two, ITEMS)).isTrue();
    run(one, "RESET ROLE");
    policy("name = current_setting('app.x', true)");
    areApart(ITEMS, true, "SET ROLE " + role);
    run(one, "RESET ROLE");
    ddl("DROP POLICY mine ON item", "ALTER TABLE item DISABLE ROW LEVEL SECURITY");
    run(one, "SET ROLE " + role);
    fill(one, ITEMS);
    assertThat(isHit(two, ITEMS)).isTrue();
    assertThat(rows(two, ITEMS)).containsExactly("a", "b");
  }

  @Test
  void nothingIsAnsweredThatWasKeptBeforeOthersMadeAPolicy() throws SQLException {
    differ();
    run(one, "SET ROLE " + role);
    run(two, "SET ROLE " + role);
    fill(one, ITEMS);
    long version = LarderProbe.catalogVersion(one);
    database.execute(
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON item USING (name = current_setting('app.x', true))");
    Waiting.until(
        Database.CATALOG_POLL_PERIOD.plusSeconds(10),
        () -> "the policy was not noticed",
        () -> {
          rows(one, ITEMS);
          return LarderProbe.catalogVersion(one) > version;
        });
    LarderProbe.awaitCatalog(one);
    areApart(ITEMS, true, "SET ROLE " + role);
  }

  /** What stands in the way of sharing: how it is made, a query, and whether that is cached. */
  record Reader(String name, boolean cached, String query, String... made) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String MINE =
      "CREATE FUNCTION mine() RETURNS text LANGUAGE sql IMMUTABLE AS"
          + " $$ SELECT current_setting('app.x', true) $$";

  private static final String BY_MINE = "SELECT name FROM item WHERE name = mine()";

  static Stream<Reader> readers() {
    return Stream.of(inTexts(), inViews(), inFunctions(), declared(), unnamed())
        .flatMap(readers -> readers);
  }

  private static Stream<Reader> inTexts() {
    return Stream.of(
        new Reader("text", false, "SELECT name FROM item WHERE name = current_setting('app.x')"),
        new Reader(
            "text, another name",
            false,
            "SELECT i.name FROM item i, setting s WHERE i.name = current_setting(s.name)"));
  }

  private static Stream<Reader> inViews() {
    String view = "CREATE VIEW mine AS SELECT name FROM item WHERE name = ";
    return Stream.of(
        new Reader("view", true, "SELECT * FROM mine", view + "current_setting('app.x', true)"),
        new Reader(
            "view, another name",
            false,
            "SELECT * FROM mine",
            view + "(SELECT current_setting(s.name, true) FROM setting s)"),
        new Reader(
            "view of a view",
            true,
            "SELECT * FROM outermost",
            view + "current_setting('app.x', true)",
            "CREATE VIEW outermost AS SELECT * FROM mine"),
        new Reader(
            "function of a view",
            true,
            "SELECT * FROM seen",
            MINE,
            "CREATE VIEW seen AS " + BY_MINE));
  }

  private static Stream<Reader> inFunctions() {
    return Stream.of(
        new Reader("SQL", true, BY_MINE, MINE),
        new Reader(
            "PL/pgSQL",
            true,
            BY_MINE,
            "CREATE FUNCTION mine() RETURNS text LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS"
                + " $$ BEGIN RETURN current_setting('app.x', true); END $$"),
        new Reader(
            "a function that calls one",
            true,
            "SELECT name FROM item WHERE name = outermost()",
            MINE,
            "CREATE FUNCTION outermost() RETURNS text LANGUAGE plpgsql IMMUTABLE AS"
                + " $$ BEGIN RETURN mine(); END $$"),
        new Reader(
            "a name that is no literal",
            false,
            "SELECT name FROM item WHERE name = mine()",
            "CREATE FUNCTION mine() RETURNS text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT current_setting('app.' || 'x', true) $$"),
        new Reader(
            "dynamic SQL",
            false,
            BY_MINE,
            "CREATE FUNCTION mine() RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ DECLARE v text;"
                + " BEGIN EXECUTE 'SELECT current_setting(''app.x'')' INTO v; RETURN v; END $$"),
        new Reader(
            "set of rows",
            true,
            "SELECT i.name FROM item i, listed() l WHERE l = i.name",
            "CREATE FUNCTION listed() RETURNS SETOF text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT current_setting('app.x', true) $$"),
        new Reader(
            "default of a parameter",
            true,
            "SELECT name FROM item WHERE name = same()",
            MINE,
            "CREATE FUNCTION same(v text DEFAULT mine()) RETURNS text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT v $$"),
        new Reader(
            "the server's under another name",
            true,
            "SELECT name FROM item WHERE name = shown('app.x')",
            "CREATE FUNCTION shown(text) RETURNS text LANGUAGE internal IMMUTABLE STRICT AS"
                + " 'show_config_by_name'"));
  }

  /** They are declared to write nothing, and depend on what the statement names. */
  private static Stream<Reader> declared() {
    String told = "CREATE FUNCTION told() RETURNS text STABLE LANGUAGE ";
    String query = "SELECT name FROM item WHERE name = told()";
    return Stream.of(
        new Reader(
            "declared, SQL",
            true,
            query,
            told + "sql AS $$ SELECT current_setting('app.x', true) $$"),
        new Reader(
            "declared, PL/pgSQL",
            true,
            query,
            told + "plpgsql AS $$ BEGIN RETURN current_setting('app.x'); END $$"),
        new Reader(
            "declared, by a table",
            true,
            query,
            told + "sql AS $$ SELECT current_setting(name) FROM setting $$"),
        new Reader(
            "declared, calls another",
            true,
            query,
            "CREATE FUNCTION tell() RETURNS text STABLE LANGUAGE sql AS"
                + " $$ SELECT current_setting('app.x', true) $$",
            told + "sql AS $$ SELECT tell() $$"),
        new Reader(
            "declared, reads a view",
            true,
            "SELECT name FROM item WHERE name = told()",
            "CREATE VIEW visible_view AS SELECT current_setting('app.x', true) AS v FROM setting",
            told + "sql AS $$ SELECT v FROM visible_view $$"),
        new Reader(
            "declared, a name that is given",
            true,
            "SELECT name FROM item WHERE name = told_of('app.x')",
            "CREATE FUNCTION told_of(n text) RETURNS text STABLE LANGUAGE sql AS"
                + " $$ SELECT current_setting(n, true) $$"),
        new Reader(
            "declared, an operator",
            true,
            query,
            "CREATE FUNCTION tell(text, text) RETURNS text STABLE LANGUAGE sql AS"
                + " $$ SELECT current_setting('app.x', true) $$",
            "CREATE OPERATOR %% (FUNCTION = tell, LEFTARG = text, RIGHTARG = text)",
            told + "sql AS $$ SELECT 'p'::text %% 'q'::text $$"),
        new Reader(
            "declared aggregate",
            true,
            "SELECT told_last(name) FROM item",
            "CREATE FUNCTION tell(text, text) RETURNS text STABLE LANGUAGE sql AS"
                + " $$ SELECT current_setting('app.x', true) $$",
            "CREATE AGGREGATE told_last(text) (SFUNC = tell, STYPE = text)"));
  }

  private static Stream<Reader> unnamed() {
    String two =
        "CREATE FUNCTION chosen(text, text) RETURNS bool LANGUAGE sql IMMUTABLE AS"
            + " $$ SELECT $1 = current_setting('app.x', true) $$";
    String operator = "CREATE OPERATOR %% (FUNCTION = chosen, LEFTARG = text, RIGHTARG = text)";
    return Stream.of(
        new Reader("operator", true, "SELECT name FROM item WHERE name %% ''", two, operator),
        new Reader(
            "operator of a function",
            true,
            "SELECT name FROM item WHERE by_operator(name)",
            two,
            operator,
            "CREATE FUNCTION by_operator(text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS"
                + " $$ BEGIN RETURN $1 %% ''; END $$"),
        new Reader(
            "cast",
            true,
            "SELECT name, ('p'::kept)::text FROM item ORDER BY name",
            "CREATE TYPE kept AS ENUM ('p')",
            "CREATE FUNCTION shown(kept) RETURNS text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT current_setting('app.x', true) $$",
            "CREATE CAST (kept AS text) WITH FUNCTION shown(kept)"),
        new Reader(
            "cast of a function",
            true,
            "SELECT name FROM item WHERE name = by_cast()",
            "CREATE TYPE kept AS ENUM ('p')",
            "CREATE FUNCTION shown(kept) RETURNS text LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT current_setting('app.x', true) $$",
            "CREATE CAST (kept AS text) WITH FUNCTION shown(kept)",
            "CREATE FUNCTION by_cast() RETURNS text LANGUAGE plpgsql IMMUTABLE AS"
                + " $$ BEGIN RETURN ('p'::kept)::text; END $$"),
        new Reader(
            "cast of the server's types",
            true,
            "SELECT name FROM item WHERE length(name) <> 0 AND name = (2::int8)::bool::text"
                + " OR name = CASE WHEN (2::int8)::bool THEN 'a' ELSE 'b' END",
            "CREATE FUNCTION truth(int8) RETURNS bool LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT current_setting('app.x', true) = 'a' $$",
            "CREATE CAST (int8 AS bool) WITH FUNCTION truth(int8)"));
  }

  @ParameterizedTest
  @MethodSource("readers")
  void aReaderKeepsSessionsApart(Reader reader) throws SQLException {
    ddl(reader.made());
    areApart(reader.query(), reader.cached());
  }

  @Test
  void aConstraintThatAPlanRestsOnKeepsSessionsApart() throws SQLException {
    ddl(MINE);
    database.execute(
        "CREATE TABLE guarded (name text)",
        "INSERT INTO guarded VALUES ('a')",
        "ALTER TABLE guarded ADD CONSTRAINT own CHECK (name = mine()) NOT VALID");
    try (Connection owner = database.connect()) {
      run(owner, "SET app.x = 'a'", "ALTER TABLE guarded VALIDATE CONSTRAINT own");
    }
    run(one, "SELECT 1");
    ddl(
        "COMMENT ON TABLE guarded IS 'seen'",
        "CREATE TABLE unrelated ()",
        "CREATE FUNCTION nothing() RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1'");
    areApart("SELECT name FROM guarded WHERE name = 'a'", true, "SET constraint_exclusion = on");
  }

  @Test
  void aBodyInStandardSqlIsReadAsAViewIs() throws SQLException {
    try (Connection plain = database.connect()) {
      if (plain.getMetaData().getDatabaseMajorVersion() < 14) {
        return;
      }
    }
    ddl("CREATE FUNCTION mine() RETURNS text IMMUTABLE RETURN current_setting('app.x', true)");
    areApart(BY_MINE, false);
    ddl("CREATE FUNCTION other() RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT mine()'");
    areApart("SELECT name FROM item WHERE name = other()", true);
    ddl("CREATE VIEW seen AS " + BY_MINE);
    areApart("SELECT * FROM seen", false);
    fill(one, ITEMS);
    assertThat(isHit(two, ITEMS)).as("it is in each key").isFalse();
  }

  @Test
  void aSettingOfAModuleIsPartOfTheKey() throws SQLException {
    fill(one, ITEMS);
    run(two, "SET plpgsql.extra_warnings = 'all'");
    assertThat(isHit(two, ITEMS)).isFalse();
    run(one, "SET hnsw.ef_search = '7'");
    assertThat(isHit(one, ITEMS)).isFalse();
  }

  @Test
  void onlyUnlikeCodeInCMakesEverySettingCount() throws SQLException {
    ddl("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    differ();
    fill(one, ITEMS);
    assertThat(isHit(two, ITEMS)).as("a known library").isTrue();
    ddl(
        "CREATE FUNCTION unknown() RETURNS trigger LANGUAGE c AS '$libdir/dict_snowball', 'dsnowball_init'");
    fill(one, ITEMS);
    assertThat(isHit(two, ITEMS)).as("an unknown library").isFalse();
  }
}
