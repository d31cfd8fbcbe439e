package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Among many new texts only the words of one are looked at: what it writes is seen all the same.
 */
final class PassingTextsTest {
  private static final String LOG = "SELECT count(*) FROM log";

  private static TestDatabase database;

  @BeforeAll
  static void create() throws SQLException {
    LarderProbe.firstParses(0);
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE log (x int)",
        "CREATE TABLE item (id int)",
        "INSERT INTO item VALUES (1)",
        "CREATE FUNCTION logged(int) RETURNS int LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO public.log VALUES (1); RETURN $1; END'",
        "CREATE FUNCTION noted(item) RETURNS int LANGUAGE sql AS 'SELECT public.logged(1)'",
        "CREATE FUNCTION is_logged(int, int) RETURNS boolean LANGUAGE sql AS"
            + " 'SELECT public.logged($1) = $2'",
        "CREATE OPERATOR ~== (LEFTARG = int, RIGHTARG = int, FUNCTION = is_logged)",
        "CREATE OPERATOR ~~ (LEFTARG = int, RIGHTARG = int, FUNCTION = is_logged)",
        "CREATE VIEW watched AS SELECT logged(id) AS id FROM item",
        "CREATE VIEW over_watched AS SELECT id FROM watched",
        "CREATE DOMAIN checked AS int CHECK (logged(VALUE) > 0)",
        "CREATE SCHEMA other",
        "CREATE FUNCTION other.logged_there() RETURNS int LANGUAGE sql AS 'SELECT logged(1)'");
  }

  @AfterAll
  static void drop() throws SQLException {
    LarderProbe.firstParses(-1);
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT logged(id) AS once FROM item",
        "SELECT \"logged\" (id) AS once FROM item",
        "SELECT item.noted AS once FROM item",
        "SELECT (item).noted AS once FROM item",
        "SELECT id AS once FROM item WHERE id ~== 1",
        "SELECT id AS once FROM item WHERE id LIKE 1",
        "SELECT id AS once FROM watched",
        "SELECT id AS once FROM over_watched",
        "SELECT CAST(id AS checked) AS once FROM item",
        "SELECT other.logged_there() AS once",
        "WITH written AS (INSERT INTO log VALUES (1) RETURNING x) SELECT x AS once FROM written",
        "SELECT id AS once FROM item; INSERT INTO log VALUES (1)",
        "SELECT query_to_xml('SELECT logged(1)', true, true, '') AS once",
      })
  void whatATextWritesIsSeen(String text) throws SQLException {
    try (Connection reader = LarderProbe.connect(database);
        Connection writer = LarderProbe.connect(database)) {
      LarderProbe.fill(reader, LOG);
      String before = database.queryString(LOG);
      LarderProbe.run(writer, text);

      assertThat(database.queryString(LOG)).as("written").isNotEqualTo(before);
      assertThat(LarderProbe.rows(reader, LOG)).containsExactly(database.queryString(LOG));
    }
  }

  @Test
  void aFunctionThatCameMeanwhileIsSeen() throws SQLException {
    try (Connection reader = LarderProbe.connect(database);
        Connection writer = LarderProbe.connect(database)) {
      LarderProbe.run(writer, "SELECT id AS first FROM item");
      LarderProbe.run(
          writer, "CREATE FUNCTION late() RETURNS int LANGUAGE sql AS 'SELECT logged(1)'");
      LarderProbe.awaitCatalog(reader);
      LarderProbe.fill(reader, LOG);
      LarderProbe.run(writer, "SELECT late() AS once");

      assertThat(LarderProbe.rows(reader, LOG)).containsExactly(database.queryString(LOG));
    }
  }

  @Test
  void settingsThatATextChangesAreKnown() throws SQLException {
    String sql = "SELECT timestamptz '2020-01-02 00:00Z' || '', id FROM item";
    try (Connection connection = LarderProbe.connect(database)) {
      LarderProbe.run(connection, "SET TimeZone = 'UTC'");
      LarderProbe.fill(connection, sql);
      LarderProbe.run(connection, "SELECT set_config('TimeZone', 'Asia/Tokyo', false) AS once");

      assertThat(LarderProbe.rows(connection, sql)).singleElement().asString().contains("+09");
    }
  }

  @Test
  void whatOnlyReadsInvalidatesNothing() throws SQLException {
    try (Connection reader = LarderProbe.connect(database);
        Connection writer = LarderProbe.connect(database)) {
      LarderProbe.fill(reader, LOG);
      LarderProbe.run(
          writer, "SELECT id AS once, lower('A') FROM item WHERE id = 1 ORDER BY id LIMIT 3");

      assertThat(LarderProbe.isHit(reader, LOG)).isTrue();
    }
  }

  /** A temporary view may call what writes, and is in no catalog. */
  @Test
  void whatIsTemporaryIsSeen() throws SQLException {
    try (Connection reader = LarderProbe.connect(database);
        Connection writer = LarderProbe.connect(database)) {
      LarderProbe.run(writer, "CREATE TEMP VIEW mine AS SELECT logged(id) AS id FROM item");
      LarderProbe.awaitCatalog(reader);
      LarderProbe.fill(reader, LOG);
      LarderProbe.run(writer, "SELECT id AS once FROM mine");

      assertThat(LarderProbe.rows(reader, LOG)).containsExactly(database.queryString(LOG));
    }
  }
}
