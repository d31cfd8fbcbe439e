package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that has parsed a prepared text, or a statement of a function, keeps what it meant then.
 * Another session, which has it parsed now, gets what it means now, and sees what the first writes.
 */
@Tag("regression")
final class ParsedBeforeTest {
  private static final int UNTIL_PREPARED = 7;

  private TestDatabase database;
  private Connection early;
  private Connection late;
  private Connection bare;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA nearer",
        "CREATE TYPE color AS ENUM ('red', 'blue')",
        "CREATE FUNCTION label(numeric) RETURNS text IMMUTABLE LANGUAGE sql"
            + " AS 'SELECT ''numeric''::text'",
        "CREATE TABLE item (id int PRIMARY KEY, at timestamptz, day date, length interval,"
            + " note text, color color)",
        "INSERT INTO item VALUES (1, '2020-01-02 00:00Z', '2020-01-02', '-1 02:03', NULL, 'red'),"
            + " (2, '2020-01-02 05:00Z', '2020-02-01', NULL, 'a\\b', 'blue')",
        "CREATE TABLE log (id int PRIMARY KEY, n int)",
        "INSERT INTO log VALUES (1, 0)",
        "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql"
            + " AS 'BEGIN UPDATE log SET n = n + 1 WHERE id = 1; RETURN NULL; END'",
        "CREATE TABLE logged (id int PRIMARY KEY, n int)",
        "INSERT INTO logged VALUES (1, 0)",
        "CREATE TRIGGER log AFTER UPDATE ON logged FOR EACH ROW EXECUTE FUNCTION log()");
    early = LarderProbe.connect(database);
    late = LarderProbe.connect(database);
    bare = database.connect();
  }

  @AfterEach
  void close() throws SQLException {
    early.close();
    late.close();
    bare.close();
    database.close();
  }

  /** Runs a text until it has a name at the server, never as a hit. */
  private void prepare(String sql) throws SQLException {
    for (int i = 0; i < UNTIL_PREPARED; i++) {
      prepared(early, sql);
      run(
          late,
          "UPDATE item SET id = id, at = at, day = day, length = length, note = note,"
              + " color = color");
    }
  }

  private static List<String> prepared(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return statement.execute() ? rows(statement.getResultSet()) : List.of();
    }
  }

  /** Whether the late one hits what the early one has read is open: with a wrong row it did. */
  private void assertThatTheLateOneReadsAsTheServer(String sql) throws SQLException {
    prepared(early, sql);
    assertThat(prepared(late, sql)).as(sql).isEqualTo(prepared(bare, sql));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "SET TimeZone = 'Asia/Karachi'; SELECT id FROM item WHERE at = '2020-01-02 00:00'",
        "SET DateStyle = 'ISO, DMY'; SELECT id FROM item WHERE day = '01/02/2020'",
        "SET IntervalStyle = 'sql_standard'; SELECT id FROM item WHERE length = '-1 2:03'",
        "SET transform_null_equals = on; SELECT id FROM item WHERE note = NULL",
        "SET standard_conforming_strings = off; SELECT id FROM item WHERE note = 'a\\\\b'",
        "SET array_nulls = off; SELECT id FROM item WHERE ('{NULL}'::text[])[1] IS NULL",
      })
  void aConstantMeansWhatItMeansUnderTheSettingsOfNow(String set, String read) throws SQLException {
    run(late, "SET TimeZone = 'UTC'");
    run(early, "SET TimeZone = 'UTC'");
    run(bare, "SET TimeZone = 'UTC'");
    prepare(read);
    for (Connection each : List.of(early, late, bare)) {
      run(each, set);
    }
    assertThatTheLateOneReadsAsTheServer(read);
  }

  @Test
  void aQueryReadsTheTableThatHasComeNearer() throws SQLException {
    String read = "SELECT id, n FROM log WHERE n >= 0";
    for (Connection each : List.of(early, late, bare)) {
      run(each, "SET search_path = nearer, public");
    }
    for (int i = 0; i < UNTIL_PREPARED; i++) {
      prepared(early, read);
      run(late, "UPDATE log SET n = n + 1");
    }
    comeNearer("log");
    assertThatTheLateOneReadsAsTheServer(read);
  }

  @Test
  void aWriteThatWasPreparedBeforeATableHasComeNearerIsSeen() throws SQLException {
    String write = "UPDATE log SET n = n + 1 WHERE id = 1";
    run(early, "SET search_path = nearer, public");
    for (int i = 0; i < UNTIL_PREPARED; i++) {
      prepared(early, write);
    }
    comeNearer("log");
    assertThatItIsSeen(() -> prepared(early, write));
  }

  @Test
  void aTriggerThatWasPlannedBeforeATableHasComeNearerIsSeen() throws SQLException {
    String write = "UPDATE logged SET n = n + 1 WHERE id = 1";
    run(early, "SET search_path = nearer, public", write, write);
    comeNearer("log");
    assertThatItIsSeen(() -> run(early, write));
  }

  private interface Write {
    void run() throws SQLException;
  }

  private void assertThatItIsSeen(Write write) throws SQLException {
    List<String> tables = List.of("public.log", "nearer.log");
    for (String table : tables) {
      fill(late, "SELECT n FROM " + table + " WHERE id = 1");
    }
    write.run();
    for (String table : tables) {
      String read = "SELECT n FROM " + table + " WHERE id = 1";
      assertThat(rows(late, read)).as(table).isEqualTo(rows(bare, read));
    }
  }

  private void comeNearer(String table) throws SQLException {
    run(
        late,
        "CREATE TABLE nearer." + table + " (id int PRIMARY KEY, n int)",
        "INSERT INTO nearer." + table + " VALUES (1, 100)");
    LarderProbe.awaitCatalog(late);
  }

  @Test
  void aCallIsOfTheFunctionThatHasCome() throws SQLException {
    String read = "SELECT id, label(id) FROM item WHERE id > 0";
    prepare(read);
    run(
        late,
        "CREATE FUNCTION label(int) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ''int''::text'");
    LarderProbe.awaitCatalog(late);
    assertThatTheLateOneReadsAsTheServer(read);
  }

  @Test
  void aLabelIsOfTheValueThatHasItNow() throws SQLException {
    String read = "SELECT id FROM item WHERE color = 'red'";
    prepare(read);
    run(
        late,
        "ALTER TYPE color RENAME VALUE 'red' TO 'crimson'",
        "ALTER TYPE color ADD VALUE 'red'");
    LarderProbe.awaitCatalog(late);
    assertThatTheLateOneReadsAsTheServer(read);
  }
}
