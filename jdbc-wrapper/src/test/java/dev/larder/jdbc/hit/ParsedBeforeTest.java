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
  private static final String OUTDATE =
      "UPDATE item SET id = id, at = at, day = day, length = length, note = note, color = color";

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
        "CREATE FUNCTION midnight() RETURNS int STABLE LANGUAGE plpgsql"
            + " AS 'BEGIN RETURN extract(epoch FROM timestamptz ''2020-01-02 00:00''); END'",
        "CREATE FUNCTION escaped() RETURNS text STABLE LANGUAGE plpgsql"
            + " AS 'BEGIN RETURN ''a\\\\b''; END'",
        "CREATE TABLE part (id int) PARTITION BY LIST (id)",
        "CREATE TABLE log (id int PRIMARY KEY, n int)",
        "INSERT INTO log VALUES (1, 0)",
        "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql"
            + " AS 'BEGIN UPDATE log SET n = n + 1 WHERE id = 1; RETURN NULL; END'",
        "CREATE TABLE logged (id int PRIMARY KEY, n int)",
        "INSERT INTO logged VALUES (1, 0)",
        "CREATE TRIGGER log AFTER UPDATE ON logged FOR EACH ROW EXECUTE FUNCTION log()");
    early = LarderProbe.connect(database, "larder.functions.readOnly=midnight,escaped");
    late = LarderProbe.connect(database, "larder.functions.readOnly=midnight,escaped");
    bare = database.connect();
    for (Connection each : List.of(early, late, bare)) {
      run(each, "SET escape_string_warning = off"); // A result with warnings is not kept.
    }
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
      outdate();
    }
  }

  private static List<String> prepared(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return statement.execute() ? rows(statement.getResultSet()) : List.of();
    }
  }

  /** What the early one has read is a hit for the late one. */
  private void assertThatTheLateOneReadsAsTheServer(String sql) throws SQLException {
    prepared(early, sql);
    long before = LarderProbe.hits(late);
    assertThat(prepared(late, sql)).as(sql).isEqualTo(prepared(bare, sql));
    assertThat(LarderProbe.hits(late)).as(() -> reason(sql)).isGreaterThan(before);
  }

  private String reason(String sql) {
    try {
      return LarderProbe.reason(late, sql);
    } catch (SQLException e) {
      return e.toString();
    }
  }

  private void outdate() throws SQLException {
    run(late, OUTDATE);
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

  // ---- what changes nothing

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "CREATE TABLE unrelated (id int)",
        "CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2)",
        "CREATE OR REPLACE FUNCTION label(numeric) RETURNS text IMMUTABLE LANGUAGE sql"
            + " AS 'SELECT ''number''::text'",
        "ANALYZE item",
        "SELECT 1",
      })
  void aPreparedTextStillFillsTheCacheAfter(String change) throws SQLException {
    String read = "SELECT id, label(id) FROM item WHERE at >= '2020-01-02 00:00'";
    prepare(read);
    run(late, change);
    LarderProbe.awaitCatalog(late);
    assertThatTheLateOneReadsAsTheServer(read);
  }

  @ParameterizedTest
  @CsvSource({"SET app.tenant = 'a'", "SET statement_timeout = 60000", "SET search_path = public"})
  void aPreparedTextStillFillsTheCacheOfSessionsThat(String set) throws SQLException {
    String read = "SELECT id FROM item WHERE at >= '2020-01-02 00:00'";
    prepare(read);
    run(early, "SET search_path = nearer, public", set, "SET search_path = public");
    run(late, set, "SET search_path = public");
    assertThatTheLateOneReadsAsTheServer(read);
  }

  @Test
  void aPreparedTextFillsTheCacheAfterItsNamesWereForgotten() throws SQLException {
    String read = "SELECT id FROM item WHERE at = '2020-01-02 00:00'";
    for (String forget : List.of("DISCARD PLANS", "DEALLOCATE ALL", "DISCARD ALL")) {
      prepare(read);
      run(early, forget, "SET escape_string_warning = off");
      assertThatTheLateOneReadsAsTheServer(read);
      outdate();
    }
  }

  // ---- what the server parses again for reasons of its own

  @Test
  void aTextThatTheServerHasParsedAgainForATransactionMeansWhatItDidAfterIt() throws SQLException {
    String read = "SELECT id FROM item WHERE at = '2020-01-02 00:00'";
    for (Connection each : List.of(early, late, bare)) {
      run(each, "SET TimeZone = 'UTC'");
    }
    prepare(read);
    for (int i = 0; i < 3; i++) {
      early.setAutoCommit(false);
      run(early, "SET LOCAL TimeZone = 'Asia/Karachi'");
      run(bare, "ANALYZE item");
      prepared(early, read);
      early.commit();
      early.setAutoCommit(true);
      outdate();
      assertThatTheLateOneReadsAsTheServer(read);
      outdate();
    }
  }

  @Test
  void aTextThatWasPreparedInACatalogThatWasRolledBackMeansWhatItDid() throws SQLException {
    String read = "SELECT id FROM item WHERE color = 'red'";
    early.setAutoCommit(false);
    run(
        early,
        "ALTER TYPE color RENAME VALUE 'red' TO 'crimson'",
        "ALTER TYPE color RENAME VALUE 'blue' TO 'red'");
    for (int i = 0; i < UNTIL_PREPARED; i++) {
      assertThat(prepared(early, read)).containsExactly("2");
    }
    early.rollback();
    early.setAutoCommit(true);
    LarderProbe.awaitCatalog(late);
    assertThatTheLateOneReadsAsTheServer(read);
  }

  // ---- bodies

  @Test
  void aConstantInABodyMeansWhatItMeansUnderTheSettingsOfNow() throws SQLException {
    String read = "SELECT id, midnight() FROM item WHERE id > 0";
    for (String zone : List.of("UTC", "Asia/Karachi", "UTC")) {
      for (Connection each : List.of(early, late, bare)) {
        run(each, "SET TimeZone = '" + zone + "'");
      }
      prepare(read);
      assertThat(prepared(bare, read)).hasSize(2);
      try (Connection fresh = database.connect()) {
        run(fresh, "SET TimeZone = '" + zone + "'");
        prepared(early, read);
        long before = LarderProbe.hits(late);
        assertThat(prepared(late, read)).as(zone).isEqualTo(prepared(fresh, read));
        assertThat(LarderProbe.hits(late)).as(() -> reason(read)).isGreaterThan(before);
      }
      outdate();
    }
  }

  /** The server does not read a body again: what it returns here is for this session alone. */
  @Test
  void aBodyThatWasReadUnderOtherSettingsFillsNoCache() throws SQLException {
    String read = "SELECT id, escaped() FROM item WHERE id > 0";
    prepare(read);
    for (Connection each : List.of(early, late, bare)) {
      run(each, "SET standard_conforming_strings = off");
    }
    assertThat(prepared(early, read)).containsExactly("1,a\\\\b", "2,a\\\\b");
    assertThat(prepared(late, read))
        .isEqualTo(prepared(bare, read))
        .containsExactly("1,a\\b", "2,a\\b");
    long before = LarderProbe.hits(late);
    assertThat(prepared(late, read)).isEqualTo(prepared(bare, read));
    assertThat(LarderProbe.hits(late)).as(() -> reason(read)).isGreaterThan(before);
  }

  @Test
  void aTriggerThatRanInABatchWritesTheTableThatHasComeNearer() throws SQLException {
    run(early, "SET search_path = nearer, public");
    batch(early, "UPDATE logged SET n = n + ? WHERE id = 1");
    comeNearer("log");
    assertThatItIsSeen(() -> batch(early, "UPDATE logged SET n = n + ? WHERE id = 1"));
  }

  @Test
  void aBatchWritesTheTableThatHasComeNearer() throws SQLException {
    run(early, "SET search_path = nearer, public");
    for (int i = 0; i < UNTIL_PREPARED; i++) {
      batch(early, "UPDATE log SET n = n + ? WHERE id = 1");
    }
    comeNearer("log");
    assertThatItIsSeen(() -> batch(early, "UPDATE log SET n = n + ? WHERE id = 1"));
  }

  @Test
  void aRewrittenBatchWritesTheTableThatHasComeNearer() throws SQLException {
    String insert = "INSERT INTO log (n) VALUES (?)";
    run(late, "ALTER TABLE log ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (START 10)");
    LarderProbe.awaitCatalog(late);
    try (Connection rewriting = LarderProbe.connect(database, "reWriteBatchedInserts=true")) {
      run(rewriting, "SET search_path = nearer, public");
      for (int i = 0; i < UNTIL_PREPARED; i++) {
        batch(rewriting, insert);
      }
      run(late, "CREATE TABLE nearer.log (id int GENERATED ALWAYS AS IDENTITY, n int)");
      LarderProbe.awaitCatalog(late);
      String read = "SELECT count(*) FROM nearer.log";
      fill(late, read);
      batch(rewriting, insert);
      assertThat(rows(late, read)).isEqualTo(rows(bare, read)).containsExactly("4");
    }
  }

  private static void batch(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < 4; i++) {
        statement.setInt(1, i);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Test
  void anOperatorIsTheOneThatHasCome() throws SQLException {
    String read = "SELECT id, id ==> 1 FROM item WHERE id > 0";
    run(
        late,
        "CREATE FUNCTION than(numeric, numeric) RETURNS text IMMUTABLE LANGUAGE sql"
            + " AS 'SELECT ''numeric''::text'",
        "CREATE OPERATOR ==> (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = than)");
    LarderProbe.awaitCatalog(late);
    prepare(read);
    run(
        late,
        "CREATE FUNCTION than(int, int) RETURNS text IMMUTABLE LANGUAGE sql"
            + " AS 'SELECT ''int''::text'",
        "CREATE OPERATOR ==> (LEFTARG = int, RIGHTARG = int, FUNCTION = than)");
    LarderProbe.awaitCatalog(late);
    assertThatTheLateOneReadsAsTheServer(read);
  }

  // ---- formats

  /** Without Larder the driver gets the text in binary from some execution on. */
  @Test
  void aTextThatIsParsedAgainHasItsResultInTheSameFormat() throws SQLException {
    String read = "SELECT at, random() < 2 FROM item WHERE id = 1";
    for (int i = 0; i < UNTIL_PREPARED; i++) {
      assertThat(prepared(early, read)).isEqualTo(prepared(bare, read));
    }
    for (Connection each : List.of(early, bare)) {
      run(each, "SET TimeZone = 'Asia/Karachi'");
    }
    for (int i = 0; i < 3; i++) {
      assertThat(prepared(early, read)).isEqualTo(prepared(bare, read));
    }
  }
}
