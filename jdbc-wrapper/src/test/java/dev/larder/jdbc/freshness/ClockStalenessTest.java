package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.count;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that read the clock, which are cached where an age is declared. */
final class ClockStalenessTest {
  /** Long enough for the slowest machine. */
  private static final String LONG = "/* larder:stale=10m */ ";

  private static final String QUERY = "SELECT now(), name FROM item";
  private static final String NOW = LONG + QUERY;

  private TestDatabase database;
  private Connection reader;
  private Connection other;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text, at timestamptz DEFAULT now())",
        "INSERT INTO item VALUES (1, 'a', '2020-01-01')",
        "CREATE TABLE other (id int, at timestamptz DEFAULT now())",
        "CREATE VIEW fresh AS SELECT name, now() - at AS age FROM item",
        "CREATE VIEW dated AS SELECT name, CURRENT_DATE AS day, clock_timestamp() FROM item",
        "CREATE VIEW tagged AS SELECT now(), current_setting('work_mem') FROM item",
        "CREATE TABLE secret (id int, at timestamptz)",
        "INSERT INTO secret VALUES (1, '2020-01-01')",
        "ALTER TABLE secret ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE secret FORCE ROW LEVEL SECURITY",
        "CREATE POLICY past ON secret USING (at < now())",
        "CREATE FUNCTION tells() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT now()'",
        "CREATE FUNCTION plain(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1'",
        "CREATE SEQUENCE numbers");
    reader = connect();
    other = connect();
    LarderProbe.awaitCatalog(reader);
  }

  @AfterEach
  void close() throws SQLException {
    reader.close();
    other.close();
    database.close();
  }

  private Connection connect(String... more) throws SQLException {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(
        List.of(
            "larder.writers=this-jvm",
            "larder.admission=all",
            "larder.name=" + more.length + database.name()));
    Connection connection = LarderProbe.connect(database, all.toArray(String[]::new));
    run(connection, "SET larder.staleness = '1s'", "RESET larder.staleness");
    return connection;
  }

  private static void isHit(Connection connection, String sql) throws SQLException {
    assertThat(LarderProbe.isHit(connection, sql)).as(sql).isTrue();
  }

  private static void isNoHit(Connection connection, String sql) throws SQLException {
    assertThat(LarderProbe.isHit(connection, sql)).as(sql).isFalse();
  }

  // ---- which queries

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT now(), name FROM item",
        "SELECT name FROM item WHERE at < now() - interval '1 day' AND id = 1",
        "SELECT name FROM item WHERE at::date < current_date",
        "SELECT CURRENT_TIMESTAMP(3), localtimestamp, localtime FROM item",
        "SELECT clock_timestamp(), statement_timestamp(), timeofday() FROM item",
        "SELECT max(at::text)::date FROM item",
        "SELECT plain(id), transaction_timestamp() FROM item",
        "SELECT * FROM fresh",
        "SELECT * FROM dated",
        "WITH late AS (SELECT now() AS n) SELECT n, name FROM late, item"
      })
  void aQueryThatReadsTheClockIsCachedForTheDeclaredAgeOnly(String sql) throws SQLException {
    LarderProbe.fill(reader, LONG + sql);
    assertThat(rows(reader, LONG + sql)).isEqualTo(rows(reader, LONG + sql));
    isHit(other, LONG + sql);
    rows(reader, sql);
    isNoHit(reader, sql);
    isNoHit(reader, "/* larder:stale=0s */ " + sql);
    assertThat(bypassReasons(sql)).contains(BypassReason.TIME.description());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT now() | NO_TABLE",
        "SELECT current_date | TIME",
        "SELECT current_date, 'x' AS x UNION SELECT now(), 'y' | TIME",
        "SELECT 'now'::timestamptz, name FROM item | TIME",
        "SELECT now(), name FROM item WHERE at > 'yesterday' | TIME",
        "SELECT current_time, name FROM item | TIME",
        "SELECT at::time with time zone, now(), name FROM item | TIME",
        "SELECT age(at), name FROM item | TIME",
        "SELECT now(), current_setting('work_mem') FROM item | BUILTIN_FUNCTION",
        "SELECT * FROM tagged | BUILTIN_FUNCTION",
        "SELECT now(), random() FROM item | VOLATILE_FUNCTION",
        "SELECT now(), nextval('numbers') FROM item | VOLATILE_FUNCTION",
        "SELECT current_date, nextval('numbers') FROM item | TIME",
        "SELECT tells(), name FROM item | FUNCTION",
        "SELECT current_date, tells() FROM item | TIME",
        "SELECT * FROM secret | ROW_SECURITY",
        "SELECT current_date, id FROM secret | TIME",
        "SELECT now(), name FROM item FOR UPDATE | ROW_LOCK",
        "SELECT now(), id FROM item TABLESAMPLE SYSTEM (50) | TABLE_SAMPLE",
        "SELECT now(), relname FROM pg_class LIMIT 1 | UNSUPPORTED_RELATION",
        "/* larder:off */ SELECT current_date, name FROM item | TIME",
        "SELECT now(), ctid FROM item | UNSUPPORTED_RELATION"
      })
  void whatMoreThanTheClockForbidsStaysAsItWas(String sql, String reason) throws SQLException {
    for (String each : List.of(sql, LONG + sql)) {
      rows(reader, each);
      isNoHit(reader, each);
      isNoHit(reader, each);
    }
    String description = BypassReason.valueOf(reason).description();
    assertThat(bypassReasons(sql)).isNotEmpty().containsOnly(description);
    run(reader, "SET larder.staleness = '10m'");
    rows(reader, sql);
    isNoHit(reader, sql);
  }

  @Test
  void severalStatementsAreNotCached() throws SQLException {
    long before = LarderProbe.hits(reader);
    for (int i = 0; i < 3; i++) {
      run(reader, LONG + "SELECT current_date, name FROM item; SELECT 1");
    }
    assertThat(LarderProbe.hits(reader)).isEqualTo(before);
  }

  @Test
  void aBoundTextThatMeansThePresentTimeIsNotCached() throws SQLException {
    try (PreparedStatement query =
        reader.prepareStatement(LONG + "SELECT now(), ?::timestamptz FROM item")) {
      String first = bound(query, "now");
      assertThat(bound(query, "now")).isNotEqualTo(first);
      first = bound(query, "2020-01-01");
      assertThat(bound(query, "2020-01-01")).isEqualTo(first);
    }
  }

  private static String bound(PreparedStatement query, String value) throws SQLException {
    query.setString(1, value);
    try (ResultSet result = query.executeQuery()) {
      return rows(result).toString();
    }
  }

  @Test
  void tablesAndSessionsDeclareIt() throws SQLException {
    try (Connection declared = connect("larder.tables.staleness=item=10m")) {
      LarderProbe.awaitCatalog(declared);
      LarderProbe.fill(declared, QUERY);
      LarderProbe.fill(declared, "SELECT current_date, name FROM item");
      rows(declared, "SELECT now(), id FROM other");
      isNoHit(declared, "SELECT now(), id FROM other");
      isNoHit(declared, "SELECT now(), item.id FROM item, other");
    }
    run(reader, "SET larder.staleness = '10m'");
    LarderProbe.fill(reader, QUERY);
    LarderProbe.fill(reader, "SELECT current_date, name FROM item");
    isNoHit(other, QUERY);
    run(reader, "RESET larder.staleness");
    isNoHit(reader, QUERY);
  }

  /** Returns the last reasons of all shapes that end so. */
  private List<String> bypassReasons(String sql) throws SQLException {
    List<String> reasons = new ArrayList<>();
    try (Statement statement = reader.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        String query = row.getString("query");
        if (query.length() > 10 && sql.contains(query.substring(0, 12))) {
          reasons.add(row.getString("bypass_reason"));
        }
      }
    }
    return reasons;
  }

  // ---- for how long

  @Test
  void theAgeEndsIt() throws SQLException {
    String sql = "/* larder:stale=3s */ " + QUERY;
    LarderProbe.fill(reader, sql);
    List<String> first = rows(reader, sql);
    Waiting.pass(Duration.ofMillis(3_100));
    isNoHit(reader, sql);
    assertThat(rows(reader, sql)).isNotEqualTo(first);
  }

  @Test
  void theAgeCountsFromBeforeTheQueryWasSent() throws SQLException {
    database.execute(
        "CREATE FUNCTION slow(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM"
            + " pg_sleep(2); RETURN $1; END'");
    LarderProbe.awaitCatalog(reader);
    String sql = "/* larder:stale=3s */ SELECT slow(name), now() FROM item";
    rows(reader, sql);
    isHit(reader, sql);
    Waiting.pass(Duration.ofMillis(1_100));
    isNoHit(reader, sql);
  }

  @Test
  void aSessionMayWantItYounger() throws SQLException {
    run(reader, "SET larder.staleness = '10m'");
    run(other, "SET larder.staleness = '1s'");
    LarderProbe.fill(reader, QUERY);
    Waiting.pass(Duration.ofMillis(1_100));
    isHit(reader, QUERY);
    isNoHit(other, QUERY);
  }

  @Test
  void timeToLiveLimitsIt() throws SQLException {
    String sql = "/* larder:ttl=2s */ " + NOW;
    LarderProbe.fill(reader, sql);
    Waiting.pass(Duration.ofMillis(2_100));
    isNoHit(reader, sql);
  }

  // ---- transactions and settings

  @Test
  void inTransactionsTheServerIsAsked() throws SQLException {
    LarderProbe.fill(reader, NOW);
    String day = LONG + "SELECT current_date, name FROM item";
    LarderProbe.fill(reader, day);
    reader.setAutoCommit(false);
    isNoHit(reader, NOW);
    isNoHit(reader, day);
    isNoHit(reader, NOW);
    reader.commit();
    isNoHit(reader, NOW);
    reader.setAutoCommit(true);
    run(reader, "BEGIN");
    isNoHit(reader, NOW);
    run(reader, "COMMIT");
    LarderProbe.fill(reader, NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TimeZone = 'Asia/Tokyo'", "DateStyle = 'ISO, DMY'"})
  void settingsKeepResultsApart(String setting) throws SQLException {
    String sql = LONG + "SELECT now()::text, name FROM item";
    LarderProbe.fill(reader, sql);
    run(other, "SET " + setting);
    isNoHit(other, sql);
    assertThat(rows(other, sql)).isNotEqualTo(rows(reader, sql));
  }

  // ---- never backwards

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT now(), name FROM item",
        "SELECT clock_timestamp()",
        "SELECT current_date",
        "SELECT now(), name FROM item FOR UPDATE",
        "SELECT tells()",
        "SELECT random()",
        "SELECT * FROM secret",
        "SELECT query_start FROM pg_stat_activity",
        "/* larder:stale=10m */ SELECT now(), id FROM item",
        "INSERT INTO other (id) VALUES (1)",
        "INSERT INTO other (id) VALUES (1) RETURNING at",
        "EXPLAIN ANALYZE SELECT 1"
      })
  void noSessionGoesBack(String later) throws SQLException {
    LarderProbe.fill(other, NOW);
    rows(reader, "SELECT name FROM item");
    isHit(reader, NOW);
    run(reader, later);
    isHit(other, NOW);
    isNoHit(reader, NOW);
    isHit(reader, NOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT 1", "SELECT id FROM item", "SET work_mem = '5MB'", "SHOW work_mem"})
  void whatTellsNoTimeTakesNothingAway(String plain) throws SQLException {
    LarderProbe.fill(reader, NOW);
    run(reader, plain);
    run(reader, "RESET work_mem");
    isHit(reader, NOW);
  }

  @Test
  void aStatementThatIsPreparedInSqlTellsTheTime() throws SQLException {
    LarderProbe.fill(reader, NOW);
    run(reader, "PREPARE p AS " + NOW);
    isHit(reader, NOW);
    rows(reader, "EXECUTE p");
    isNoHit(reader, NOW);
    isNoHit(reader, "EXECUTE p");
  }

  @Test
  void twoResultsOfOneTimeDoNotTakeTurns() throws SQLException {
    String second = LONG + "SELECT now(), id FROM item";
    LarderProbe.fill(other, NOW);
    LarderProbe.fill(other, second);
    isHit(reader, NOW);
    isHit(reader, NOW);
    isHit(reader, second);
    isNoHit(reader, NOW);
  }

  @Test
  void aTransactionTellsTheTime() throws SQLException {
    LarderProbe.fill(reader, NOW);
    reader.setAutoCommit(false);
    rows(reader, "SELECT name FROM item WHERE id < 5");
    reader.commit();
    reader.setAutoCommit(true);
    isNoHit(reader, NOW);
  }

  // ---- writes and verification

  @Test
  void whatIsOutdatedByAWriteIsUsedAsAnyOther() throws SQLException {
    LarderProbe.fill(reader, NOW);
    long before = count(reader, "stale_hits");
    List<String> first = rows(reader, NOW);
    run(other, "UPDATE item SET name = 'b'");
    assertThat(rows(reader, NOW)).isEqualTo(first);
    assertThat(count(reader, "stale_hits")).isEqualTo(before + 1);
    assertThat(rows(other, NOW).toString()).contains("b");
  }

  @Test
  void ownWritesAreSeen() throws SQLException {
    LarderProbe.fill(reader, NOW);
    run(reader, "UPDATE item SET name = 'b'");
    assertThat(rows(reader, NOW).toString()).contains("b");
  }

  @Test
  void verificationDoesNotCompareThem() throws SQLException {
    try (Connection verified = connect("larder.verify=1")) {
      LarderProbe.awaitCatalog(verified);
      LarderProbe.fill(verified, NOW);
      isHit(verified, NOW);
      assertThat(rows(verified, "SHOW larder.quarantine")).isEmpty();
    }
  }

  @Test
  void whatIsPreparedIsHitFromItsSixthExecutionOn() throws SQLException {
    try (PreparedStatement query =
        reader.prepareStatement(LONG + "SELECT now(), name FROM item WHERE id = ?")) {
      query.setInt(1, 1);
      List<List<String>> all = new ArrayList<>();
      long before = LarderProbe.hits(reader);
      for (int i = 0; i < 10; i++) {
        try (ResultSet result = query.executeQuery()) {
          all.add(rows(result));
        }
      }
      assertThat(all.subList(8, 10)).containsOnly(all.get(7));
      assertThat(LarderProbe.hits(reader)).isGreaterThan(before + 3);
    }
  }
}
