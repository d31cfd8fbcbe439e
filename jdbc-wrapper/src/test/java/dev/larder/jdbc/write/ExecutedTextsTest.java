package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a trigger writes by texts that it makes of its table's name and of its arguments. */
@Tag("regression")
final class ExecutedTextsTest {
  private static final String UNRELATED = "SELECT name FROM unrelated";
  private static final List<String> LOGS =
      List.of("item_log", "orders_log", "parts_1_log", "\"Odd one_log\"", "over_log", "kept");

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE unrelated (name text)",
        "INSERT INTO unrelated VALUES ('first')",
        "CREATE TABLE item (id int, name text)",
        "CREATE TABLE orders (id int, name text)",
        "CREATE TABLE \"Odd one\" (id int, name text)",
        "CREATE TABLE parts (id int, name text) PARTITION BY LIST (id)",
        "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1)",
        "CREATE VIEW over AS SELECT * FROM item");
    for (String log : LOGS) {
      database.execute("CREATE TABLE " + log + " (id int, name text)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private void trigger(String table, String when, String executed, String... arguments)
      throws SQLException {
    database.execute(
        "CREATE OR REPLACE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql AS $body$"
            + " DECLARE q text := 'INSERT INTO ' || quote_ident(TG_TABLE_NAME || '_log'); late text;"
            + " BEGIN EXECUTE "
            + executed
            + "; RETURN NEW; END $body$",
        "CREATE TRIGGER follow %s ON %s FOR EACH ROW EXECUTE FUNCTION follow(%s)"
            .formatted(when, table, String.join(", ", arguments)));
  }

  /** Returns how many results of {@code reads} were hits; all answers are as the driver's. */
  private int hitsAfter(Connection connection, String write, List<String> reads)
      throws SQLException {
    for (String read : reads) {
      LarderProbe.fill(connection, read);
    }
    LarderProbe.run(connection, write);
    int hits = 0;
    try (Connection bare = database.connect()) {
      for (String read : reads) {
        hits += LarderProbe.isHit(connection, read) ? 1 : 0;
        assertThat(LarderProbe.rows(connection, read))
            .as("%s after %s", read, write)
            .isEqualTo(LarderProbe.rows(bare, read));
      }
    }
    return hits;
  }

  private static List<String> logs() {
    return LOGS.stream().map(log -> "SELECT count(*), min(id), min(name) FROM " + log).toList();
  }

  private boolean isPrecise(Connection connection, String write) throws SQLException {
    List<String> logs = logs();
    assertThat(hitsAfter(connection, write, logs)).isLessThan(logs.size());
    return hitsAfter(connection, write, List.of(UNRELATED)) == 1;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "format('INSERT INTO %I VALUES (%L, %L)', TG_TABLE_NAME || '_log', NEW.id, NEW.name)",
        "format('INSERT INTO %s.%I SELECT ($1).*', TG_TABLE_SCHEMA, TG_TABLE_NAME || '_log')"
            + " USING NEW",
        "'INSERT INTO ' || quote_ident(TG_RELNAME || '_log') || ' VALUES ($1, $2)'"
            + " USING NEW.id, NEW.name",
        "'INSERT INTO ' || TG_ARGV[1] || ' SELECT $1.*' USING NEW",
        "format('INSERT INTO %2$I (%1$I) VALUES (%3$L)', TG_ARGV[0], TG_ARGV[1], NEW.name)",
        "q || ' VALUES ($1)' USING NEW.id",
        "format('WITH a AS (%s VALUES (%L) RETURNING *) SELECT 1 FROM a', q, NEW.id)"
      })
  void onlyItsOwnLogIsDropped(String executed) throws SQLException {
    trigger("item", "AFTER INSERT", executed, "name", "'item_log'");
    try (Connection connection = LarderProbe.connect(database)) {
      assertThat(isPrecise(connection, "INSERT INTO item VALUES (1, '''x')")).isTrue();
    }
  }

  @Test
  void eachTableHasItsOwn() throws SQLException {
    String executed = "q || ' SELECT ($1).*' USING NEW";
    for (String table : List.of("item", "orders", "\"Odd one\"")) {
      trigger(table, "AFTER INSERT", executed);
    }
    try (Connection connection = LarderProbe.connect(database)) {
      for (String table : List.of("item", "\"Odd one\"", "orders", "item")) {
        String write = "INSERT INTO " + table + " VALUES (1, 'x')";
        assertThat(isPrecise(connection, write)).as(write).isTrue();
        assertThat(hitsAfter(connection, write, logs())).as(write).isEqualTo(LOGS.size() - 1);
      }
      LarderProbe.run(
          connection,
          "ALTER TABLE item RENAME TO item2",
          "ALTER TABLE orders RENAME TO item",
          "ALTER TABLE item2 RENAME TO orders");
      LarderProbe.awaitCatalog(connection);
      hitsAfter(connection, "INSERT INTO item VALUES (2, 'y')", logs());
      hitsAfter(connection, "INSERT INTO orders VALUES (2, 'y')", logs());
    }
  }

  @Test
  void aPartitionIsToldItsOwnName() throws SQLException {
    trigger("parts", "AFTER INSERT OR UPDATE", "q || ' SELECT ($1).*' USING NEW");
    try (Connection connection = LarderProbe.connect(database)) {
      assertThat(isPrecise(connection, "INSERT INTO parts VALUES (1, 'x')")).isFalse();
      assertThat(isPrecise(connection, "UPDATE parts SET name = 'z'")).isFalse();
      assertThat(isPrecise(connection, "INSERT INTO parts_1 VALUES (1, 'x')")).isTrue();
    }
  }

  @Test
  void aViewIsToldItsOwnName() throws SQLException {
    trigger("over", "INSTEAD OF INSERT", "q || ' SELECT ($1).*' USING NEW");
    try (Connection connection = LarderProbe.connect(database)) {
      assertThat(isPrecise(connection, "INSERT INTO over VALUES (1, 'x')")).isTrue();
    }
  }

  /** Whatever the row holds cannot end the constant, nor what it stands in. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "format(E'INSERT INTO item_log VALUES (1) -- %L\\n', NEW.name)",
        "format('INSERT INTO item_log VALUES (1, ''%L'')', NEW.name)",
        "format('INSERT INTO item_log VALUES (1, $x$%L$x$)', NEW.name)",
        "'INSERT INTO item_log VALUES (1) -- ' || quote_literal(NEW.name)",
        "format('INSERT INTO item_log (\"id%L\") VALUES (1)', NEW.name)"
      })
  void aConstantMayNotStandInAnother(String executed) throws SQLException {
    trigger("item", "AFTER INSERT", executed);
    for (String evil :
        List.of(
            "E'\\n; DELETE FROM kept; SELECT '",
            "'); DELETE FROM kept; SELECT ('",
            "'$x$); DELETE FROM kept; SELECT ($x$'")) {
      database.execute("INSERT INTO kept VALUES (1)");
      try (Connection connection = LarderProbe.connect(database)) {
        String write = "INSERT INTO item VALUES (1, %s)".formatted(evil);
        List<String> logs = logs();
        for (String log : logs) {
          LarderProbe.fill(connection, log);
        }
        try {
          LarderProbe.run(connection, write);
        } catch (SQLException e) {
          // The text that comes of it is none.
        }
        hitsAfter(connection, "SELECT 1", logs);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE FUNCTION format(text, text, text) RETURNS text LANGUAGE sql AS"
            + " $$ SELECT 'INSERT INTO kept VALUES (1)' $$",
        "CREATE FUNCTION quote_ident(name) RETURNS text LANGUAGE sql AS $$ SELECT 'kept' $$",
        "CREATE FUNCTION other(name, text) RETURNS text LANGUAGE sql AS $$ SELECT 'kept'::text $$;"
            + " CREATE OPERATOR || (LEFTARG = name, RIGHTARG = text, FUNCTION = other)"
      })
  void whatIsCalledLikeTheServersOwnIsNotTakenForIt(String user) throws SQLException {
    database.execute(user);
    trigger(
        "item",
        "AFTER INSERT",
        "format('INSERT INTO %s VALUES (%s)', quote_ident(TG_TABLE_NAME) || '_log'::text,"
            + " '1'::text)");
    try (Connection connection = LarderProbe.connect(database)) {
      List<String> logs = logs();
      for (String log : logs) {
        LarderProbe.fill(connection, log);
      }
      try {
        LarderProbe.run(connection, "INSERT INTO item VALUES (1, 'x')");
      } catch (SQLException e) {
        // The text that comes of it is none.
      }
      hitsAfter(connection, "SELECT 1", logs);
      assertThat(hitsAfter(connection, "DELETE FROM item", List.of(UNRELATED))).isOne();
    }
  }

  @Test
  void whatMayBeNullIsNotTakenForAText() throws SQLException {
    database.execute(
        "CREATE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE late text; BEGIN"
            + " IF NEW.id > 1 THEN late := '_log'; END IF;"
            + " EXECUTE format('INSERT INTO kept%s VALUES (1)', late); RETURN NULL; END $$",
        "CREATE TRIGGER follow AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION follow()",
        "CREATE TABLE kept_log (id int)");
    try (Connection connection = LarderProbe.connect(database)) {
      List<String> reads = List.of("SELECT count(*) FROM kept", "SELECT count(*) FROM kept_log");
      hitsAfter(connection, "INSERT INTO item VALUES (1)", reads);
      hitsAfter(connection, "INSERT INTO item VALUES (2)", reads);
    }
  }

  /** Each has once been believed to write something else. */
  private void isAsTheDriverAnswers(String write, String... setup) throws SQLException {
    database.execute("CREATE TABLE secret (id int, name text)", "CREATE TABLE kept_log (id int)");
    database.execute("INSERT INTO kept VALUES (1, 'a')");
    database.execute(setup);
    List<String> reads = new ArrayList<>(logs());
    reads.add("SELECT count(*) FROM secret");
    reads.add("SELECT count(*) FROM kept_log");
    reads.add("SELECT id, name FROM item");
    try (Connection connection = LarderProbe.connect(database)) {
      hitsAfter(connection, write, reads);
    }
  }

  private static String follow(String when, String body) {
    return "CREATE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql AS $body$ "
        + body
        + " $body$; CREATE TRIGGER follow "
        + when
        + " ON item FOR EACH ROW EXECUTE FUNCTION follow()";
  }

  @ParameterizedTest
  @ValueSource(strings = {"($1).audit", "$1.audit"})
  void aFieldOfAParameterMayBeACall(String field) throws SQLException {
    String writes = "AS $$ BEGIN INSERT INTO secret VALUES (1); RETURN 1; END $$";
    isAsTheDriverAnswers(
        "INSERT INTO item VALUES (7, 'seven')",
        "CREATE FUNCTION audit(item) RETURNS int LANGUAGE plpgsql " + writes,
        follow(
            "AFTER INSERT",
            "BEGIN EXECUTE 'INSERT INTO item_log (id) SELECT "
                + field
                + "' USING NEW; RETURN NULL; END"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"($1).total", "$1.total"})
  void aFieldOfAParameterThatIsReadMayBeACall(String field) throws SQLException {
    database.execute(
        "CREATE FUNCTION total(text) RETURNS bigint LANGUAGE sql STABLE"
            + " AS $$ SELECT count(*) FROM kept $$",
        "CREATE FUNCTION f(text) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT " + field + " $$",
        "INSERT INTO item VALUES (1, 'a')");
    try (Connection connection = LarderProbe.connect(database)) {
      hitsAfter(
          connection,
          "INSERT INTO kept VALUES (3)",
          List.of("SELECT count(*) FROM item WHERE f(name) = 0"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DECLARE sqlerrm text := 'INSERT INTO item_log VALUES (1)'; BEGIN BEGIN RAISE EXCEPTION"
            + " 'INSERT INTO kept VALUES (1)'; EXCEPTION WHEN OTHERS THEN EXECUTE sqlerrm; END;"
            + " RETURN NULL; END",
        "DECLARE q text := 'INSERT INTO ' || tg_table_name || '_log VALUES (1)'; tg_table_name text"
            + " := 'orders'; BEGIN EXECUTE q; RETURN NULL; END"
      })
  void aNameMayMeanAnotherVariable(String body) throws SQLException {
    isAsTheDriverAnswers("INSERT INTO item VALUES (7, 'seven')", follow("AFTER INSERT", body));
  }

  @Test
  void aParameterIsMeantBeforeTheDeclarationThatHidesIt() throws SQLException {
    isAsTheDriverAnswers(
        "SELECT f('INSERT INTO secret VALUES (1)')",
        "CREATE FUNCTION f(b text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE a text := b;"
            + " b text := 'INSERT INTO orders_log VALUES (1)'; BEGIN EXECUTE a; RETURN 1; END $$");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'DELETE FROM ' || quote_ident('kept') || '_log'",
        "format('UPDATE %I_log SET id = 2', 'kept')"
      })
  void theServerMayQuoteAllNames(String executed) throws SQLException {
    database.execute("ALTER DATABASE " + database.name() + " SET quote_all_identifiers = on");
    isAsTheDriverAnswers(
        "INSERT INTO item VALUES (7, 'seven')",
        follow("AFTER INSERT", "BEGIN EXECUTE " + executed + "; RETURN NULL; END"));
  }

  @Test
  void aTypeMayBeCalledLikeAFunctionOfTheServers() throws SQLException {
    isAsTheDriverAnswers(
        "INSERT INTO item VALUES (7, 'seven')",
        "CREATE DOMAIN quote_ident AS text",
        "CREATE TABLE \"Kept\" (id int)",
        follow(
            "AFTER INSERT",
            "BEGIN EXECUTE 'DELETE FROM ' || quote_ident('Kept'); RETURN NULL; END"));
  }

  /** The server cuts a name after 63 bytes. */
  @Test
  void aTypeMayBeCalledLikeTheServersText() throws SQLException {
    isAsTheDriverAnswers(
        "INSERT INTO item VALUES (7, 'seven')",
        "CREATE DOMAIN text AS name",
        "ALTER DATABASE " + database.name() + " SET search_path = public, pg_catalog",
        follow(
            "AFTER INSERT",
            "DECLARE q text := 'DELETE FROM "
                + " ".repeat(47)
                + "kept_log'; BEGIN EXECUTE q; RETURN NULL; END"));
  }

  /** To the server {@code t.insert} is one word, and INTO behind it names variables. */
  @ParameterizedTest
  @ValueSource(strings = {"insert", "merge"})
  void intoBehindAColumnNamesVariables(String column) throws SQLException {
    database.execute(
        "INSERT INTO item VALUES (2, 'two')",
        "ALTER TABLE item ADD PRIMARY KEY (id)",
        "CREATE TABLE ins (id int, " + column + " int)",
        "INSERT INTO ins VALUES (1, 5)",
        follow(
            "BEFORE UPDATE",
            "BEGIN UPDATE ins SET id = id + 1 RETURNING ins."
                + column
                + " INTO NEW.id; RETURN NEW; END"));
    try (Connection connection = LarderProbe.connect(database)) {
      hitsAfter(
          connection,
          "UPDATE item SET name = 'z' WHERE id = 2",
          List.of("SELECT name FROM item WHERE id = 5", "SELECT name FROM item WHERE id = 2"));
    }
  }
}
