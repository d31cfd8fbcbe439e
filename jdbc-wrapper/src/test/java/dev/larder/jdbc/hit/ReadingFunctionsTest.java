package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.reason;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query that calls a function of the user's depends on what that reads, as its body says. */
@Tag("regression")
final class ReadingFunctionsTest {
  private TestDatabase database;
  private Connection connection;
  private Connection bare;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text, at timestamptz DEFAULT now())",
        "INSERT INTO item VALUES (1, 'a'), (2, 'b')",
        "CREATE TABLE part (id int PRIMARY KEY, item int, price numeric)",
        "INSERT INTO part VALUES (1, 1, 10), (2, 1, 20), (3, 2, 30)",
        "CREATE TABLE other (id int)",
        "CREATE VIEW dear AS SELECT * FROM part WHERE price > 15",
        "CREATE DOMAIN day AS date",
        "CREATE SCHEMA apart",
        "CREATE TABLE apart.twice (id int)",
        "CREATE TABLE public.twice (id int)",
        "CREATE TABLE shop (opens time, zoned timetz)",
        "CREATE SCHEMA types",
        "CREATE DOMAIN types.moment AS timestamptz",
        "CREATE SCHEMA ops",
        "CREATE FUNCTION near(a int, b int) RETURNS bool LANGUAGE sql STABLE AS"
            + " 'SELECT a = b + (SELECT max(id) FROM other)'",
        "CREATE FUNCTION bump(a int, b int) RETURNS bool LANGUAGE plpgsql AS"
            + " 'BEGIN UPDATE other SET id = id + 1; RETURN true; END'",
        "CREATE OPERATOR ops.=== (FUNCTION = near, LEFTARG = int, RIGHTARG = int)",
        "CREATE OPERATOR ops.!== (FUNCTION = bump, LEFTARG = int, RIGHTARG = int)",
        "CREATE FUNCTION nested(p int) RETURNS numeric LANGUAGE sql VOLATILE AS"
            + " $$ SELECT sum(price) FROM part WHERE item = p $$",
        "CREATE FUNCTION folded(p int) RETURNS bigint LANGUAGE sql IMMUTABLE AS"
            + " $$ SELECT count(*) FROM part WHERE item = p $$");
  }

  @AfterEach
  void drop() throws SQLException {
    if (connection != null) {
      connection.close();
      bare.close();
    }
    database.close();
  }

  private void open(String function) throws SQLException {
    database.execute(function);
    connection = LarderProbe.connect(database);
    bare = database.connect();
    awaitCatalog(connection);
  }

  private static final String CALL = "SELECT id, f(id) FROM item ORDER BY id";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(p int) RETURNS numeric LANGUAGE sql STABLE AS"
            + " $$ SELECT sum(price) FROM part WHERE item = p $$",
        "(int) RETURNS numeric LANGUAGE sql AS"
            + " 'SELECT 1; SELECT sum(price) FROM part WHERE item = $1;'",
        "(p int) RETURNS numeric LANGUAGE sql STABLE AS 'SELECT nested(p)'",
        "(p int) RETURNS numeric LANGUAGE sql SECURITY DEFINER SET search_path = public AS"
            + " 'SELECT sum(price) FROM part WHERE item = p'",
        "(p int) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM dear WHERE item = p'",
        "(p int) RETURNS numeric LANGUAGE plpgsql AS"
            + " $$ DECLARE s numeric(10, 2) := 0; BEGIN SELECT sum(price) INTO s FROM part"
            + " WHERE item = p; IF s IS NULL THEN RAISE EXCEPTION 'none'; END IF; RETURN s; END $$",
        "(p int) RETURNS numeric LANGUAGE plpgsql STABLE AS"
            + " $$ DECLARE r record; s numeric; BEGIN s := 0; FOR r IN SELECT price FROM part"
            + " WHERE item = p LOOP s := s + r.price; END LOOP; RETURN s; END $$",
        "(p int) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN IF EXISTS (SELECT 1 FROM part WHERE item = p AND price > 100) THEN"
            + " RETURN 'dear'; END IF; PERFORM 1 FROM part; RETURN nested(p); END $$",
        "(p int) RETURNS int LANGUAGE plpgsql AS"
            + " $$ DECLARE n int; BEGIN n := (SELECT max(price) FROM part WHERE item = p);"
            + " RETURN CASE WHEN n > 15 THEN n ELSE f(1) END; END $$",
      })
  void dependsOnWhatItReads(String function) throws SQLException {
    open("CREATE FUNCTION f" + function);
    fill(connection, CALL);
    run(connection, "INSERT INTO other VALUES (1)");
    assertThat(isHit(connection, CALL)).isTrue();
    run(connection, "UPDATE part SET price = 200 WHERE id = 2");
    assertThat(isHit(connection, CALL)).isFalse();
    assertThat(rows(connection, CALL)).isEqualTo(rows(bare, CALL));
    fill(connection, CALL);
    run(connection, "INSERT INTO item VALUES (3, 'c')", "INSERT INTO part VALUES (4, 3, 1)");
    assertThat(rows(connection, CALL)).isEqualTo(rows(bare, CALL)).hasSize(3);
    fill(connection, CALL);
    run(connection, "DELETE FROM part WHERE id = 1");
    assertThat(rows(connection, CALL)).isEqualTo(rows(bare, CALL));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "() RETURNS TABLE (item int, total numeric) LANGUAGE sql STABLE AS"
            + " 'SELECT item, sum(price) FROM part GROUP BY item ORDER BY 1'",
        "() RETURNS TABLE (item int, total numeric) LANGUAGE plpgsql AS"
            + " $$ BEGIN RETURN QUERY SELECT p.item, sum(p.price) FROM part p GROUP BY p.item"
            + " ORDER BY 1; END $$",
        "(OUT item int, OUT total numeric) RETURNS SETOF record LANGUAGE plpgsql AS"
            + " $$ BEGIN FOR item, total IN SELECT p.item, sum(p.price) FROM part p GROUP BY p.item"
            + " ORDER BY 1 LOOP RETURN NEXT; END LOOP; END $$",
      })
  void inFrom(String function) throws SQLException {
    open("CREATE FUNCTION f" + function);
    String sql = "SELECT total FROM f() WHERE item = 1";
    fill(connection, sql);
    run(connection, "UPDATE item SET name = 'x' WHERE id = 1");
    assertThat(isHit(connection, sql)).isTrue();
    run(connection, "UPDATE part SET price = 200 WHERE id = 2");
    assertThat(rows(connection, sql)).isEqualTo(rows(bare, sql)).containsExactly("210");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(p int) RETURNS numeric LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE NOTICE 'seen'; RETURN (SELECT 1 FROM part LIMIT 1); END $$",
        "(p int) RETURNS numeric LANGUAGE plpgsql AS"
            + " $$ BEGIN RETURN (SELECT 1 FROM part LIMIT 1); EXCEPTION WHEN OTHERS THEN RETURN 0; END $$",
        "(p int) RETURNS bool LANGUAGE plpgsql AS"
            + " $$ DECLARE d date; BEGIN SELECT name INTO d FROM item WHERE id = 7;"
            + " RETURN d > '2024-01-01'; END $$",
        "(p int) RETURNS bool LANGUAGE plpgsql AS"
            + " $$ DECLARE r item; BEGIN r.at := 'now'; RETURN r.at > '2024-01-01'; END $$",
        "(p int) RETURNS day LANGUAGE plpgsql AS $$ BEGIN RETURN 'today'; END $$",
        "(p int) RETURNS bool LANGUAGE sql STABLE AS"
            + " $$ SELECT bool_or(name::date > '2024-01-01') FROM item WHERE id = 7 $$",
        "(p int, q text = 'today') RETURNS bool LANGUAGE sql AS"
            + " 'SELECT bool_or(q::date > at) FROM item'",
        "(p int, q text = 'today') RETURNS bool LANGUAGE sql AS"
            + " 'SELECT bool_or($2::date > at) FROM item'",
        "(p int, q text = 'today') RETURNS bool LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN (SELECT bool_or(q::date > at) FROM item); END'",
        "(p int, q text = 'today') RETURNS bool LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM 1 FROM item; RETURN q::date > '2024-01-01'; END $$",
        "(p int, q text = 'today') RETURNS bool LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM 1 FROM item; RETURN max(q)::date > '2024-01-01'; END $$",
        "(p int, q text = 'today') RETURNS bool LANGUAGE plpgsql AS"
            + " 'DECLARE r text := q; BEGIN RETURN (SELECT bool_or(r::date > at) FROM item); END'",
        "(p int) RETURNS bool LANGUAGE sql STABLE AS"
            + " $$ SELECT bool_and(at < now()) FROM item $$",
        "(p int) RETURNS float LANGUAGE sql AS 'SELECT random() FROM part LIMIT 1'",
        "(p int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM twice'",
        "(p int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM pg_class'",
        "(p int) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT folded(p)'",
        "(p int) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT count(*) FROM part'",
        "(p int) RETURNS int LANGUAGE plpgsql AS"
            + " $$ DECLARE n int; BEGIN EXECUTE 'SELECT 1 FROM part' INTO n; RETURN n; END $$",
        "(p int) RETURNS int LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO other VALUES (1); RETURN 1; END $$",
        "(p int) RETURNS text LANGUAGE sql STABLE AS"
            + " 'SELECT current_setting(name, true) FROM item LIMIT 1'",
        "(p int) RETURNS int LANGUAGE sql AS 'SELECT id FROM part LIMIT 1 FOR UPDATE'",
        "(p int) RETURNS bigint LANGUAGE sql SET search_path = public, ops AS"
            + " 'SELECT count(*) FROM item WHERE id === 0'",
        "(p int, at text DEFAULT 'now') RETURNS bigint LANGUAGE sql STABLE AS"
            + " $$ SELECT count(*) FROM generate_series(at::timestamptz, at::timestamptz, '1 day') d"
            + " JOIN item i ON i.at > d $$",
        "(p int, at text DEFAULT 'now') RETURNS bigint LANGUAGE plpgsql STABLE AS"
            + " $$ BEGIN RETURN (SELECT count(*) FROM part p JOIN other o ON at::timestamptz < now()"
            + " JOIN item i ON i.id = o.id); END $$",
        "(p int) RETURNS text LANGUAGE plpgsql STABLE AS"
            + " $$ DECLARE r record; BEGIN SELECT zoned INTO r FROM shop;"
            + " RETURN r.zoned AT TIME ZONE 'Europe/Berlin'; END $$",
        "(p int) RETURNS bool LANGUAGE plpgsql STABLE AS"
            + " $$ DECLARE r record; BEGIN SELECT * INTO r FROM shop; RETURN r.opens < r.zoned; END $$",
        "(p int) RETURNS timetz LANGUAGE sql STABLE AS"
            + " $$ SELECT make_time(8, 0, 0) AT TIME ZONE 'UTC' FROM part LIMIT 1 $$",
      })
  void whatMayBeAnythingIsNotCached(String function) throws SQLException {
    open("CREATE FUNCTION f" + function);
    assertThat(reason(connection, "SELECT f(id) FROM item")).isNotNull();
    assertThat(isHit(connection, "SELECT f(id) FROM item")).isFalse();
  }

  @Test
  void aSettingThatItReadsIsPartOfTheKey() throws SQLException {
    open(
        "CREATE FUNCTION f(p int) RETURNS numeric LANGUAGE sql STABLE AS $$ SELECT sum(price)"
            + " FROM part WHERE item = p AND price > current_setting('App.least', true)::numeric $$");
    for (String least : new String[] {"5", "15", "5", "15"}) {
      run(connection, "SET app.least = " + least);
      run(bare, "SET app.least = " + least);
      fill(connection, CALL);
      assertThat(rows(connection, CALL)).isEqualTo(rows(bare, CALL));
    }
    run(connection, "SET app.least = 5");
    assertThat(isHit(connection, CALL)).isTrue();
  }

  @Test
  void aBodyThatIsReplacedIsReadAnew() throws SQLException {
    open("CREATE FUNCTION f(p int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM part'");
    fill(connection, CALL);
    run(
        connection,
        "CREATE OR REPLACE FUNCTION f(p int) RETURNS bigint LANGUAGE sql AS"
            + " 'SELECT count(*) FROM other'");
    awaitCatalog(connection);
    fill(connection, CALL);
    assertThat(rows(connection, CALL)).isEqualTo(rows(bare, CALL));
    run(connection, "INSERT INTO other VALUES (1)");
    assertThat(rows(connection, CALL)).isEqualTo(rows(bare, CALL));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT f(id) AT TIME ZONE 'Europe/Berlin' FROM item",
        "SELECT timezone('Europe/Berlin', f(id)) FROM item",
        "SELECT id, make_time(8, 0, 0) AT TIME ZONE 'UTC' FROM item",
        "SELECT id FROM item WHERE f(id) < make_time(8, 0, 0)"
      })
  void aTimeThatAFunctionReturnsReadsTheClock(String sql) throws SQLException {
    open(
        "CREATE FUNCTION f(p int) RETURNS timetz LANGUAGE sql IMMUTABLE AS"
            + " $$ SELECT '08:00+02'::timetz $$");
    assertThat(isHit(connection, sql)).isFalse();
    assertThat(isHit(connection, sql)).isFalse();
    assertThat(reason(connection, sql)).contains("time of day");
  }

  @Test
  void aTypeOfASchemaThatHasNothingElseIsFound() throws SQLException {
    open(
        "SET search_path = public, types; CREATE FUNCTION f(p int) RETURNS bool LANGUAGE sql STABLE"
            + " AS 'SELECT bool_or(i.at > q.name::moment) FROM item i, item q WHERE q.id = 7'");
    run(connection, "SET search_path = public, types");
    assertThat(reason(connection, "SELECT f(id) FROM item")).isNotNull();
    assertThat(isHit(connection, "SELECT f(id) FROM item")).isFalse();
  }

  /** The operator is found by the path of the session, in which alone it has a name. */
  @Test
  void anOperatorOfASchemaThatHasNothingElseIsFound() throws SQLException {
    open(
        "CREATE FUNCTION f(p int) RETURNS int LANGUAGE plpgsql AS"
            + " 'BEGIN IF 1 !== 0 THEN RETURN 1; END IF; RETURN 0; END'");
    run(connection, "INSERT INTO other VALUES (1)", "SET search_path = public, ops");
    String read = "SELECT id FROM other";
    fill(connection, read);
    rows(connection, "SELECT f(1)");
    assertThat(rows(connection, read)).isEqualTo(rows(bare, read)).containsExactly("2");
  }

  @Test
  void ofAView() throws SQLException {
    open(
        "CREATE FUNCTION f(p int) RETURNS numeric LANGUAGE sql STABLE AS"
            + " 'SELECT sum(price) FROM part WHERE item = p'");
    database.execute("CREATE VIEW totals AS SELECT id, f(id) FROM item");
    run(connection, "CREATE TABLE more (id int)");
    awaitCatalog(connection);
    String sql = "SELECT * FROM totals ORDER BY id";
    fill(connection, sql);
    run(connection, "UPDATE part SET price = 200 WHERE id = 2");
    assertThat(rows(connection, sql)).isEqualTo(rows(bare, sql));
  }

  /** The server adds them when it plans: no tree shows them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(p int, q int DEFAULT viewer()) RETURNS bool LANGUAGE sql STABLE AS 'SELECT p = q'",
        "(p int, q timestamptz DEFAULT now()) RETURNS bool LANGUAGE sql STABLE AS"
            + " $$ SELECT q > '2024-01-01' $$",
        "(p int, q float DEFAULT random()) RETURNS bool LANGUAGE sql STABLE AS 'SELECT q > 0.5'"
      })
  void defaultsOfAPolicysFunctionCount(String function) throws SQLException {
    open("CREATE FUNCTION viewer() RETURNS int LANGUAGE sql STABLE AS 'SELECT max(id) FROM other'");
    database.execute(
        "CREATE FUNCTION f" + function,
        "CREATE POLICY own ON part USING (f(item))",
        "ALTER TABLE part ENABLE ROW LEVEL SECURITY");
    run(connection, "CREATE TABLE more (id int)");
    awaitCatalog(connection);
    assertThat(isHit(connection, "SELECT id FROM part")).isFalse();
    assertThat(isHit(connection, "SELECT id FROM part")).isFalse();
    assertThat(reason(connection, "SELECT id FROM part")).contains("policy");
  }

  @Test
  void ofAPolicy() throws SQLException {
    open(
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql STABLE AS"
            + " $$ SELECT nullif(current_setting('app.item', true), '')::int $$");
    database.execute(
        "CREATE FUNCTION mine(p int) RETURNS bool LANGUAGE plpgsql STABLE SECURITY DEFINER"
            + " SET search_path = public AS"
            + " $$ BEGIN RETURN EXISTS (SELECT 1 FROM other WHERE id = p); END $$",
        "CREATE POLICY own ON part USING (item = f() OR mine(id))",
        "ALTER TABLE part ENABLE ROW LEVEL SECURITY",
        "CREATE ROLE reader_of_functions",
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO reader_of_functions");
    try {
      run(connection, "CREATE TABLE more (id int)");
      awaitCatalog(connection);
      String sql = "SELECT id, price FROM part ORDER BY id";
      for (Connection each : new Connection[] {connection, bare}) {
        run(each, "SET ROLE reader_of_functions");
      }
      for (String item : new String[] {"1", "2", "1", "2"}) {
        run(connection, "SET app.item = " + item);
        run(bare, "SET app.item = " + item);
        fill(connection, sql);
        assertThat(rows(connection, sql)).isEqualTo(rows(bare, sql));
      }
      run(connection, "INSERT INTO other VALUES (1)");
      assertThat(rows(connection, sql)).isEqualTo(rows(bare, sql)).hasSize(2);
    } finally {
      run(connection, "RESET ROLE");
      run(bare, "RESET ROLE");
      database.execute("DROP OWNED BY reader_of_functions", "DROP ROLE reader_of_functions");
    }
  }
}
