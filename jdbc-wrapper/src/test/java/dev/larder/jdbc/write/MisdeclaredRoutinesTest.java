package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.ComparedSessions;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A routine that is declared IMMUTABLE sets, writes and reads what its body reaches. */
@Tag("regression")
final class MisdeclaredRoutinesTest extends ComparedSessions {
  private static final String ALL = "SELECT id, name FROM item ORDER BY id";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE FUNCTION g() RETURNS text LANGUAGE sql IMMUTABLE"
            + " RETURN set_config('app.tenant', 'second', false)",
        "CREATE FUNCTION f(t text DEFAULT set_config('app.tenant', 'second', false)) RETURNS text"
            + " LANGUAGE sql AS 'SELECT t'; CREATE FUNCTION g() RETURNS text LANGUAGE sql IMMUTABLE"
            + " AS 'SELECT f()'",
        "CREATE FUNCTION f() RETURNS text LANGUAGE sql IMMUTABLE"
            + " RETURN set_config('app.tenant', 'second', false);"
            + " CREATE DOMAIN d AS text CHECK (f() IS NOT NULL); CREATE FUNCTION g() RETURNS text"
            + " LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN ''x''::d; END'",
        "CREATE VIEW v AS SELECT set_config('app.tenant', 'second', false) AS t;"
            + " GRANT SELECT ON v TO PUBLIC; CREATE FUNCTION g() RETURNS text LANGUAGE sql"
            + " IMMUTABLE AS 'SELECT t FROM v'",
        "CREATE VIEW u AS SELECT set_config('app.tenant', 'second', false) AS t;"
            + " CREATE VIEW v AS SELECT * FROM u; GRANT SELECT ON u, v TO PUBLIC;"
            + " CREATE FUNCTION g() RETURNS text LANGUAGE sql IMMUTABLE"
            + " BEGIN ATOMIC SELECT t FROM v; END",
      })
  void aSettingThatItChangesIsFollowed(String ddl) throws SQLException {
    if (bare.getMetaData().getDatabaseMajorVersion() < 14) {
      return; // Bodies in the syntax of the standard.
    }
    ddl(ddl);
    policy("name = current_setting('app.tenant', true)");
    run(one, "SET app.tenant = 'first'");
    both("SET app.tenant = 'first'");
    assertSame(ALL);
    assertSame(ALL);
    both("SELECT g()");
    assertSame(ALL);
    assertSame(ALL);
    assertThat(rows(one, ALL)).hasSize(1).asString().contains("first");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE FUNCTION h() RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT x FROM v'",
        "CREATE VIEW w AS SELECT x FROM v; CREATE FUNCTION h() RETURNS text LANGUAGE sql"
            + " IMMUTABLE AS 'SELECT x FROM w'",
        "CREATE FUNCTION k() RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT x FROM v';"
            + " CREATE FUNCTION h() RETURNS text LANGUAGE sql STABLE AS 'SELECT k()'",
      })
  void whatItWritesBehindAViewIsAnnounced(String ddl) throws SQLException {
    ddl(
        "CREATE FUNCTION w() RETURNS text LANGUAGE sql AS"
            + " $$ INSERT INTO item SELECT max(id) + 1, 'w' FROM item; SELECT 'x' $$",
        "CREATE VIEW v AS SELECT w() AS x",
        ddl);
    awaitCatalog(two);
    for (int i = 0; i < 2; i++) {
      assertSame(ALL);
      run(two, "SELECT h()");
      assertSame(ALL);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT iq('{\"id\": 1}') FROM other",
        "SELECT ip('{\"id\": 1}') FROM other",
        "SELECT ia(1) FROM other",
        "SELECT to_json('{\"(1,2)\"}'::_item) FROM other",
      })
  void aTableWhoseRowsItMakesIsRead(String query) throws SQLException {
    ddl(
        "CREATE TABLE other (id int)",
        "INSERT INTO other VALUES (1)",
        "CREATE FUNCTION iq(json) RETURNS json IMMUTABLE LANGUAGE sql AS"
            + " 'SELECT to_json(json_populate_record(NULL::item, $1))'",
        "CREATE FUNCTION ip(json) RETURNS json IMMUTABLE LANGUAGE plpgsql AS"
            + " 'DECLARE x item; BEGIN x := json_populate_record(NULL, $1); RETURN to_json(x); END'",
        "CREATE FUNCTION ia(int) RETURNS json IMMUTABLE LANGUAGE sql AS"
            + " $$ SELECT to_json('{\"(1,2)\"}'::_item) $$");
    assertSame(query);
    assertSame(query);
    ddl("ALTER TABLE item ADD COLUMN more int");
    assertSame(query);
    ddl("ALTER TABLE item RENAME COLUMN name TO called");
    assertSame(query);
  }

  /** What a non-superuser's statement runs behind the text, in a database with {@code w()}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE POLICY s ON z FOR SELECT USING (true); CREATE POLICY u ON z FOR UPDATE USING (w() IS"
            + " NOT NULL); ALTER TABLE z ENABLE ROW LEVEL SECURITY"
            + " | SELECT a FROM z WHERE id = 1 FOR UPDATE",
        "CREATE POLICY s ON z FOR SELECT USING (true); CREATE POLICY u ON z FOR UPDATE USING (w() IS"
            + " NOT NULL); ALTER TABLE z ENABLE ROW LEVEL SECURITY; CREATE VIEW v WITH"
            + " (security_invoker) AS SELECT * FROM z; GRANT ALL ON v TO PUBLIC"
            + " | SELECT a FROM v WHERE id = 1 FOR SHARE",
        "CREATE TYPE ct AS (a d); ALTER TABLE z ADD CHECK ((jsonb_populate_record(NULL::ct,"
            + " jsonb_build_object('a', a))).a IS NOT NULL) | INSERT INTO z VALUES (2, 'q')",
        "CREATE TYPE ct AS (a d); ALTER TABLE z ALTER a SET DEFAULT (jsonb_populate_record(NULL::ct,"
            + " jsonb_build_object('a', 'b'))).a | INSERT INTO z VALUES (2)",
        "CREATE FUNCTION hh() RETURNS text IMMUTABLE LANGUAGE sql RETURN 'x'::text::d | SELECT hh()",
        "CREATE FUNCTION f(t text DEFAULT w()) RETURNS text LANGUAGE sql AS 'SELECT t'; CREATE"
            + " FUNCTION hh() RETURNS text IMMUTABLE LANGUAGE sql RETURN f() | SELECT hh()",
        "CREATE FUNCTION f(t text DEFAULT w()) RETURNS text LANGUAGE sql AS 'SELECT t'; CREATE VIEW v"
            + " AS SELECT f() AS x; GRANT ALL ON v TO PUBLIC; CREATE FUNCTION hh() RETURNS text"
            + " IMMUTABLE LANGUAGE sql AS 'SELECT x FROM v' | SELECT hh()",
        "CREATE POLICY s ON z USING (a::d <> 'y'); ALTER TABLE z ENABLE ROW LEVEL SECURITY; CREATE"
            + " FUNCTION hh() RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT max(a) FROM z'"
            + " | SELECT hh()",
      })
  void whatRunsUnseenIsAnnounced(String ddl, String statement) throws SQLException {
    if (bare.getMetaData().getDatabaseMajorVersion() < 15) {
      return; // Bodies in the syntax of the standard, and views with their readers' rights.
    }
    role = database.name() + "_role";
    ddl(
        "CREATE ROLE " + role,
        "CREATE FUNCTION w() RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE item SET name = name || '+' WHERE id = 1; RETURN 'x'; END $$",
        "CREATE DOMAIN d AS text CHECK (w() IS NOT NULL)",
        "CREATE TABLE z (id int PRIMARY KEY, a text)",
        "INSERT INTO z VALUES (1, 'a')",
        ddl,
        "GRANT ALL ON z, item TO " + role);
    both("SET ROLE " + role);
    for (int i = 0; i < 2; i++) {
      assertSame(ALL);
    }
    run(two, statement);
    assertSame(ALL);
  }

  @Test
  void aBodyWithoutARelationIsBelieved() throws SQLException {
    ddl(
        "CREATE FUNCTION twice(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 * 2'",
        "CREATE VIEW v AS SELECT now() AS x");
    String query = "SELECT twice(id) FROM item WHERE id = 1";
    fill(two, query);
    assertThat(isHit(two, query)).isTrue();
  }
}
