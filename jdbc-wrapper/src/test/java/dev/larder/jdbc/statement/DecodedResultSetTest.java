package dev.larder.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.DecodedValues;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultLimits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.TimeZone;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgResultSet;
import org.postgresql.util.PSQLState;

/** Decoded values from hit to hit, through the whole driver. */
@Tag("each-jdk")
class DecodedResultSetTest {
  private static final String QUERY =
      "SELECT id, n, t, u, ts, b, a, missing FROM wide WHERE id <= 1020 ORDER BY id";

  /** How often a query must run until its values are handed out again: miss, ask, remember. */
  private static final int EXECUTIONS_BEFORE = 3;

  @AutoClose private static TestDatabase database;
  @AutoClose private Connection connection;
  private Statement statement;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE wide (id int PRIMARY KEY, n numeric(12,2), t text, u uuid, ts timestamptz,"
            + " b bytea, a int[], missing int)",
        "INSERT INTO wide SELECT i, i * 1.25, 'text ' || i, md5(i::text)::uuid,"
            + " timestamptz '2024-01-01 12:00+00', '\\x0102', '{1,2}', NULL"
            + " FROM generate_series(1001, 1100) i");
  }

  @BeforeEach
  void connect() throws SQLException {
    connection = LarderProbe.connect(database);
    statement = connection.createStatement();
    for (int i = 0; i < EXECUTIONS_BEFORE; i++) {
      try (ResultSet rows = statement.executeQuery(QUERY)) {
        readAll(rows);
      }
    }
  }

  private static void readAll(ResultSet rows) throws SQLException {
    while (rows.next()) {
      for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
        rows.getObject(column);
      }
    }
  }

  /** Executes the query, which must be a hit, and goes to its first row. */
  private ResultSet hit() throws SQLException {
    long before = LarderProbe.hits(connection);
    ResultSet rows = statement.executeQuery(QUERY);
    assertThat(LarderProbe.hits(connection)).isEqualTo(before + 1);
    assertThat(rows.next()).isTrue();
    return rows;
  }

  @Test
  void immutableValuesAreDecodedOnce() throws SQLException {
    Object[] first = new Object[4];
    try (ResultSet rows = hit()) {
      for (int column = 1; column <= 4; column++) {
        first[column - 1] = rows.getObject(column);
      }
    }
    try (ResultSet rows = hit()) {
      for (int column = 1; column <= 4; column++) {
        assertThat(rows.getObject(column)).isSameAs(first[column - 1]);
        assertThat(rows.getObject(rows.getMetaData().getColumnLabel(column)))
            .isSameAs(first[column - 1]);
      }
      assertThat(rows.getString("t")).isSameAs(first[2]);
      assertThat(rows.getObject("u", java.util.UUID.class)).isSameAs(first[3]);
    }
  }

  @Test
  void mutableValuesAreNot() throws SQLException {
    try (ResultSet rows = hit()) {
      for (int column = 5; column <= 7; column++) {
        assertThat(rows.getObject(column)).isNotSameAs(rows.getObject(column));
      }
      ((Timestamp) rows.getObject("ts")).setTime(0);
      ((byte[]) rows.getObject("b"))[0] = 99;
    }
    try (ResultSet rows = hit()) {
      assertThat(((Timestamp) rows.getObject("ts")).getTime()).isPositive();
      assertThat(rows.getBytes("b")).containsExactly(1, 2);
    }
  }

  @Test
  void wasNullFollowsTheLastGetter() throws SQLException {
    try (ResultSet rows = hit()) {
      assertThat(rows.getObject("missing")).isNull();
      assertThat(rows.wasNull()).isTrue();
      assertThat(rows.getObject("id")).isEqualTo(1001);
      assertThat(rows.wasNull()).isFalse();
      rows.getInt("missing");
      assertThat(rows.wasNull()).isTrue();
      assertThat(rows.getString("t")).isEqualTo("text 1001");
      assertThat(rows.wasNull()).isFalse();
    }
  }

  @Test
  void valuesAreThoseOfTheRow() throws SQLException {
    try (Statement scrolling =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        ResultSet rows = scrolling.executeQuery(QUERY)) {
      for (int row : new int[] {20, 1, 7, 20, 2}) {
        assertThat(rows.absolute(row)).isTrue();
        assertThat(rows.getObject(1)).isEqualTo(1000 + row);
        assertThat(rows.getObject("t")).isEqualTo("text " + (1000 + row));
      }
    }
  }

  @Test
  void betweenRowsAndAfterTheEndTheDriverAnswers() throws SQLException {
    ResultSet rows = hit();
    assertThatThrownBy(() -> rows.getObject(0)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> rows.getObject(9)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> rows.getObject("other")).isInstanceOf(SQLException.class);
    while (rows.next()) {
      assertThat(rows.getObject(1)).isNotNull();
    }
    assertRefused(rows, PSQLState.INVALID_CURSOR_STATE);
    rows.close();
    assertRefused(rows, PSQLState.OBJECT_NOT_IN_STATE);
    assertRefused(statement.executeQuery(QUERY), PSQLState.INVALID_CURSOR_STATE);
  }

  private static void assertRefused(ResultSet rows, PSQLState state) {
    assertThatThrownBy(() -> rows.getObject(1)).extracting("SQLState").isEqualTo(state.getState());
  }

  @Test
  void maxFieldSizeCutsWhatOthersHaveDecoded() throws SQLException {
    statement.setMaxFieldSize(4);
    try (ResultSet rows = statement.executeQuery(QUERY)) {
      rows.next();
      assertThat(rows.getObject("t")).isEqualTo("text");
      assertThat(rows.getString("t")).isEqualTo("text");
    }
  }

  /** In a database of its own: after an unwrap nothing is cached for a while. */
  @Test
  void whatAnUnwrappedResultChangesIsItsOwn() throws SQLException {
    try (TestDatabase own = TestDatabase.create();
        Connection plain = own.connect();
        Statement live = plain.createStatement()) {
      String series = "SELECT i AS id, 'text ' || i AS t FROM generate_series(1, 100) i";
      CachedResult cached =
          PostgresResults.capture(live.executeQuery(series), ResultLimits.NONE, null);
      assertThat(cached).isNotNull();
      ReplayStatements replays = new ReplayStatements(plain);
      readAll(replay(replays, cached, live));
      cached.giveRoom();
      readAll(replay(replays, cached, live));

      ResultSet rows = replay(replays, cached, live);
      rows.next();
      assertThat(rows.getObject("t")).isSameAs(cached.decoded()[1]);
      PgResultSet driver = rows.unwrap(PgResultSet.class);
      driver.getBytes("t")[0] = 'X';
      assertThat(rows.getObject("t")).isEqualTo("Xext 1");
      assertThat(rows.getString("t")).isEqualTo("Xext 1");

      ResultSet others = replay(replays, cached, live);
      others.next();
      assertThat(others.getObject("t")).isEqualTo("text 1");
    }
  }

  /** As results come from another JVM's memory. */
  @Test
  void valuesOfRowsThatKnowNoDriverAreRememberedToo() throws SQLException {
    try (Connection plain = database.connect();
        Statement live = plain.createStatement()) {
      String series = "SELECT i AS id, 'text ' || i AS t FROM generate_series(1, 100) i";
      CachedResult captured =
          PostgresResults.capture(live.executeQuery(series), ResultLimits.NONE, null);
      assertThat(captured).isNotNull();
      byte[][][] raw = new byte[captured.rows().count()][2][];
      for (int row = 0; row < raw.length; row++) {
        for (int column = 0; column < 2; column++) {
          raw[row][column] = captured.rows().value(row, column);
        }
      }
      CachedResult cached = CachedResult.of(captured.columns(), new RawRows(raw), false);
      ReplayStatements replays = new ReplayStatements(plain);
      readAll(replay(replays, cached, live));
      assertThat(cached.isAskingForRoom()).isTrue();
      cached.giveRoom();
      readAll(replay(replays, cached, live));

      assertThat(cached.decoded()).doesNotContainNull();
      ResultSet rows = replay(replays, cached, live);
      rows.next();
      assertThat(rows.getObject("t")).isEqualTo("text 1").isSameAs(cached.decoded()[1]);
    }
  }

  @Test
  void booleansAreDecodedOnceToo() throws SQLException {
    try (Connection plain = database.connect();
        Statement live = plain.createStatement()) {
      CachedResult cached =
          decoded(plain, "SELECT i AS id, i % 2 = 0 AS even FROM generate_series(1, 100) i");
      ReplayStatements replays = new ReplayStatements(plain);
      readAll(replay(replays, cached, live));
      assertThat(cached.decoded()).doesNotContainNull();

      ResultSet rows = replay(replays, cached, live);
      while (rows.next()) {
        boolean even = rows.getInt("id") % 2 == 0;
        assertThat(rows.getObject("even")).isEqualTo(even);
        assertThat(rows.getObject("even", Boolean.class)).isEqualTo(even);
        assertThat(rows.getBoolean("even")).isEqualTo(even);
        assertThat(rows.getString("even")).isEqualTo(even ? "t" : "f");
      }
    }
  }

  private static final String DATES =
      "SELECT i AS id, date '2024-03-31' + i AS d, time '02:30' AS t, timetz '02:30+05' AS tz,"
          + " timestamp '2024-03-31 02:30' + i * interval '1 h' AS ts,"
          + " timestamptz '2024-03-31 02:30+00' + i * interval '1 h' AS tstz"
          + " FROM generate_series(1, 100) i";

  @Test
  void datesAreDecodedOnceAndHandedOutAsCopies() throws SQLException {
    try (Connection plain = database.connect();
        Statement live = plain.createStatement()) {
      CachedResult cached = decoded(plain, DATES);
      ReplayStatements replays = new ReplayStatements(plain);
      readAll(replay(replays, cached, live));
      assertThat(cached.decoded()).doesNotContainNull();

      ResultSet first = replay(replays, cached, live);
      first.next();
      for (int column = 2; column <= 6; column++) {
        Date date = (Date) first.getObject(column);
        long time = date.getTime();
        date.setTime(0);
        assertThat((Date) first.getObject(column)).hasTime(time);
      }
      first.getTimestamp("ts").setNanos(1);
      first.getDate("d").setTime(1);
      first.getTime("t").setTime(1);
      assertSameDates(replay(replays, cached, live), live);
    }
  }

  @Test
  void aDateIsThatOfTheDefaultTimeZoneOfTheMoment() throws SQLException {
    TimeZone before = TimeZone.getDefault();
    try (Connection plain = database.connect();
        Statement live = plain.createStatement()) {
      CachedResult cached = decoded(plain, DATES);
      ReplayStatements replays = new ReplayStatements(plain);
      for (String zone : new String[] {"Europe/Berlin", "Asia/Kolkata", "UTC", "Europe/Berlin"}) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        for (int i = 0; i < 2; i++) {
          assertSameDates(replay(replays, cached, live), live);
        }
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** The driver's result set keeps the zone of its first date. */
  @Test
  void aTimeZoneThatChangesMeanwhileIsThatOfLaterReplaysOnly() throws SQLException {
    TimeZone before = TimeZone.getDefault();
    try (Connection plain = database.connect();
        Statement live = plain.createStatement()) {
      CachedResult cached = decoded(plain, DATES);
      ReplayStatements replays = new ReplayStatements(plain);
      TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
      ResultSet first = replay(replays, cached, live);
      first.next();
      Timestamp known = first.getTimestamp("ts");

      ResultSet next = replay(replays, cached, live);
      next.next();
      assertThat(next.getTimestamp("ts")).isEqualTo(known);
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
      next.next();
      try (Statement other = plain.createStatement();
          ResultSet rows = other.executeQuery(DATES)) {
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
        rows.next();
        assertThat(rows.getTimestamp("ts")).isEqualTo(known);
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
        rows.next();
        assertThat(next.getTimestamp("ts")).isEqualTo(rows.getTimestamp("ts"));
      }
      assertSameDates(replay(replays, cached, live), live);
      TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
      assertSameDates(replay(replays, cached, live), live);
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** What a class asks for is not what {@code getObject} without one returns. */
  @Test
  void datesOfJavaTimeAreDecodedOnce() throws SQLException {
    try (Connection plain = database.connect();
        Statement live = plain.createStatement()) {
      CachedResult cached = decoded(plain, DATES);
      ReplayStatements replays = new ReplayStatements(plain);
      Class<?>[] types = {LocalDate.class, LocalTime.class, null, LocalDateTime.class};
      Object[] first = new Object[types.length];
      for (int replay = 0; replay < 3; replay++) {
        ResultSet rows = replay(replays, cached, live);
        rows.next();
        for (int i = 0; i < types.length; i++) {
          if (types[i] != null) {
            Object value = rows.getObject(i + 2, types[i]);
            first[i] = replay == 0 ? value : first[i];
            assertThat(value).isSameAs(first[i]);
          }
        }
        OffsetDateTime instant = rows.getObject("tstz", OffsetDateTime.class);
        assertThat(instant).isEqualTo("2024-03-31T03:30Z");
        assertThat(rows.getObject("tstz", OffsetDateTime.class)).isSameAs(instant);
      }
      assertSameDates(replay(replays, cached, live), live);
    }
  }

  /** The first replay asks for room, as long as it reads what may be shared. */
  private static CachedResult decoded(Connection plain, String sql) throws SQLException {
    try (Statement live = plain.createStatement()) {
      CachedResult cached =
          PostgresResults.capture(live.executeQuery(sql), ResultLimits.NONE, null);
      assertThat(cached).isNotNull();
      readAll(replay(new ReplayStatements(plain), cached, live));
      assertThat(cached.isAskingForRoom()).isTrue();
      cached.giveRoom();
      return cached;
    }
  }

  private static void assertSameDates(ResultSet replayed, Statement live) throws SQLException {
    try (ResultSet rows = live.executeQuery(DATES)) {
      while (rows.next()) {
        assertThat(replayed.next()).isTrue();
        for (int column = 1; column <= 6; column++) {
          assertThat(replayed.getObject(column))
              .isEqualTo(rows.getObject(column))
              .hasSameClassAs(rows.getObject(column));
        }
        assertThat(replayed.getTimestamp("ts")).isEqualTo(rows.getTimestamp("ts"));
        assertThat(replayed.getTimestamp("tstz")).isEqualTo(rows.getTimestamp("tstz"));
        assertThat(replayed.getDate("ts")).isEqualTo(rows.getDate("ts"));
        assertThat(replayed.getTimestamp("d")).isEqualTo(rows.getTimestamp("d"));
        assertThat(replayed.getDate("d")).isEqualTo(rows.getDate("d"));
        assertThat(replayed.getTime("t")).isEqualTo(rows.getTime("t"));
        assertThat(replayed.getTime("tz")).isEqualTo(rows.getTime("tz"));
        assertThat(replayed.getObject("ts", LocalDateTime.class))
            .isEqualTo(rows.getObject("ts", LocalDateTime.class));
      }
    }
  }

  private static ResultSet replay(ReplayStatements replays, CachedResult cached, Statement owner)
      throws SQLException {
    ResultSet replayed = replays.replay(cached, ReplayOptions.DEFAULT);
    DecodedValues values =
        DecodedValues.of(cached, replayed, ReplayOptions.DEFAULT, Long.MAX_VALUE);
    assertThat(values).isNotNull();
    return new DecodedResultSet(replayed, new RecordingOwner(owner), values);
  }

  @Test
  void aWriteMakesEverythingNew() throws SQLException {
    try (Statement writing = connection.createStatement()) {
      writing.executeUpdate("UPDATE wide SET t = 'written' WHERE id = 1001");
      for (int i = 0; i <= EXECUTIONS_BEFORE; i++) {
        try (ResultSet rows = statement.executeQuery(QUERY)) {
          rows.next();
          assertThat(rows.getObject("t")).isEqualTo("written");
        }
      }
      writing.executeUpdate("UPDATE wide SET t = 'text 1001' WHERE id = 1001");
    }
  }
}
