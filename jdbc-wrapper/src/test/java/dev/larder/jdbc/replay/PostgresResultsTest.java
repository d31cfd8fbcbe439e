package dev.larder.jdbc.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.p6spy.engine.spy.P6DataSource;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.Field;

@Tag("each-server")
class PostgresResultsTest {
  private static final String HUNDRED = "SELECT id, name FROM item ORDER BY id";

  @AutoClose private static TestDatabase database;
  @AutoClose private Connection connection;
  private Statement statement;

  @BeforeAll
  static void createTables() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id integer PRIMARY KEY, name text)",
        "INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 100) i",
        "CREATE DOMAIN lo AS oid",
        "CREATE TABLE picture (id integer PRIMARY KEY, plain oid, image lo)",
        "INSERT INTO picture VALUES (1, 2, 3)");
  }

  @BeforeEach
  void connect() throws SQLException {
    connection = database.connect();
    statement = connection.createStatement();
  }

  @Test
  void captureLeavesTheLiveResultAsItWas() throws SQLException {
    ResultSet live = statement.executeQuery(HUNDRED);
    assertThat(capture(live)).isNotNull();

    try (Statement other = connection.createStatement()) {
      assertThat(ResultSetComparison.compare(other.executeQuery(HUNDRED), live).differences())
          .isEmpty();
    }
  }

  @Test
  void captureOfARunningResultHoldsEveryRow() throws SQLException {
    ResultSet live = statement.executeQuery(HUNDRED);
    live.next();
    live.next();

    assertThat(capture(live).rows().count()).isEqualTo(100);
    live.next();
    assertThat(live.getInt(1)).isEqualTo(3);
  }

  @Test
  void captureSharesTheBytesAndTheColumns() throws SQLException {
    CachedResult first = capture(statement.executeQuery(HUNDRED));
    CachedResult second = capture(statement.executeQuery(HUNDRED));

    assertThat(second.columns()).isSameAs(first.columns());
    assertThat(first.weightBytes() - second.weightBytes()).isIn(0L, first.columns().weightBytes());
    ResultSet live = statement.executeQuery(HUNDRED);
    CachedResult third = capture(live);
    live.next();
    assertThat(live.getBytes("name")).isSameAs(third.rows().value(0, 1));
  }

  @Test
  void columnsThatAreOnlyLikelyAreUsedWhereTheyAreThoseOfTheResult() throws SQLException {
    ResultColumns known = capture(statement.executeQuery(HUNDRED)).columns();
    List<String> others =
        List.of(
            "SELECT id, name AS other FROM item",
            HUNDRED + " LIMIT 5",
            "SELECT 1 AS id",
            "SELECT 1::bigint, 'x'::text",
            "SELECT " + "1,".repeat(known.count()) + " 2");
    for (String sql : others) {
      ResultColumns plain = capture(statement.executeQuery(sql)).columns();
      CachedResult captured =
          PostgresResults.capture(statement.executeQuery(sql), ResultLimits.NONE, known);
      assertThat(captured).isNotNull();
      assertThat(captured.columns()).as(sql).isEqualTo(plain).isSameAs(plain);
      assertThat(captured.columns().equals(known)).isEqualTo(plain.equals(known));
    }
  }

  @Test
  void eachPartOfTheDescriptionOfAColumnTells() throws SQLException {
    ResultColumn column = capture(statement.executeQuery(HUNDRED)).columns().get(0);
    Field field = DriverInternals.newFields(new ResultColumns(List.of(column)))[0];
    assertThat(DriverInternals.isOf(column, field)).isTrue();
    String label = column.label();
    int table = column.tableOid();
    int number = column.columnNumber();
    int type = column.typeOid();
    int length = column.typeLength();
    int modifier = column.typeModifier();
    boolean binary = column.binary();
    List<ResultColumn> others =
        List.of(
            new ResultColumn(label + "x", table, number, type, length, modifier, binary),
            new ResultColumn(label, table + 1, number, type, length, modifier, binary),
            new ResultColumn(label, table, number + 1, type, length, modifier, binary),
            new ResultColumn(label, table, number, type + 1, length, modifier, binary),
            new ResultColumn(label, table, number, type, length + 1, modifier, binary),
            new ResultColumn(label, table, number, type, length, modifier + 1, binary),
            new ResultColumn(label, table, number, type, length, modifier, !binary));
    assertThat(others).noneMatch(other -> DriverInternals.isOf(other, field));
  }

  @Test
  void closedResultIsNotCaptured() throws SQLException {
    ResultSet live = statement.executeQuery(HUNDRED);
    live.close();

    assertThat(PostgresResults.capture(live, ResultLimits.NONE, null)).isNull();
  }

  @Test
  void portalWithMoreRowsIsNotCapturedNorDisturbed() throws SQLException {
    connection.setAutoCommit(false);
    statement.setFetchSize(30);
    ResultSet live = statement.executeQuery(HUNDRED);
    int rows = 0;

    assertThat(PostgresResults.capture(live, ResultLimits.NONE, null)).isNull();
    while (live.next()) {
      rows++;
      assertThat(PostgresResults.capture(live, ResultLimits.NONE, null)).isNull();
    }
    assertThat(PostgresResults.capture(live, ResultLimits.NONE, null)).isNull();
    assertThat(rows).isEqualTo(100);
  }

  @Test
  void portalThatHeldEveryRowIsCaptured() throws SQLException {
    connection.setAutoCommit(false);
    statement.setFetchSize(101);

    assertThat(capture(statement.executeQuery(HUNDRED)).rows().count()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void resultThatMaxRowsMayHaveCutSaysSo(String mode) throws SQLException {
    try (Connection other =
            new org.postgresql.Driver()
                .connect(database.url() + "&preferQueryMode=" + mode, new java.util.Properties());
        Statement limited = other.createStatement()) {
      limited.setMaxRows(100);
      assertThat(capture(limited.executeQuery(HUNDRED)).mayBeCut()).isTrue();
      limited.setMaxRows(7);
      assertThat(capture(limited.executeQuery(HUNDRED)).mayBeCut()).isTrue();
      limited.setMaxRows(101);
      assertThat(capture(limited.executeQuery(HUNDRED)).mayBeCut()).isFalse();
      limited.setMaxRows(0);
      assertThat(capture(limited.executeQuery(HUNDRED)).mayBeCut()).isFalse();
    }
  }

  @Test
  void updatableResultIsNotCaptured() throws SQLException {
    try (Statement updatable =
        connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE)) {
      assertThat(PostgresResults.capture(updatable.executeQuery(HUNDRED), ResultLimits.NONE, null))
          .isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'c'::refcursor",
        "SELECT plain FROM picture",
        "SELECT image FROM picture",
        "SELECT coalesce(image, 0::oid) FROM picture",
        "SELECT id, p.plain FROM picture p"
      })
  void columnThatLeadsToTheServerIsNotCaptured(String query) throws SQLException {
    assertThat(PostgresResults.capture(statement.executeQuery(query), ResultLimits.NONE, null))
        .isNull();
  }

  @Test
  void tableoidIsCaptured() throws SQLException {
    assertThat(capture(statement.executeQuery("SELECT tableoid, id FROM picture"))).isNotNull();
  }

  @Test
  void resultOverALimitIsNotCapturedAndReachesTheCallerWhole() throws SQLException {
    long bytes = capture(statement.executeQuery(HUNDRED)).weightBytes();
    assertThat(bytes).isGreaterThan(100 * 80);
    for (ResultLimits limits :
        new ResultLimits[] {
          new ResultLimits(Long.MAX_VALUE, 99),
          new ResultLimits(1_000, 1_000),
          new ResultLimits(bytes / 2, 100)
        }) {
      ResultSet live = statement.executeQuery(HUNDRED);
      assertThat(PostgresResults.capture(live, limits, null)).isNull();
      int rows = 0;
      while (live.next()) {
        rows++;
      }
      assertThat(rows).isEqualTo(100);
    }
    assertThat(
            PostgresResults.capture(
                statement.executeQuery(HUNDRED), new ResultLimits(2 * bytes, 100), null))
        .isNotNull();
  }

  @Test
  void resultBehindAForeignWrapperIsCaptured() throws SQLException {
    P6DataSource wrapping = new P6DataSource(database.dataSource());
    try (Connection wrapped = wrapping.getConnection();
        PreparedStatement select = wrapped.prepareStatement(HUNDRED)) {
      ResultSet live = select.executeQuery();
      assertThat(live.getClass().getName()).doesNotStartWith("org.postgresql");
      CachedResult cached = capture(live);
      ReplayStatements replays = new ReplayStatements(wrapped);
      try (ResultSet replayed = replays.replay(cached, ReplayOptions.DEFAULT)) {
        assertThat(replayed.next()).isTrue();
        assertThat(replayed.getString("name")).isEqualTo("item 1");
      }
    }
  }

  private static CachedResult capture(ResultSet live) throws SQLException {
    CachedResult result = PostgresResults.capture(live, ResultLimits.NONE, null);
    assertThat(result).isNotNull();
    return result;
  }
}
