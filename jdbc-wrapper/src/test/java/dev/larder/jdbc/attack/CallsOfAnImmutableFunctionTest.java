package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody declares a function IMMUTABLE that calls others which are not: these write, or read what
 * the function itself does not name.
 */
@Tag("regression")
final class CallsOfAnImmutableFunctionTest {
  private static final String RATE = "SELECT n FROM rate";
  private static final String OWN = "SELECT id FROM document";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE document (id int)",
        "INSERT INTO document VALUES (1)",
        "CREATE TABLE rate (n int)",
        "INSERT INTO rate VALUES (1)");
  }

  private Connection connect() throws SQLException {
    return LarderProbe.connect(database, "larder.admission=all");
  }

  private static String operator(String symbol) {
    return "CREATE OPERATOR %s (leftarg = level, rightarg = level, function = is_less)"
        .formatted(symbol);
  }

  private void assertWriteIsSeen(String statement) throws SQLException {
    try (Connection connection = connect()) {
      LarderProbe.run(connection, "UPDATE rate SET n = 1");
      LarderProbe.fill(connection, RATE);
      assertThat(LarderProbe.rows(connection, RATE)).containsExactly("1");
      LarderProbe.run(connection, statement);
      assertThat(LarderProbe.rows(connection, RATE)).containsExactly("2");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LANGUAGE plpgsql AS $$ BEGIN RETURN raise_rate($1); END $$",
        "LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_catalog.abs(raise_by_sql($1)); RETURN 1; END $$",
        "LANGUAGE sql AS $$ SELECT raise_rate($1) $$",
        "LANGUAGE sql AS $$ SELECT raise_by_standard($1) $$",
        "LANGUAGE sql RETURN raise_rate($1)",
        "LANGUAGE sql AS $$ SELECT helper($1) $$",
        "LANGUAGE sql AS $$ SELECT $1 <+> 1 $$",
        "LANGUAGE plpgsql AS $$ DECLARE r int; BEGIN"
            + " EXECUTE 'SELECT raise_' || lower('rate(1)') INTO r; RETURN r; END $$",
      })
  void whatItsBodyCallsMayWrite(String body) throws SQLException {
    database.execute(
        "CREATE FUNCTION raise_rate(int) RETURNS int LANGUAGE plpgsql"
            + " AS $$ BEGIN UPDATE rate SET n = n + 1; RETURN 1; END $$",
        "CREATE FUNCTION raise_by_sql(int) RETURNS int LANGUAGE sql"
            + " AS $$ UPDATE rate SET n = n + 1 RETURNING n $$",
        "CREATE FUNCTION raise_by_standard(int) RETURNS int LANGUAGE sql"
            + " BEGIN ATOMIC UPDATE rate SET n = n + 1 RETURNING n; END",
        "CREATE FUNCTION raise_both(int, int) RETURNS int LANGUAGE sql AS 'SELECT raise_rate($1)'",
        "CREATE OPERATOR <+> (leftarg = int, rightarg = int, function = raise_both)",
        "CREATE FUNCTION helper(int) RETURNS int IMMUTABLE LANGUAGE sql"
            + " AS 'SELECT raise_by_sql($1)'",
        "CREATE FUNCTION fixed(int) RETURNS int IMMUTABLE " + body,
        "CREATE VIEW fixed_view AS SELECT fixed(id) FROM document");

    assertWriteIsSeen("SELECT fixed(id) FROM document");
    assertWriteIsSeen("SELECT * FROM fixed_view");
    assertWriteIsSeen("UPDATE document SET id = id WHERE fixed(id) > 0");
  }

  /** The server chooses `=` of moods by the casts to what it takes, and no text names a mood. */
  @Test
  void whatItsOperatorsChosenByCastsMayWrite() throws SQLException {
    database.execute(
        "CREATE TYPE mood AS ENUM ('good')",
        "CREATE FUNCTION raise_mood(int) RETURNS mood LANGUAGE plpgsql"
            + " AS $$ BEGIN UPDATE rate SET n = n + 1; RETURN 'good'; END $$",
        "CREATE FUNCTION good(bool) RETURNS mood IMMUTABLE LANGUAGE plpgsql"
            + " AS $$ BEGIN RETURN 'good'; END $$",
        "CREATE FUNCTION are_same(mood, mood) RETURNS bool IMMUTABLE LANGUAGE internal"
            + " AS 'enum_eq'",
        "CREATE OPERATOR = (leftarg = mood, rightarg = mood, function = are_same)",
        "CREATE CAST (int AS mood) WITH FUNCTION raise_mood(int) AS IMPLICIT",
        "CREATE CAST (bool AS mood) WITH FUNCTION good(bool) AS IMPLICIT",
        "CREATE FUNCTION fixed(int) RETURNS bool IMMUTABLE LANGUAGE plpgsql"
            + " AS $$ BEGIN RETURN true = $1; END $$",
        "CREATE VIEW fixed_view AS SELECT fixed(id) FROM document");

    assertWriteIsSeen("SELECT * FROM fixed_view");
  }

  /** What keeps an index or looks at values runs expressions that no text of its own shows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ANALYZE kept",
        "ANALYZE",
        "ANALYZE counted",
        "VACUUM ANALYZE kept",
        "ANALYZE whole",
        "REINDEX TABLE kept",
        "REINDEX INDEX kept_index",
        "VACUUM FULL kept",
        "CLUSTER kept USING kept_index",
        "REFRESH MATERIALIZED VIEW kept_view",
        "SELECT brin_summarize_new_values('ranges')",
        "SELECT brin_summarize_range('ranges', 0)",
      })
  void whatAnIndexCallsMayWrite(String statement) throws SQLException {
    database.execute(
        "CREATE FUNCTION raise_rate(int) RETURNS int LANGUAGE plpgsql"
            + " AS $$ BEGIN UPDATE public.rate SET n = n + 1; RETURN 1; END $$",
        "CREATE FUNCTION fixed(int) RETURNS int IMMUTABLE LANGUAGE plpgsql"
            + " AS $$ BEGIN RETURN public.raise_rate($1); END $$",
        "CREATE TABLE kept (id int)",
        "INSERT INTO kept VALUES (1), (2)",
        "CREATE INDEX kept_index ON kept (fixed(id))",
        "CREATE INDEX ranges ON kept USING brin (fixed(id))",
        "SELECT brin_desummarize_range('ranges', 0)",
        "CREATE TABLE counted (id int, other int)",
        "INSERT INTO counted VALUES (1, 1), (2, 2)",
        "CREATE STATISTICS counts ON (fixed(id)), other FROM counted",
        "CREATE TABLE whole (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE part PARTITION OF whole DEFAULT",
        "INSERT INTO whole VALUES (1), (2)",
        "CREATE INDEX ON part (fixed(id))",
        "CREATE MATERIALIZED VIEW kept_view AS SELECT id FROM kept",
        "CREATE INDEX ON kept_view (fixed(id))");
    try (Connection connection = connect()) {
      LarderProbe.run(connection, "UPDATE rate SET n = 1");
      LarderProbe.fill(connection, RATE);
      LarderProbe.run(connection, statement);
      LarderProbe.awaitCatalog(connection); // Until then nothing is a hit.
      assertThat(database.queryString(RATE)).isNotEqualTo("1");
      assertThat(LarderProbe.rows(connection, RATE)).containsExactly(database.queryString(RATE));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LANGUAGE sql AS $$ SELECT by_standard($1) $$",
        "LANGUAGE plpgsql AS $$ BEGIN RETURN volatile_by_standard($1); END $$",
        "LANGUAGE sql AS $$ SELECT $1 <+> 1 $$",
        "LANGUAGE plpgsql AS $$ BEGIN RETURN $1 <+> 1; END $$",
        "LANGUAGE sql AS $$ SELECT by_default($1) $$",
        "LANGUAGE plpgsql AS $$ DECLARE r below := $1; BEGIN RETURN 1; END $$",
        "LANGUAGE plpgsql AS $$ DECLARE r pair := ROW(1, 1); BEGIN RETURN 1; END $$",
        "LANGUAGE sql AS $$ SELECT length(table_to_xml('rate', true, true, '')::text) $$",
        "LANGUAGE sql AS $$ SELECT n FROM \"a\"\"b\" $$",
        "LANGUAGE sql BEGIN ATOMIC SELECT n FROM rate; END",
        "LANGUAGE sql RETURN by_standard($1)",
        "LANGUAGE sql RETURN $1 <+> 1",
        "LANGUAGE sql AS $$ SELECT of_standard($1) $$",
      })
  void whatItsBodyCallsMayReadATable(String body) throws SQLException {
    database.execute(
        "CREATE VIEW \"a\"\"b\" AS SELECT n FROM rate",
        "CREATE FUNCTION by_standard(int) RETURNS int STABLE LANGUAGE sql"
            + " BEGIN ATOMIC SELECT n FROM rate; END",
        "CREATE FUNCTION of_standard(int) RETURNS int IMMUTABLE LANGUAGE sql"
            + " BEGIN ATOMIC SELECT n FROM rate; END",
        "CREATE FUNCTION volatile_by_standard(int) RETURNS int LANGUAGE sql"
            + " BEGIN ATOMIC SELECT n FROM rate; END",
        "CREATE FUNCTION rate_of(int, int) RETURNS int STABLE LANGUAGE sql AS 'SELECT n FROM rate'",
        "CREATE OPERATOR <+> (leftarg = int, rightarg = int, function = rate_of)",
        "CREATE FUNCTION by_default(int, int DEFAULT by_standard(1)) RETURNS int IMMUTABLE"
            + " LANGUAGE sql AS 'SELECT $2'",
        "CREATE FUNCTION is_below(int) RETURNS bool STABLE LANGUAGE sql"
            + " AS 'SELECT $1 < n + 100 FROM rate'",
        "CREATE DOMAIN below AS int CHECK (is_below(VALUE))",
        "CREATE TYPE pair AS (one int, other below)",
        "CREATE FUNCTION fixed(int) RETURNS int IMMUTABLE " + body);
    String query = "SELECT fixed(id) FROM document";
    try (Connection connection = connect()) {
      LarderProbe.fill(connection, OWN);
      for (int i = 0; i < 3; i++) {
        assertThat(LarderProbe.isHit(connection, query)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LANGUAGE plpgsql AS $$ BEGIN RETURN 'low'::level::int; END $$",
        "LANGUAGE plpgsql AS $$ BEGIN RETURN lowest($1)::int; END $$",
        "LANGUAGE sql AS $$ SELECT level_of($1)::int FROM (VALUES (1)) v $$",
        "LANGUAGE plpgsql AS $$ BEGIN RETURN array_length(array_agg(l ORDER BY l), 1)"
            + " FROM unnest(enum_range(NULL::level)) l; END $$",
      })
  void whatAViewCallsMayReadATableByACastOrAnOrder(String body) throws SQLException {
    database.execute(
        "CREATE TYPE level AS ENUM ('low', 'high')",
        "CREATE FUNCTION number_of(level) RETURNS int STABLE LANGUAGE sql AS 'SELECT n FROM rate'",
        "CREATE FUNCTION lowest(int) RETURNS level IMMUTABLE LANGUAGE sql AS $$ SELECT 'low'::level $$",
        "CREATE FUNCTION level_of(int) RETURNS level IMMUTABLE LANGUAGE sql RETURN lowest($1)",
        "CREATE CAST (level AS int) WITH FUNCTION number_of(level)",
        "CREATE FUNCTION order_of(level, level) RETURNS int STABLE LANGUAGE sql"
            + " AS 'SELECT n FROM rate'",
        "CREATE FUNCTION is_less(level, level) RETURNS bool IMMUTABLE LANGUAGE sql"
            + " AS 'SELECT $1::text < $2::text'",
        operator("<#"),
        operator("<=#"),
        operator("=#"),
        operator(">=#"),
        operator(">#"),
        "CREATE OPERATOR CLASS levels DEFAULT FOR TYPE level USING btree AS OPERATOR 1 <#,"
            + " OPERATOR 2 <=#, OPERATOR 3 =#, OPERATOR 4 >=#, OPERATOR 5 >#,"
            + " FUNCTION 1 order_of(level, level)",
        "CREATE FUNCTION fixed(int) RETURNS int IMMUTABLE " + body,
        "CREATE VIEW fixed_view AS SELECT fixed(id) FROM document");
    try (Connection connection = connect()) {
      LarderProbe.fill(connection, OWN);
      for (int i = 0; i < 3; i++) {
        assertThat(LarderProbe.isHit(connection, "SELECT * FROM fixed_view")).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LANGUAGE sql AS $$ SELECT helper($1) || 'audit helper' $$",
        "LANGUAGE sql AS $$ SELECT standard($1) $$",
        "LANGUAGE sql RETURN helper($1)",
        "LANGUAGE sql RETURN to_char($1, '999') || $1::text",
        "LANGUAGE plpgsql AS $$ BEGIN RETURN $1 % 2; END $$",
      })
  void whatCallsHarmlessFunctionsStaysCached(String body) throws SQLException {
    database.execute(
        "CREATE EXTENSION pg_trgm",
        "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql"
            + " AS 'BEGIN UPDATE rate SET n = n; RETURN NULL; END'",
        "CREATE FUNCTION helper(int) RETURNS text LANGUAGE sql AS 'SELECT $1::text'",
        "CREATE FUNCTION standard(int) RETURNS text LANGUAGE sql RETURN $1::text",
        "CREATE FUNCTION fixed(int) RETURNS text IMMUTABLE " + body);
    try (Connection connection = connect()) {
      LarderProbe.fill(connection, RATE);
      LarderProbe.fill(connection, "SELECT fixed(id) FROM document");
      assertThat(LarderProbe.isHit(connection, "SELECT fixed(id) FROM document")).isTrue();
      LarderProbe.run(connection, "SELECT fixed(7)");
      assertThat(LarderProbe.isHit(connection, RATE)).isTrue();
    }
  }

  @Test
  void namesOfTablesThatTheCatalogShowsAreNotKeptInsideOtherTypes() throws SQLException {
    database.execute(
        "CREATE DOMAIN name_of_table AS regclass",
        "CREATE TYPE holder AS (is_of regclass)",
        "CREATE FUNCTION named(oid) RETURNS regclass IMMUTABLE LANGUAGE sql"
            + " AS 'SELECT $1::regclass'",
        "CREATE TABLE shown (id oid, one name_of_table, many name_of_table[], held holder)",
        "CREATE TABLE numbered (id int)",
        "INSERT INTO numbered VALUES (1)",
        "CREATE VIEW shown_view AS SELECT to_jsonb(one) FROM shown");
    try (Connection connection = connect()) {
      LarderProbe.fill(connection, "SELECT id FROM numbered");
      for (String query :
          new String[] {
            "SELECT one FROM shown",
            "SELECT * FROM shown_view",
            "SELECT id::oid::name_of_table FROM numbered",
            "SELECT named(id::oid) FROM numbered"
          }) {
        LarderProbe.rows(connection, query);
        assertThat(LarderProbe.isHit(connection, query)).as(query).isFalse();
      }
    }
  }
}
