package dev.larder.jdbc.driver;

import static dev.larder.jdbc.LarderProbe.count;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The switches and the status, as SQL that the server never sees. */
final class LarderCommandsTest {
  private static final String NAME = "SELECT name FROM item";

  private TestDatabase database;
  private Connection one;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
    one = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    database.close();
  }

  @Test
  void theCacheCanBeSwitchedOffForASession() throws SQLException {
    try (Connection two = LarderProbe.connect(database)) {
      fill(one, NAME);
      run(one, "SET larder.enabled = off");
      assertThat(isHit(one, NAME)).isFalse();
      assertThat(isHit(two, NAME)).isTrue();
      assertThat(rows(one, "SHOW larder.enabled")).containsExactly("off");
      assertThat(rows(two, "SHOW larder.enabled")).containsExactly("on");
      run(one, "SET larder.enabled TO 'on'");
      assertThat(isHit(one, NAME)).isTrue();
      run(one, "SET SESSION larder.enabled = false", "RESET larder.enabled");
      assertThat(isHit(one, NAME)).isTrue();
    }
  }

  @Test
  void whileTheCacheIsOffWritesStillInvalidate() throws SQLException {
    try (Connection two = LarderProbe.connect(database)) {
      fill(two, NAME);
      run(one, "SET larder.enabled = off");
      run(one, "UPDATE item SET name = 'second'");
      assertThat(rows(two, NAME)).containsExactly("second");
    }
  }

  @Test
  void everyWayToExecuteWorks() throws SQLException {
    try (Statement statement = one.createStatement()) {
      assertThat(statement.execute("SHOW larder.enabled")).isTrue();
      assertThat(rows(statement.getResultSet())).containsExactly("on");
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(statement.execute("SET larder.enabled = off")).isFalse();
      assertThat(statement.getUpdateCount()).isZero();
      assertThat(statement.getResultSet()).isNull();
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(statement.executeUpdate("SET larder.enabled = on")).isZero();
      assertThat(statement.executeLargeUpdate("RESET larder.statistics")).isZero();
      assertThatThrownBy(() -> statement.executeQuery("RESET larder.cache"))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> statement.executeUpdate("SHOW larder.cache"))
          .isInstanceOf(SQLException.class);
    }
    try (PreparedStatement show = one.prepareStatement("SHOW larder.enabled");
        PreparedStatement set = one.prepareStatement("SET larder.enabled = off")) {
      assertThat(set.executeUpdate()).isZero();
      assertThat(rows(show.executeQuery())).containsExactly("off");
      assertThat(show.execute()).isTrue();
      assertThat(set.execute()).isFalse();
    }
  }

  @Test
  void bypassesAreRankedByTheTimeThatTheyTookAtTheDatabase() throws SQLException {
    fill(one, NAME);
    run(one, "RESET larder.statistics");
    assertThat(rows(one, "SHOW larder.bypasses")).isEmpty();
    for (int i = 0; i < 20; i++) {
      rows(one, "SELECT name FROM item WHERE now() IS NOT NULL");
    }
    rows(one, "SELECT name, pg_sleep(0.3)::text FROM item");
    try (Connection small = LarderProbe.connect(database, "larder.maxResultRows=1")) {
      run(small, "INSERT INTO item VALUES ('second')", "RESET larder.statistics");
      rows(small, NAME);
      assertThat(rows(small, "SHOW larder.bypasses"))
          .singleElement()
          .asString()
          .startsWith(
              "its result is larger than larder.maxResultBytes or larder.maxResultRows,0,1,");
    }
    List<String> shown = rows(one, "SHOW larder.bypasses");
    assertThat(shown).hasSize(2);
    assertThat(shown.get(0)).startsWith("it calls a volatile function,1,0,").contains("bind it");
    assertThat(shown.get(1)).contains("time of day").contains(",20,0,");
    assertThat(isHit(one, NAME)).isFalse();
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  void aBatchMayHoldThem() throws SQLException {
    try (Statement batch = one.createStatement()) {
      batch.addBatch("SET larder.enabled = off");
      batch.addBatch("UPDATE item SET name = 'second'");
      batch.addBatch("RESET larder.statistics");
      assertThat(batch.executeBatch()).containsExactly(0, 1, 0);
    }
    assertThat(rows(one, "SHOW larder.enabled")).containsExactly("off");
    assertThat(database.queryString(NAME)).isEqualTo("second");
    try (PreparedStatement batch = one.prepareStatement("SET larder.enabled = on")) {
      batch.addBatch();
      batch.addBatch();
      assertThat(batch.executeBatch()).containsExactly(0, 0);
    }
    assertThat(rows(one, "SHOW larder.enabled")).containsExactly("on");
  }

  @Test
  void theyWorkInAFailedTransactionAndNeverReachTheServer() throws SQLException {
    one.setAutoCommit(false);
    assertThatThrownBy(() -> run(one, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
    assertThat(rows(one, "SHOW larder.enabled")).containsExactly("on");
    run(one, "SET larder.enabled = off", "RESET larder.statistics");
    assertThatThrownBy(() -> rows(one, NAME)).hasMessageContaining("aborted");
    one.rollback();
    // A SET that is Larder's is no part of the transaction.
    assertThat(rows(one, "SHOW larder.enabled")).containsExactly("off");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SHOW larder.nothing|42704",
        "RESET larder.nothing|42704",
        "SET larder.cache = 'x'|42704",
        "SET larder.enabled = maybe|22023"
      })
  void anUnknownOneIsRefusedWithTheKnownOnes(String sql, String state) {
    assertThatThrownBy(() -> run(one, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
        .hasMessageContaining("larder.enabled");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"show LARDER.Enabled", "/* a */ SHOW larder.enabled;", "SHOW\n\"larder\".enabled"})
  void spellingDoesNotMatter(String sql) throws SQLException {
    assertThat(rows(one, sql)).containsExactly("on");
  }

  @Test
  void resetEmptiesTheCacheOrTheCounts() throws SQLException {
    fill(one, NAME);
    assertThat(count(one, "entries")).isEqualTo(1);
    assertThat(count(one, "size_bytes")).isPositive();
    run(one, "RESET larder.cache");
    assertThat(count(one, "entries")).isZero();
    assertThat(count(one, "size_bytes")).isZero();
    assertThat(count(one, "hits")).isEqualTo(1);
    run(one, "RESET larder.statistics");
    assertThat(count(one, "hits")).isZero();
    assertThat(count(one, "misses")).isZero();
  }

  @Test
  void resetIsForWhatOtherConfigurationsHaveKeptToo() throws SQLException {
    try (Connection other = LarderProbe.connect(database, "larder.maxResultRows=5")) {
      fill(other, NAME);
      assertThat(LarderProbe.isHit(one, NAME)).isTrue();
      run(one, "RESET larder.cache");
      assertThat(LarderProbe.isHit(one, NAME)).isFalse();
    }
  }

  @Test
  void theColumnsOfTheStatusHaveNamesAndTypes() throws SQLException {
    fill(one, NAME);
    assertThat(columns("SHOW larder.cache"))
        .containsExactly(
            "enabled bool",
            "entries int8",
            "size_bytes int8",
            "max_bytes int8",
            "hits int8",
            "misses int8",
            "bypasses int8",
            "hit_ratio float8",
            "admissions int8",
            "rejections int8",
            "invalidations int8",
            "evictions int8",
            "expirations int8",
            "database_settings text",
            "quarantined_tables int8",
            "writes_by_key int8",
            "writes_by_unknown_key int8",
            "writes_by_table int8",
            "writes_of_everything int8",
            "verified_hits int8",
            "unverifiable_hits int8",
            "wrong_hits int8",
            "flight_waits int8",
            "flight_hits int8",
            "stale_hits int8",
            "stale_refreshes int8",
            "stale_refresh_failures int8",
            "warmup_asked int8",
            "warmup_failed int8",
            "warmup_skipped int8",
            "setting_questions int8",
            "held_back int8",
            "held_back_sent int8",
            "unpooled_hits int8",
            "borrows_at_once int8",
            "borrows_no_hit int8",
            "borrows_otherwise int8",
            "lazy text",
            "heard_millis_ago int8");
    assertThat(columns("SHOW larder.advice"))
        .containsExactly("setting text", "value text", "reason text");
    assertThat(columns("SHOW larder.quarantine"))
        .containsExactly(
            "table_name text",
            "quarantined_at timestamptz",
            "cache text",
            "query text",
            "age_millis int8",
            "cached_rows int8",
            "database_rows int8",
            "unmatched_rows int8",
            "columns text");
    assertThat(columns("SHOW larder.tables"))
        .containsExactly(
            "table_name text",
            "entries int8",
            "size_bytes int8",
            "hits int8",
            "misses int8",
            "invalidations int8",
            "writes_by_key int8",
            "writes_by_unknown_key int8",
            "writes_by_table int8",
            "last_invalidated_at timestamptz",
            "writers int8",
            "oldest_writer_millis int8",
            "foreign_rows int8",
            "radar text",
            "schemes text");
    assertThat(columns("SHOW larder.queries"))
        .containsExactly(
            "query text",
            "calls int8",
            "hits int8",
            "misses int8",
            "bypasses int8",
            "bypass_reason text",
            "mean_database_micros float8",
            "saved_millis int8",
            "entries int8",
            "size_bytes int8",
            "depends_on text",
            "wider_because text",
            "admission text",
            "profit_micros_per_second float8",
            "profit_because text");
  }

  private List<String> columns(String sql) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (Statement statement = one.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData metaData = result.getMetaData();
      for (int i = 1; i <= metaData.getColumnCount(); i++) {
        columns.add(metaData.getColumnLabel(i) + ' ' + metaData.getColumnTypeName(i));
      }
    }
    return columns;
  }

  @Test
  void tablesTellOfInvalidationsAndWriters() throws SQLException {
    fill(one, NAME);
    try (Statement statement = one.createStatement()) {
      try (ResultSet row = statement.executeQuery("SHOW larder.tables")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString("table_name")).isEqualTo("public.item");
        assertThat(row.getLong("entries")).isEqualTo(1);
        assertThat(row.getLong("hits")).isEqualTo(1);
        assertThat(row.getLong("misses")).isEqualTo(1);
        assertThat(row.getLong("invalidations")).isZero();
        assertThat(row.getTimestamp("last_invalidated_at")).isNull();
        assertThat(row.getLong("writers")).isZero();
        assertThat(row.next()).isFalse();
      }
      Timestamp before = new Timestamp(System.currentTimeMillis() - 1);
      run(one, "UPDATE item SET name = 'second'");
      try (ResultSet row = statement.executeQuery("SHOW larder.tables")) {
        row.next();
        assertThat(row.getLong("invalidations")).isEqualTo(1);
        assertThat(row.getTimestamp("last_invalidated_at"))
            .isAfterOrEqualTo(before)
            .isBeforeOrEqualTo(new Timestamp(System.currentTimeMillis() + 1));
        assertThat(row.getObject("last_invalidated_at")).isInstanceOf(Timestamp.class);
      }
    }
  }

  @Test
  void queriesTellOfCallsAndReasons() throws SQLException {
    fill(one, NAME);
    rows(one, "SELECT now(), name FROM item WHERE name <> 'secret'");
    try (Statement statement = one.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString("query")).isEqualTo(NAME);
      assertThat(row.getLong("calls")).isEqualTo(2);
      assertThat(row.getLong("hits")).isEqualTo(1);
      assertThat(row.getDouble("mean_database_micros")).isPositive();
      assertThat(row.getLong("entries")).isEqualTo(1);
      assertThat(row.getString("bypass_reason")).isNull();
      assertThat(row.next()).isTrue();
      assertThat(row.getString("query")).startsWith("SELECT now()").doesNotContain("secret");
      assertThat(row.getString("bypass_reason")).contains("time of day");
      assertThat(row.wasNull()).isFalse();
      assertThat(row.getLong("bypasses")).isEqualTo(1);
    }
  }

  @Test
  void hintsSwitchAStatement() throws SQLException {
    fill(one, NAME);
    assertThat(isHit(one, "/* larder:off */ " + NAME)).isFalse();
    assertThat(isHit(one, "/*NO QUERY CACHE*/ " + NAME)).isFalse();
    assertThat(isHit(one, "/* trace=4711 */ " + NAME + " -- tail")).isTrue();
    assertThat(isHit(one, "SELECT   name\nFROM item")).isTrue();
    try (Connection demand = LarderProbe.connect(database, "larder.mode=demand")) {
      rows(demand, NAME);
      assertThat(isHit(demand, NAME)).isFalse();
      fill(demand, "/* larder:on */ " + NAME);
      fill(demand, "/*FORCE QUERY CACHE*/ " + NAME);
      assertThat(isHit(demand, NAME)).isFalse();
    }
    String brief = "/* larder:ttl=1ms */ " + NAME;
    rows(one, brief);
    Waiting.pass(Duration.ofMillis(3));
    assertThat(isHit(one, brief)).isFalse();
  }

  @Test
  void aTableIsPurgedByAnyNameThatMeansIt() throws SQLException {
    run(
        one,
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.\"Order Items\" (name text)",
        "INSERT INTO shop.\"Order Items\" VALUES ('first')",
        "CREATE TABLE other (name text)");
    LarderProbe.awaitCatalog(one);
    String items = "SELECT name FROM shop.\"Order Items\"";
    String others = "SELECT name FROM other";
    for (String name :
        List.of("item", "public.item", "ITEM", "Public . \"item\"", "public.\"item\"")) {
      fill(one, NAME);
      fill(one, others);
      assertThat(rows(one, "SELECT larder.purge('" + name + "')")).containsExactly("public.item");
      assertThat(isHit(one, NAME)).as(name).isFalse();
      assertThat(isHit(one, others)).as(name).isTrue();
    }
    fill(one, items);
    database.execute("UPDATE shop.\"Order Items\" SET name = 'second'");
    assertThat(rows(one, items)).containsExactly("first");
    try (PreparedStatement purge = one.prepareStatement("SELECT larder.purge(?)")) {
      assertThat(purge.getMetaData().getColumnLabel(1)).isEqualTo("purge");
      purge.setString(1, "shop.\"Order Items\"");
      assertThat(rows(purge.executeQuery())).containsExactly("shop.Order Items");
    }
    assertThat(rows(one, items)).containsExactly("second");
    fill(one, items);
    run(one, "SET search_path = shop");
    assertThat(rows(one, "select larder.purge('\"Order Items\"')"))
        .containsExactly("shop.Order Items");
    assertThat(isHit(one, items)).isFalse();
  }

  @Test
  void thePurgeOfNoTableIsAnErrorThatSaysSo() throws SQLException {
    run(one, "CREATE VIEW shown AS SELECT name FROM item");
    fill(one, NAME);
    for (String name : List.of("nothing", "other.item", "shown", "\"Item\"")) {
      assertThatThrownBy(() -> rows(one, "SELECT larder.purge('" + name + "')"))
          .hasMessageContaining("there is no table")
          .extracting("SQLState")
          .isEqualTo("42P01");
    }
    for (String name : List.of("", "a.b.c", "item; DROP TABLE item", "it''em", "item,other")) {
      assertThatThrownBy(() -> rows(one, "SELECT larder.purge('" + name + "')"))
          .hasMessageContaining("takes the name of one table")
          .extracting("SQLState")
          .isEqualTo("42602");
    }
    try (PreparedStatement purge = one.prepareStatement("SELECT larder.purge(?)")) {
      assertThatThrownBy(purge::executeQuery).hasMessageContaining("takes the name of one table");
    }
    assertThat(isHit(one, NAME)).isTrue();
  }
}
