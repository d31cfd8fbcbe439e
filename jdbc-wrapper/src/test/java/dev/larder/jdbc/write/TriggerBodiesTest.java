package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a trigger writes is read from its body: results of the tables that it writes are dropped,
 * and others stay.
 */
final class TriggerBodiesTest {
  private static final String READ = "SELECT name FROM item";
  private static final String LOG = "SELECT count(*) FROM log";

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('first')",
        "CREATE TABLE orders (id int PRIMARY KEY, customer int, n numeric, updated_at timestamptz)",
        "INSERT INTO orders SELECT i, i % 3, i, now() FROM generate_series(1, 9) i",
        "CREATE TABLE lines (id int, orders int REFERENCES orders ON DELETE CASCADE)",
        "CREATE TABLE log (was jsonb, is_now jsonb, at timestamptz, who text)",
        "CREATE TABLE counts (customer int, n int)",
        "INSERT INTO counts SELECT i, 3 FROM generate_series(0, 2) i");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private void trigger(String when, String body, String... options) throws SQLException {
    database.execute(
        "CREATE OR REPLACE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql "
            + String.join(" ", options)
            + " AS $body$ "
            + body
            + " $body$",
        "CREATE TRIGGER follow " + when + " ON orders FOR EACH ROW EXECUTE FUNCTION follow()");
  }

  /** Writes, and looks whether what both queries read is answered as by the database alone. */
  private void assertWrites(String write, String written) throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      assertWrites(connection, write, written);
    }
  }

  private void assertWrites(Connection connection, String write, String written)
      throws SQLException {
    LarderProbe.fill(connection, READ);
    LarderProbe.fill(connection, written);
    String before = LarderProbe.rows(connection, written).toString();
    LarderProbe.run(connection, write);
    assertThat(LarderProbe.isHit(connection, READ)).as("an unrelated result is hit").isTrue();
    String after = LarderProbe.rows(connection, written).toString();
    assertThat(after).as("the trigger has written").isNotEqualTo(before);
    try (Connection bare = database.connect()) {
      assertThat(after).isEqualTo(LarderProbe.rows(bare, written).toString());
    }
  }

  private void assertWritesAnything(String write) throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      LarderProbe.fill(connection, READ);
      assertThat(LarderProbe.isHit(connection, READ)).isTrue();
      LarderProbe.run(connection, write);
      assertThat(LarderProbe.isHit(connection, READ)).isFalse();
    }
  }

  private static final String UPDATE = "UPDATE orders SET n = n + 1 WHERE id = 1";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN INSERT INTO log VALUES (to_jsonb(OLD), to_jsonb(NEW), now(), current_user);"
            + " RETURN NULL; END",
        "BEGIN IF TG_OP = 'INSERT' THEN INSERT INTO log (is_now) VALUES (to_jsonb(NEW));"
            + " RETURN NEW; ELSIF (TG_OP = 'UPDATE') THEN INSERT INTO public.log VALUES"
            + " (row_to_json(OLD)::jsonb, to_jsonb(NEW)); RETURN NEW; ELSE RETURN OLD; END IF; END;",
        "DECLARE found_one log%ROWTYPE; n numeric(10, 2) := 0; item int; BEGIN"
            + " SELECT count(*) INTO STRICT n FROM orders; SELECT INTO item, n o.id, o.n FROM orders o"
            + " WHERE o.id = NEW.id; INSERT INTO log (who) VALUES (n) RETURNING * INTO found_one;"
            + " RETURN NULL; END",
        "BEGIN IF EXISTS (SELECT 1 FROM counts WHERE customer = NEW.customer) THEN"
            + " INSERT INTO log (who) VALUES ('known'); END IF; RETURN NULL; END",
        "DECLARE r record; BEGIN FOR r IN SELECT * FROM counts LOOP"
            + " INSERT INTO log (who) VALUES (r.n::text); END LOOP; RETURN NULL; END",
        "DECLARE i int; ids int[] := ARRAY[1, 2]; BEGIN FOR i IN 1..2 LOOP"
            + " INSERT INTO log (who) VALUES (i); END LOOP;"
            + " FOR i IN REVERSE 3 .. 1 BY 2 LOOP ids[i] := i; END LOOP;"
            + " FOREACH i IN ARRAY ids LOOP CONTINUE WHEN i IS NULL; END LOOP; RETURN NULL; END",
        "BEGIN INSERT INTO log (who) VALUES ('a'); BEGIN PERFORM 1 / 0;"
            + " EXCEPTION WHEN unique_violation OR division_by_zero THEN"
            + " INSERT INTO log (who) VALUES (SQLERRM); WHEN OTHERS THEN NULL; END; RETURN NULL; END",
        "<<block>> DECLARE n int; BEGIN GET DIAGNOSTICS n = ROW_COUNT; n := 2;"
            + " CASE n WHEN 1, 2 THEN INSERT INTO log (who) VALUES (block.n); ELSE NULL; END CASE;"
            + " CASE WHEN n > 5 THEN RAISE NOTICE 'n %', n USING HINT = 'none'; ELSE NULL; END CASE;"
            + " WHILE n > 0 LOOP n := n - 1; END LOOP; LOOP n := n + 1; EXIT WHEN n > 2; END LOOP;"
            + " ASSERT n = 3, 'three'; RETURN NULL; END block",
        "DECLARE log text := 'x'; item text; BEGIN INSERT INTO log (who) VALUES (log);"
            + " item := log; RETURN NULL; END",
        "-- it's a comment; INSERT INTO nowhere\n BEGIN /* EXECUTE /* nested */ 'x' */"
            + " INSERT INTO \"log\" (\"who\") VALUES ($$it's; EXECUTE$$ || E'\\n;' || ';'); RETURN NULL; END",
        "BEGIN WITH gone AS (DELETE FROM counts WHERE customer = 7 RETURNING *)"
            + " INSERT INTO log (who) SELECT count(*) FROM gone; RETURN NULL; END",
        "DECLARE n int; BEGIN n := count(*) FROM counts; n := n + (SELECT max(id) FROM orders);"
            + " INSERT INTO log (who) VALUES (n::text); RETURN NULL; END",
        "BEGIN TRUNCATE lines; INSERT INTO log (who) VALUES ('emptied'); RETURN NULL; END"
      })
  void anAuditTriggerWritesItsTableAlone(String body) throws SQLException {
    trigger("AFTER INSERT OR UPDATE", body);
    assertWrites(UPDATE, LOG);
  }

  @Test
  void aCounterTriggerWritesItsCounts() throws SQLException {
    trigger(
        "AFTER UPDATE OR DELETE",
        "BEGIN UPDATE counts SET n = n - 1 WHERE customer = OLD.customer; RETURN OLD; END");
    assertWrites("DELETE FROM orders WHERE id = 1", "SELECT sum(n) FROM counts");
  }

  @Test
  void otherRowsOfTheTableStayBehindAnAfterTriggerAndItsOwnAreDropped() throws SQLException {
    trigger("AFTER UPDATE", "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END");
    try (Connection connection = LarderProbe.connect(database)) {
      String other = "SELECT n FROM orders WHERE id = 2";
      LarderProbe.fill(connection, other);
      assertWrites(connection, UPDATE, "SELECT n FROM orders WHERE id = 1");
      assertThat(LarderProbe.isHit(connection, other)).isTrue();
    }
  }

  @Test
  void aTriggerThatWritesItsOwnTableWritesAllRowsOfIt() throws SQLException {
    trigger(
        "AFTER UPDATE",
        "BEGIN IF pg_trigger_depth() < 2 THEN UPDATE orders SET n = n + 1 WHERE id = 2; END IF;"
            + " RETURN NULL; END");
    assertWrites(UPDATE, "SELECT n FROM orders WHERE id = 2");
  }

  @Test
  void anUpdatedAtTriggerThatReadsATableWritesItsRow() throws SQLException {
    trigger(
        "BEFORE UPDATE",
        "BEGIN SELECT n + 100 INTO NEW.n FROM orders WHERE id = 3; NEW.updated_at := now();"
            + " RETURN NEW; END");
    assertWrites(UPDATE, "SELECT n FROM orders WHERE id = 1");
  }

  @Test
  void aNotificationWritesNothing() throws SQLException {
    trigger(
        "AFTER UPDATE",
        "BEGIN PERFORM pg_notify('orders', NEW.id::text); PERFORM pg_advisory_xact_lock(NEW.id);"
            + " RETURN NEW; END");
    assertWrites(UPDATE, "SELECT sum(n) FROM orders");
  }

  @Test
  void triggersOfWhatATriggerWritesAreFollowed() throws SQLException {
    database.execute(
        "CREATE FUNCTION chained() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE counts SET n = n + 1; RETURN NULL; END $$",
        "CREATE TRIGGER chained AFTER INSERT ON log EXECUTE FUNCTION chained()");
    trigger("AFTER UPDATE", "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END");
    assertWrites(UPDATE, "SELECT sum(n) FROM counts");
  }

  @Test
  void cascadesOfWhatATriggerWritesAreFollowed() throws SQLException {
    database.execute(
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE child (id int REFERENCES parent ON DELETE CASCADE)",
        "INSERT INTO parent VALUES (1)",
        "INSERT INTO child VALUES (1)");
    trigger("AFTER UPDATE", "BEGIN DELETE FROM parent; RETURN NULL; END");
    assertWrites(UPDATE, "SELECT count(*) FROM child");
  }

  @Test
  void triggersBehindACascadeAreFollowed() throws SQLException {
    database.execute(
        "INSERT INTO lines VALUES (1, 1)",
        "CREATE FUNCTION gone() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES ('gone'); RETURN NULL; END $$",
        "CREATE TRIGGER gone AFTER DELETE ON lines FOR EACH ROW EXECUTE FUNCTION gone()");
    assertWrites("DELETE FROM orders WHERE id = 1", LOG);
  }

  @Test
  void functionsThatATriggerCallsAreFollowed() throws SQLException {
    database.execute(
        "CREATE FUNCTION down(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF n = 0 THEN"
            + " INSERT INTO log (who) VALUES ('down'); RETURN 0; END IF; RETURN down(n - 1); END $$");
    trigger("AFTER UPDATE", "BEGIN PERFORM down(3); RETURN NULL; END");
    assertWrites(UPDATE, LOG);
  }

  @Test
  void aFunctionThatAQueryCallsWritesItsTables() throws SQLException {
    database.execute(
        "CREATE FUNCTION note(what text) RETURNS void LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES (what); END $$");
    assertWrites("SELECT note('x')", LOG);
  }

  @Test
  void theFirstSchemaOfTheSessionsPathDecides() throws SQLException {
    database.execute("CREATE SCHEMA first", "CREATE TABLE first.log (LIKE log)");
    trigger("AFTER UPDATE", "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END");
    try (Connection connection = LarderProbe.connect(database, "currentSchema=first,public")) {
      assertWrites(connection, UPDATE, "SELECT count(*) FROM first.log");
      LarderProbe.run(connection, "SET search_path = public, first");
      assertWrites(connection, UPDATE, "SELECT count(*) FROM public.log");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SECURITY DEFINER SET search_path = other, pg_temp", "SET search_path = other"})
  void thePathOfTheFunctionDecides(String options) throws SQLException {
    database.execute("CREATE SCHEMA other", "CREATE TABLE other.log (LIKE log)");
    trigger("AFTER UPDATE", "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END", options);
    assertWrites(UPDATE, "SELECT count(*) FROM other.log");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SECURITY DEFINER",
        "SET search_path = \"$user\", public",
        "SET search_path = public, other"
      })
  void whereThePathIsNotCertainATableOfTwoSchemasMayBeAnything(String options) throws SQLException {
    database.execute("CREATE SCHEMA other", "CREATE TABLE other.log (LIKE log)");
    trigger("AFTER UPDATE", "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END", options);
    assertWritesAnything(UPDATE);
  }

  @Test
  void whereThePathIsNotCertainTheOnlyTableOfANameIsKnown() throws SQLException {
    String body = "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END";
    trigger("AFTER UPDATE", body, "SECURITY DEFINER");
    assertWrites(UPDATE, LOG);
  }

  @Test
  void aTriggerThatMayFireAtCommitSearchesThePathOfThatTime() throws SQLException {
    database.execute(
        "CREATE SCHEMA other",
        "CREATE TABLE other.log (LIKE log)",
        "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES ('late'); RETURN NULL; END $$",
        "CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON orders INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION late()");
    try (Connection connection = LarderProbe.connect(database)) {
      String other = "SELECT count(*) FROM other.log";
      LarderProbe.fill(connection, other);
      assertThat(LarderProbe.isHit(connection, other)).isTrue();
      connection.setAutoCommit(false);
      LarderProbe.run(connection, UPDATE, "SET LOCAL search_path = other");
      connection.commit();
      connection.setAutoCommit(true);
      assertThat(LarderProbe.rows(connection, other)).containsExactly("1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN EXECUTE 'INSERT INTO ' || lower('LOG') || ' (who) VALUES (1)'; RETURN NULL; END",
        "BEGIN PERFORM set_config('search_path', 'other', true); INSERT INTO log VALUES (NULL);"
            + " RETURN NULL; END",
        "BEGIN SET LOCAL search_path = other; INSERT INTO log VALUES (NULL); RETURN NULL; END",
        "DECLARE r record; BEGIN FOR r IN EXECUTE 'SELECT ' || 1 LOOP NULL; END LOOP; RETURN NULL; END",
        "BEGIN CREATE TEMP TABLE IF NOT EXISTS x (); RETURN NULL; END",
        "BEGIN INSERT INTO log (who) VALUES ('\\a'); RETURN NULL; END",
        "#variable_conflict use_column\nBEGIN RETURN NULL; END",
        "BEGIN PERFORM query_to_xml('SELECT 1', true, true, ''); RETURN NULL; END",
        "BEGIN UPDATE pg_settings SET setting = setting WHERE name = 'x'; RETURN NULL; END"
      })
  void otherBodiesMayWriteAnything(String body) throws SQLException {
    database.execute("CREATE SCHEMA other", "CREATE TABLE other.log (LIKE log)");
    trigger("AFTER UPDATE", body);
    assertWritesAnything(UPDATE);
  }

  @Test
  void aBodyThatCallsWhatIsNotUnderstoodMayWriteAnything() throws SQLException {
    database.execute(
        "CREATE FUNCTION hidden() RETURNS int LANGUAGE plpgsql AS"
            + " $$ BEGIN EXECUTE 'SELECT ' || 1; RETURN 1; END $$");
    trigger("AFTER UPDATE", "DECLARE n int := hidden(); BEGIN RETURN NULL; END");
    assertWritesAnything(UPDATE);
  }

  @Test
  void aVariableOfAUsersTypeRunsItsOperatorsAndChecks() throws SQLException {
    database.execute(
        "CREATE TYPE pair AS (a int, b int)",
        "CREATE FUNCTION same(pair, int) RETURNS boolean LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES ('same'); RETURN true; END $$",
        "CREATE OPERATOR = (LEFTARG = pair, RIGHTARG = int, FUNCTION = same)",
        "CREATE FUNCTION vet(int) RETURNS boolean LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE counts SET n = n + 1; RETURN true; END $$",
        "CREATE DOMAIN vetted AS int CHECK (vet(VALUE))");
    trigger(
        "AFTER UPDATE",
        "DECLARE p pair := (1, 2); v vetted; BEGIN IF p = 3 THEN v := 4; END IF; RETURN NULL; END");
    assertWrites(UPDATE, LOG);
    assertWrites(UPDATE, "SELECT sum(n) FROM counts");
  }

  @Test
  void aValueOfAConstantThatIsExecutedIsOfAnyType() throws SQLException {
    database.execute(
        "CREATE TYPE pair AS (a int, b int)",
        "CREATE FUNCTION same(int, pair) RETURNS boolean LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES ('same'); RETURN true; END $$",
        "CREATE OPERATOR = (LEFTARG = int, RIGHTARG = pair, FUNCTION = same)");
    trigger(
        "AFTER UPDATE",
        "DECLARE p pair := (1, 2); BEGIN EXECUTE 'SELECT 3 = $1' USING p; RETURN NULL; END");
    assertWrites(UPDATE, LOG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PERFORM current_setting('a.b')",
        "EXECUTE 'SELECT current_setting(''a.b'')'",
        "FETCH RELATIVE 1 ### 2 FROM c INTO r",
        "MOVE FORWARD 1 ### 2 FROM c",
        "FETCH RELATIVE 1::vetted FROM c INTO r",
        "FETCH RELATIVE vetted '1' FROM c INTO r",
        "FOR r IN changes LOOP NULL; END LOOP",
      })
  void whatLooksHarmlessIsSeenToWrite(String statement) throws SQLException {
    database.execute(
        "CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES ($1); RETURN $1; END $$",
        "CREATE FUNCTION noted(int, int) RETURNS int LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES ($1); RETURN $1; END $$",
        "CREATE OPERATOR ### (LEFTARG = int, RIGHTARG = int, FUNCTION = noted)",
        "CREATE DOMAIN vetted AS int CHECK (noted(VALUE, 1) > 0)",
        "INSERT INTO log (who) VALUES ('first')",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql SET search_path = public, pg_catalog AS"
            + " $$ DECLARE r record; DECLARE c SCROLL CURSOR FOR SELECT 1;"
            + " DECLARE changes CURSOR FOR DELETE FROM log RETURNING who; BEGIN OPEN c; "
            + statement
            + "; RETURN 1; END $$");
    try (Connection connection = LarderProbe.connect(database);
        Connection bare = database.connect()) {
      LarderProbe.fill(connection, LOG);
      LarderProbe.run(connection, "SELECT f()");
      assertThat(LarderProbe.rows(connection, LOG)).isEqualTo(LarderProbe.rows(bare, LOG));
      assertThat(LarderProbe.rows(bare, LOG)).isNotEqualTo(List.of("1"));
    }
  }

  /** The rows of a cursor are computed when they are fetched, in the path that holds then. */
  @Test
  void whatACursorRunsMayRunInAnotherPath() throws SQLException {
    database.execute(
        "CREATE SCHEMA other",
        "CREATE TABLE other.here (n int)",
        "CREATE SCHEMA one",
        "CREATE TABLE one.here (n int)",
        "CREATE FUNCTION late() RETURNS int LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO here VALUES (1); RETURN 1; END $$",
        "CREATE FUNCTION opens() RETURNS int LANGUAGE plpgsql AS $$ DECLARE c refcursor := 'c';"
            + " BEGIN OPEN c FOR SELECT late(); RETURN 1; END $$",
        "CREATE PROCEDURE calls() LANGUAGE plpgsql AS"
            + " $$ DECLARE n int; BEGIN n := opens(); END $$");
    try (Connection connection = LarderProbe.connect(database)) {
      String other = "SELECT count(*) FROM other.here";
      LarderProbe.run(connection, "SET search_path = one, public");
      for (String call :
          List.of("CALL calls()", "SELECT opens()", "DELETE FROM item WHERE opens() = 2")) {
        LarderProbe.fill(connection, other);
        int before = Integer.parseInt(LarderProbe.rows(connection, other).get(0));
        connection.setAutoCommit(false);
        LarderProbe.run(connection, call, "SET LOCAL search_path = other, public", "FETCH c");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(LarderProbe.rows(connection, other)).containsExactly("" + (before + 1));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v vets.v%TYPE", "v public.vets.v%type", "n int; v vets.v%TYPE; m int"})
  void aVariableOfTheTypeOfAColumnRunsItsChecks(String declared) throws SQLException {
    database.execute(
        "CREATE FUNCTION vet(int) RETURNS boolean LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE counts SET n = n + 1; RETURN true; END $$",
        "CREATE DOMAIN vetted AS int CHECK (vet(VALUE))",
        "CREATE TABLE vets (v vetted)");
    trigger("AFTER UPDATE", "DECLARE " + declared + "; BEGIN v := 4; RETURN NULL; END");
    assertWrites(UPDATE, "SELECT sum(n) FROM counts");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v vets", "v vets%ROWTYPE"})
  void aVariableOfTheTypeOfARowRunsItsChecks(String declared) throws SQLException {
    database.execute(
        "CREATE FUNCTION vet(int) RETURNS boolean LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE counts SET n = n + 1; RETURN true; END $$",
        "CREATE DOMAIN vetted AS int CHECK (vet(VALUE))",
        "CREATE TABLE vets (v vetted)");
    trigger("AFTER UPDATE", "DECLARE " + declared + "; BEGIN v.v := 4; RETURN NULL; END");
    assertWrites(UPDATE, "SELECT sum(n) FROM counts");
  }

  @Test
  void aProcedureWritesItsTables() throws SQLException {
    database.execute(
        "CREATE PROCEDURE note(what text) LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES (what); END $$");
    assertWrites("CALL note('x')", LOG);
  }

  /** What {@code actions} do to {@code other.log}, which bodies call {@code log}. */
  private void assertSeesOther(Actions actions) throws SQLException {
    String written = "SELECT count(*) FROM other.log";
    database.execute(
        "CREATE SCHEMA other",
        "CREATE TABLE other.log (LIKE log)",
        "CREATE FUNCTION public.note(what int) RETURNS void LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log (who) VALUES (what); END $$");
    trigger("AFTER UPDATE", "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END");
    try (Connection connection = LarderProbe.connect(database)) {
      LarderProbe.run(connection, UPDATE);
      LarderProbe.fill(connection, written);
      assertThat(LarderProbe.isHit(connection, written)).isTrue();
      actions.run(connection);
      assertThat(LarderProbe.rows(connection, written)).doesNotContain("0");
    }
  }

  /** What is done on a connection. */
  private interface Actions {
    void run(Connection connection) throws SQLException;
  }

  @Test
  void aTextThatSetsThePathIsNotBelievedByTheOldOne() throws SQLException {
    assertSeesOther(
        connection ->
            LarderProbe.run(
                connection,
                "SET search_path = other; UPDATE public.orders SET n = n + 1 WHERE id = 1"));
  }

  @Test
  void aBatchThatSetsThePathIsNotBelievedByTheOldOne() throws SQLException {
    assertSeesOther(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.addBatch("SET search_path = other");
            statement.addBatch("UPDATE public.orders SET n = n + 1 WHERE id = 1");
            statement.executeBatch();
          }
        });
  }

  @Test
  void rowsThatAreFetchedAfterThePathWasSetAreNotBelievedByTheOldOne() throws SQLException {
    assertSeesOther(
        connection -> {
          connection.setAutoCommit(false);
          try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(1);
            ResultSet rows = statement.executeQuery("SELECT public.note(id) FROM orders");
            rows.next();
            LarderProbe.run(connection, "SET search_path = other");
            while (rows.next()) {
              rows.getString(1);
            }
          }
          connection.commit();
          connection.setAutoCommit(true);
        });
  }

  @Test
  void aTemporaryTableThatABodyMeansIsFollowed() throws SQLException {
    database.execute(
        "CREATE FUNCTION chained() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE counts SET n = n + 1; RETURN NULL; END $$");
    trigger("AFTER UPDATE", "BEGIN INSERT INTO log (who) VALUES ('x'); RETURN NULL; END");
    String written = "SELECT sum(n) FROM counts";
    try (Connection connection = LarderProbe.connect(database);
        Connection reader = LarderProbe.connect(database)) {
      LarderProbe.run(
          connection,
          "CREATE TEMP TABLE log (who text)",
          "CREATE TRIGGER chained AFTER INSERT ON log EXECUTE FUNCTION chained()");
      LarderProbe.awaitCatalog(reader);
      LarderProbe.fill(reader, written);
      assertThat(LarderProbe.isHit(reader, written)).isTrue();
      LarderProbe.run(connection, UPDATE);
      assertThat(LarderProbe.rows(reader, written)).containsExactly("12");
    }
  }
}
