package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.ComparedSessions;
import dev.larder.jdbc.LarderProbe;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Functions of users that run though the text of the statement does not show them, or not all. */
@Tag("each-server")
@Tag("regression")
final class HiddenCallsTest extends ComparedSessions {
  private static final String LOG = "SELECT count(*) FROM log";
  private static final String WRITING =
      "CREATE FUNCTION logged() RETURNS int LANGUAGE plpgsql AS"
          + " 'BEGIN INSERT INTO public.log VALUES (1); RETURN 1; END'";
  private static final String WITH_DEFAULT =
      "CREATE FUNCTION sum_of(a int, b int DEFAULT logged()) RETURNS int LANGUAGE sql IMMUTABLE"
          + " AS 'SELECT a + b'";
  private static final List<String> TYPE_WITH_WRITING_COMPARISON =
      List.of(
          "CREATE TYPE c AS (a int)",
          "CREATE FUNCTION cmp(c, c) RETURNS int LANGUAGE plpgsql AS"
              + " 'BEGIN PERFORM public.logged(); RETURN $1.a - $2.a; END'",
          comparison("lt", "<"),
          comparison("le", "<="),
          comparison("eq", "="),
          comparison("ge", ">="),
          comparison("gt", ">"),
          "CREATE OPERATOR <# (LEFTARG = c, RIGHTARG = c, FUNCTION = lt)",
          "CREATE OPERATOR <=# (LEFTARG = c, RIGHTARG = c, FUNCTION = le)",
          "CREATE OPERATOR =# (LEFTARG = c, RIGHTARG = c, FUNCTION = eq)",
          "CREATE OPERATOR >=# (LEFTARG = c, RIGHTARG = c, FUNCTION = ge)",
          "CREATE OPERATOR ># (LEFTARG = c, RIGHTARG = c, FUNCTION = gt)",
          "CREATE OPERATOR CLASS ops DEFAULT FOR TYPE c USING btree AS OPERATOR 1 <#,"
              + " OPERATOR 2 <=#, OPERATOR 3 =#, OPERATOR 4 >=#, OPERATOR 5 >#,"
              + " FUNCTION 1 cmp(c, c)",
          "CREATE TABLE sorted (x c)",
          "INSERT INTO sorted VALUES (ROW(1)), (ROW(2)), (ROW(3))");

  private static String comparison(String name, String operator) {
    return "CREATE FUNCTION %s(c, c) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT $1.a %s $2.a'"
        .formatted(name, operator);
  }

  @Override
  protected String[] more() {
    return new String[] {
      "CREATE TABLE log (x int)",
      "CREATE TABLE moment (at timestamptz)",
      "INSERT INTO moment VALUES ('2020-01-01 00:00+00')",
      WRITING
    };
  }

  private void assertNeverFrozen(Connection connection, String sql) throws SQLException {
    String first = outcome(connection, sql);
    String second = outcome(connection, sql);
    assertThat(List.of(first, second, outcome(connection, sql))).doesNotHaveDuplicates();
  }

  /** Asserts that whoever reads the log sees what {@code write} has written into it. */
  private void assertLogged(Connection writer, String write) throws SQLException {
    fill(two, LOG);
    run(writer, write);
    assertThat(outcome(bare, LOG)).isNotEqualTo("[0]");
    assertSame(LOG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"larder.functions.writes=become=", "larder.functions.readOnly=become"})
  void aFunctionThatIsDeclaredToWriteNothingMayStillSetTheTenant(String option)
      throws SQLException {
    policy("name = current_setting('app.tenant', true)");
    run(one, "RESET ROLE");
    ddl(
        "CREATE FUNCTION become(text) RETURNS text LANGUAGE sql AS"
            + " $$SELECT set_config('app.tenant', $1, false)$$");
    two.close();
    two = LarderProbe.connect(database, option);
    both("SET ROLE " + role, "SELECT become('first')");
    fill(two, NAMES);
    both("SELECT become('second')");
    assertSame(NAMES);
  }

  @Test
  void aDefaultMayChangeASetting() throws SQLException {
    ddl("CREATE TABLE odd (id int, zone text DEFAULT set_config('TimeZone', 'Asia/Tokyo', false))");
    fill(two, "SELECT at::text FROM moment");
    both("INSERT INTO odd (id) VALUES (1)");
    assertSame("SELECT at::text FROM moment");
  }

  @Test
  void aDefaultArgumentIsEvaluatedByEachCall() throws SQLException {
    ddl(
        "CREATE FUNCTION noise(a int, b float8 DEFAULT random()) RETURNS float8 LANGUAGE sql"
            + " IMMUTABLE AS 'SELECT b'");
    assertNeverFrozen(two, "SELECT noise(id) FROM item");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "CREATE DOMAIN dpoint AS pair; dpoint; SELECT (d).noise FROM shape",
        "SELECT 1; VARIADIC item[]; SELECT item.noise FROM item WHERE id = 1",
        "CREATE CAST (item AS int) WITH FUNCTION id_of(item) AS IMPLICIT; int;"
            + " SELECT item.noise FROM item WHERE id = 1"
      })
  void aCallInTheNotationOfAColumnIsFound(String before, String argument, String sql)
      throws SQLException {
    ddl(
        "CREATE TYPE pair AS (a int)",
        "CREATE FUNCTION id_of(item) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1.id'",
        before,
        "CREATE FUNCTION noise(" + argument + ") RETURNS float8 LANGUAGE sql AS 'SELECT random()'");
    if (before.contains("dpoint")) {
      ddl("CREATE TABLE shape (d dpoint)", "INSERT INTO shape VALUES (ROW(1))");
    }
    assertNeverFrozen(two, sql);
  }

  @Test
  void aCastOfWhatAnOperatorReturnsIsFound() throws SQLException {
    ddl(
        "CREATE TYPE pair AS (a int)",
        "CREATE FUNCTION paired(int, int) RETURNS pair LANGUAGE sql IMMUTABLE AS"
            + " 'SELECT ROW($1 + $2)::pair'",
        "CREATE OPERATOR #@# (LEFTARG = int, RIGHTARG = int, FUNCTION = paired)",
        "CREATE FUNCTION noise(pair) RETURNS float8 LANGUAGE sql AS 'SELECT random()'",
        "CREATE CAST (pair AS float8) WITH FUNCTION noise(pair)");
    assertNeverFrozen(two, "SELECT (id #@# 2)::float8 FROM item");
  }

  @Test
  void aTemporaryFunctionMayReturnSomethingElseNextTime() throws SQLException {
    run(two, "CREATE FUNCTION pg_temp.noise() RETURNS float8 LANGUAGE sql AS 'SELECT random()'");
    readSettingsAgain(two);
    assertNeverFrozen(two, "SELECT pg_temp.noise() FROM item");
  }

  @Test
  void aTemporaryFunctionMayWrite() throws SQLException {
    try (Connection three = LarderProbe.connect(database)) {
      run(
          three,
          "CREATE FUNCTION pg_temp.writing() RETURNS int LANGUAGE sql AS 'SELECT public.logged()'");
      readSettingsAgain(three);
      assertLogged(three, "SELECT pg_temp.writing()");
    }
  }

  private static void readSettingsAgain(Connection connection) throws SQLException {
    run(connection, "SET DateStyle = 'ISO, DMY'");
    rows(connection, NAME);
    LarderProbe.awaitCatalog(connection);
  }

  @Test
  void aDefaultArgumentMayWrite() throws SQLException {
    ddl(WITH_DEFAULT);
    assertLogged(one, "SELECT sum_of(id) FROM item");
  }

  @Test
  void aDefaultArgumentOfAConstraintMayWrite() throws SQLException {
    ddl(WITH_DEFAULT, "CREATE TABLE checked (a int CHECK (sum_of(a) > 0))");
    assertLogged(one, "INSERT INTO checked VALUES (1)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE DOMAIN code AS int DEFAULT logged(); CREATE TABLE t (id int, x code)",
        "CREATE DOMAIN code AS int CHECK (logged() > 0);"
            + " CREATE TABLE t (id int, x int DEFAULT ('5'::text)::code)",
        "CREATE TABLE t (id int, x xml"
            + " DEFAULT query_to_xml('SELECT public.logged()', true, true, ''))"
      })
  void aDefaultMayWrite(String table) throws SQLException {
    ddl(table);
    assertLogged(one, "INSERT INTO t (id) VALUES (1)");
  }

  @Test
  void theDefaultOfADomainMayWriteForCopy() throws Exception {
    ddl("CREATE DOMAIN code AS int DEFAULT logged()", "CREATE TABLE t (id int, x code)");
    fill(two, LOG);
    one.unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY t (id) FROM STDIN", new StringReader("1\n"));
    assertSame(LOG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE FUNCTION checked(code) RETURNS int LANGUAGE plpgsql IMMUTABLE AS"
            + " 'BEGIN RETURN 1; END'",
        "CREATE FUNCTION checked(int) RETURNS code LANGUAGE sql IMMUTABLE AS 'SELECT $1'"
      })
  void theCheckOfAFunctionsDomainMayWrite(String function) throws SQLException {
    ddl("CREATE DOMAIN code AS int CHECK (logged() > 0)", function);
    assertLogged(one, "SELECT checked(id) FROM item");
  }

  @Test
  void aTableMadeFromAPreparedStatementRunsIt() throws SQLException {
    try (Connection three = LarderProbe.connect(database)) {
      run(three, "PREPARE p AS SELECT logged()");
      assertLogged(three, "CREATE TEMP TABLE t AS EXECUTE p");
    }
  }

  @Test
  void thePlannerRunsStableFunctionsForExplain() throws SQLException {
    ddl(
        "CREATE FUNCTION chosen() RETURNS int LANGUAGE plpgsql STABLE AS"
            + " 'BEGIN RETURN logged(); END'");
    assertLogged(one, "EXPLAIN SELECT * FROM item WHERE id = chosen()");
  }

  @Test
  void aSortRunsTheComparisonOfTheOperatorClass() throws SQLException {
    ddl(TYPE_WITH_WRITING_COMPARISON.toArray(String[]::new));
    assertLogged(one, "SELECT x FROM sorted ORDER BY x");
  }

  @Test
  void anIndexRunsTheComparisonOfTheOperatorClass() throws SQLException {
    ddl(TYPE_WITH_WRITING_COMPARISON.toArray(String[]::new));
    ddl("CREATE INDEX ON sorted (x)", "TRUNCATE log");
    assertLogged(one, "INSERT INTO sorted VALUES (ROW(4))");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT (id).noise FROM item",
        "SELECT g.noise FROM generate_series(1, 2) g, item",
        "SELECT g.noise FROM item, LATERAL abs(item.id) AS g",
        "SELECT abs.noise FROM item, abs(item.id)"
      })
  void aCallInTheNotationOfAColumnIsFoundForPlainValues(String sql) throws SQLException {
    ddl("CREATE FUNCTION noise(int) RETURNS float8 LANGUAGE sql AS 'SELECT random()'");
    assertNeverFrozen(two, sql);
  }

  @Test
  void theColumnOfATableIsNoCall() throws SQLException {
    ddl("CREATE FUNCTION name(int) RETURNS float8 LANGUAGE sql AS 'SELECT random()'");
    fill(two, "SELECT item.name FROM item");
  }

  @Test
  void theCommandsForIndexesRunTheComparisonOfTheOperatorClass() throws SQLException {
    ddl(TYPE_WITH_WRITING_COMPARISON.toArray(String[]::new));
    assertLogged(one, "CREATE INDEX ON sorted (x)");
  }

  @Test
  void theThresholdOfTrigramsIsPartOfTheSession() throws SQLException {
    ddl("CREATE EXTENSION pg_trgm");
    String sql = "SELECT name FROM item WHERE name % 'firsts'";
    fill(two, sql);
    both("SET pg_trgm.similarity_threshold = 0.9");
    assertSame(sql);
    fill(two, sql);
    both("SELECT set_limit(0.1)");
    assertSame(sql);
    assertThat(isHit(two, "SELECT id % 2 FROM item")).isFalse();
    assertThat(isHit(two, "SELECT id % 2 FROM item")).isTrue();
  }

  @Test
  void aFunctionThatWritesNothingMaySetTheThresholdOfTrigrams() throws SQLException {
    ddl(
        "CREATE EXTENSION pg_trgm",
        "CREATE FUNCTION search(q text) RETURNS SETOF item LANGUAGE sql STABLE AS"
            + " 'SELECT set_limit(0.05); SELECT * FROM item WHERE name % q'");
    String sql = "SELECT name FROM item WHERE name % 'fi'";
    fill(two, sql);
    both("SELECT * FROM search('x')");
    assertSame(sql);
  }

  @Test
  void aFunctionThatWritesNothingMaySetTheTenantBehindAView() throws SQLException {
    ddl(
        "CREATE VIEW setting AS SELECT set_config('app.tenant', 'second', false) AS x",
        "GRANT SELECT ON setting TO PUBLIC",
        "CREATE FUNCTION become() RETURNS text LANGUAGE sql STABLE AS 'SELECT x FROM setting'");
    policy("name = current_setting('app.tenant', true)");
    both("SET app.tenant = 'first'");
    fill(two, NAMES);
    both("SELECT become()");
    assertSame(NAMES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"larder.functions.writes=prepare=", "larder.functions.readOnly=prepare"})
  void aFunctionThatIsDeclaredToWriteNothingMayMakeATemporaryTable(String option)
      throws SQLException {
    ddl(
        "CREATE FUNCTION prepare(n int) RETURNS void LANGUAGE plpgsql AS 'BEGIN DROP TABLE IF"
            + " EXISTS picked; CREATE TEMP TABLE picked AS SELECT n AS id; END'");
    two.close();
    two = LarderProbe.connect(database, option);
    String sql = "SELECT name FROM item JOIN picked USING (id)";
    both("SELECT prepare(1)");
    outcome(two, sql);
    both("SELECT prepare(2)");
    assertSame(sql);
  }

  @Test
  void aFunctionThatIsDeclaredToWriteNothingMayShadowATable() throws SQLException {
    ddl(
        "CREATE FUNCTION shadow() RETURNS void LANGUAGE plpgsql AS"
            + " 'BEGIN CREATE TEMP TABLE item AS SELECT 9 AS id, ''temp''::text AS name; END'");
    two.close();
    two = LarderProbe.connect(database, "larder.functions.writes=shadow=");
    fill(two, NAMES);
    both("SELECT shadow()");
    assertSame(NAMES);
  }

  @Test
  void aTemporaryTableThatAFunctionDropsIsBackAfterARollback() throws SQLException {
    ddl(
        "CREATE FUNCTION unshadow() RETURNS void LANGUAGE plpgsql AS"
            + " 'BEGIN DROP TABLE pg_temp.item; END'");
    fill(one, NAMES);
    both("CREATE TEMP TABLE item AS SELECT 9 AS id, 'temp'::text AS name");
    assertSame(NAMES);
    for (Connection each : List.of(two, bare)) {
      each.setAutoCommit(false);
      run(each, "SELECT unshadow()");
      assertThat(outcome(each, NAMES)).isEqualTo("[first, second]");
      each.rollback();
      each.setAutoCommit(true);
    }
    assertSame(NAMES);
  }

  @Test
  void aTableDroppedByANameThatOnlyTheServerReadsIsGone() throws SQLException {
    run(one, "CREATE TEMP TABLE work (x int)");
    fill(two, LOG);
    run(one, "DROP TABLE work, U&\"\\006cog\"");
    assertSame(LOG);
  }

  @Test
  void aProcedureCalledByANameThatOnlyTheServerReadsMayWrite() throws SQLException {
    ddl(
        "CREATE PROCEDURE work(int) LANGUAGE sql AS 'INSERT INTO public.log VALUES ($1)'",
        "CREATE FUNCTION pure(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1'");
    assertLogged(one, "CALL U&\"\\0077ork\"(pure(1))");
  }

  @Test
  void aPolicyMayWriteBehindAView() throws SQLException {
    guarded("CREATE VIEW fits AS SELECT logged() > 0 AS ok", "GRANT SELECT ON fits TO PUBLIC");
    ddl("CREATE POLICY p ON guarded FOR INSERT WITH CHECK ((SELECT ok FROM fits))");
    run(one, "SET ROLE " + role);
    rows(one, "SELECT 1");
    assertLogged(one, "INSERT INTO guarded VALUES (2)");
  }

  @Test
  void aPolicyMayWriteBehindAMaterializedView() throws SQLException {
    guarded(
        "CREATE MATERIALIZED VIEW kept AS SELECT x FROM guarded",
        "ALTER MATERIALIZED VIEW kept OWNER TO " + database.name() + "_role");
    ddl("CREATE POLICY p ON guarded USING (logged() > 0)");
    assertLogged(one, "REFRESH MATERIALIZED VIEW kept");
  }

  /** Creates a table whose policies hold for its owner, too. */
  private void guarded(String... more) throws SQLException {
    role = database.name() + "_role";
    ddl(
        "CREATE ROLE " + role,
        "GRANT ALL ON log TO " + role,
        "GRANT ALL ON SCHEMA public TO " + role,
        "CREATE TABLE guarded (x int)",
        "INSERT INTO guarded VALUES (1)",
        "ALTER TABLE guarded OWNER TO " + role);
    ddl(more);
    ddl(
        "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE guarded FORCE ROW LEVEL SECURITY");
  }
}
