package dev.larder.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.DecodedValues;
import dev.larder.jdbc.replay.MatrixTable;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.jdbc.replay.ResultSetComparison;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGResultSetMetaData;

/** Replayed results against live ones in the same column formats, answer by answer. */
@Tag("each-server")
class FidelityTest {
  private static final String BINARY = "prepareThreshold=-1";
  private static final String PREPARED = "prepareThreshold=1";
  private static final String TEXT = "prepareThreshold=1&binaryTransfer=false";
  private static final String SIMPLE = "preferQueryMode=simple";
  private static final String KEEP_CASE = "disableColumnSanitiser=true";

  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    MatrixTable.create(database);
  }

  @ParameterizedTest
  @ValueSource(strings = {BINARY, PREPARED, TEXT, SIMPLE, KEEP_CASE})
  void replayedMatrixEqualsALiveOne(String mode) throws SQLException {
    ResultSetComparison.Report report =
        compare(mode, "UTC", MatrixTable.QUERY, ReplayOptions.DEFAULT);

    assertThat(report.differences()).isEmpty();
    assertThat(report.answers()).isGreaterThan(MatrixTable.queryColumns() * 500L);
  }

  /** The first replay asks for room, the second remembers, and the third hands out. */
  @ParameterizedTest
  @ValueSource(strings = {BINARY, PREPARED, TEXT, SIMPLE, KEEP_CASE})
  @Tag("gate")
  void valuesDecodedByAnEarlierReplayEqualLiveOnes(String mode) throws SQLException {
    try (Connection filling = connect(mode, "UTC");
        PreparedStatement fill = prepare(filling, MatrixTable.QUERY, ReplayOptions.DEFAULT);
        ResultSet filled = executeTwice(fill)) {
      CachedResult cached = PostgresResults.capture(filled, ResultLimits.NONE, null);
      assertThat(cached).isNotNull();
      for (int replay = 0; replay < 3; replay++) {
        assertThat(compareDecoded(cached, mode).differences()).isEmpty();
        if (replay == 0) {
          assertThat(cached.isAskingForRoom()).isTrue();
          cached.giveRoom();
        }
      }
      assertThat(Arrays.stream(cached.decoded()).filter(Objects::nonNull).map(Object::getClass))
          .contains(
              Integer.class, Long.class, Float.class, Double.class, BigDecimal.class, String.class);
    }
  }

  /** On connections of their own: what the driver says about types depends on what it has seen. */
  private static ResultSetComparison.Report compareDecoded(CachedResult cached, String mode)
      throws SQLException {
    try (Connection replaying = connect(mode, "UTC");
        Connection living = connect(mode, "UTC");
        PreparedStatement live = prepare(living, MatrixTable.QUERY, ReplayOptions.DEFAULT)) {
      ResultSet replayed = new ReplayStatements(replaying).replay(cached, ReplayOptions.DEFAULT);
      DecodedValues values =
          DecodedValues.of(cached, replayed, ReplayOptions.DEFAULT, Long.MAX_VALUE);
      assertThat(values).isNotNull();
      return ResultSetComparison.compare(
          executeTwice(live), new DecodedResultSet(replayed, new RecordingOwner(live), values));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {BINARY, TEXT})
  void replayedTimesEqualLiveOnesInEverySessionZone(String mode) throws SQLException {
    String times =
        "SELECT c_date, c_time, c_timetz, c_ts, c_tstz, c_tstz2, a_tstz, c_tstzrange FROM matrix";
    for (String zone : new String[] {"Asia/Kolkata", "America/St_Johns", "Europe/Berlin"}) {
      assertThat(compare(mode, zone, times, ReplayOptions.DEFAULT).differences()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 AS id, 2 AS id, 3 AS \"ID\", 4 AS \"Id\"",
        "SELECT id FROM matrix WHERE false",
        "SELECT FROM matrix",
        "SELECT FROM matrix WHERE false",
        "VALUES (1, 'a'), (2, NULL)",
        "SELECT 'I' AS \"KIRILLI\", 'i' AS kirilli, 1 AS \"\u0130\"",
        "SELECT id, c_text FROM matrix ORDER BY id",
      })
  void replayedLabelsAndShapesEqualLiveOnes(String query) throws SQLException {
    for (String mode : new String[] {BINARY, TEXT, SIMPLE, KEEP_CASE}) {
      assertThat(compare(mode, "UTC", query, ReplayOptions.DEFAULT).differences()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.TYPE_SCROLL_SENSITIVE})
  void replayedScrollableResultEqualsALiveOne(int type) throws SQLException {
    ReplayOptions options = new ReplayOptions(type, 3, 2, ResultSet.FETCH_REVERSE);
    String query = "SELECT id, c_text, c_bytea, c_varchar, c_name FROM matrix ORDER BY id";

    assertThat(compare(BINARY, "UTC", query, options).differences()).isEmpty();
    assertThat(compare(TEXT, "UTC", query, options).differences()).isEmpty();
  }

  @Test
  void comparisonSeesADifference() throws SQLException {
    try (Connection connection = database.connect();
        Statement one = connection.createStatement();
        Statement other = connection.createStatement()) {
      assertThat(
              ResultSetComparison.compare(
                      one.executeQuery("SELECT 1 AS a"), other.executeQuery("SELECT 1 AS b"))
                  .differences())
          .isNotEmpty();
      assertThat(
              ResultSetComparison.compare(
                      one.executeQuery("SELECT 1.0 AS a"), other.executeQuery("SELECT 1.00 AS a"))
                  .differences())
          .isNotEmpty();
    }
  }

  @Test
  void modesCoverBothFormats() throws SQLException {
    assertThat(formats(BINARY)).containsExactlyInAnyOrder(0, 1);
    assertThat(formats(TEXT)).containsExactly(0);
    assertThat(formats(SIMPLE)).containsExactly(0);
  }

  private static Set<Integer> formats(String mode) throws SQLException {
    Set<Integer> formats = new HashSet<>();
    try (Connection connection = connect(mode, "UTC");
        PreparedStatement statement = connection.prepareStatement(MatrixTable.QUERY);
        ResultSet result = statement.executeQuery()) {
      PGResultSetMetaData metaData = result.getMetaData().unwrap(PGResultSetMetaData.class);
      for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
        formats.add(metaData.getFormat(column));
      }
    }
    return formats;
  }

  /** Fills on one connection, replays on a second, and executes for real on a third. */
  private static ResultSetComparison.Report compare(
      String mode, String zone, String query, ReplayOptions options) throws SQLException {
    try (Connection filling = connect(mode, zone);
        Connection replaying = connect(mode, zone);
        Connection living = connect(mode, zone);
        PreparedStatement fill = prepare(filling, query, options);
        PreparedStatement live = prepare(living, query, options);
        ResultSet filled = executeTwice(fill)) {
      CachedResult cached = PostgresResults.capture(filled, ResultLimits.NONE, null);
      assertThat(cached).isNotNull();
      ResultSet replayed = new ReplayStatements(replaying).replay(cached, options);
      return ResultSetComparison.compare(
          executeTwice(live), new CachingResultSet(replayed, new RecordingOwner(live), true));
    }
  }

  /** The second execution of a statement may answer in binary where the first did not. */
  private static ResultSet executeTwice(PreparedStatement statement) throws SQLException {
    statement.executeQuery().close();
    return statement.executeQuery();
  }

  private static PreparedStatement prepare(
      Connection connection, String query, ReplayOptions options) throws SQLException {
    PreparedStatement statement =
        connection.prepareStatement(query, options.type(), ResultSet.CONCUR_READ_ONLY);
    statement.setMaxFieldSize(options.maxFieldSize());
    statement.setFetchSize(options.fetchSize());
    statement.setFetchDirection(options.fetchDirection());
    return statement;
  }

  private static Connection connect(String mode, String zone) throws SQLException {
    Connection connection = DriverManager.getConnection(database.url() + "&" + mode);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TIME ZONE '" + zone + "'");
    }
    return connection;
  }
}
