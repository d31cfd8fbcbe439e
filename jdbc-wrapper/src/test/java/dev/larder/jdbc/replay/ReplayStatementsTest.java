package dev.larder.jdbc.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.engine.StatusTable;
import dev.larder.engine.StatusTable.Column;
import dev.larder.engine.StatusTable.Type;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGStatement;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgResultSet;

class ReplayStatementsTest {
  private static final ReplayOptions OPTIONS = ReplayOptions.DEFAULT;

  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    MatrixTable.create(database);
  }

  @Test
  void replaySendsNothing() throws SQLException {
    CachedResult cached = capture("SELECT id, c_text FROM matrix ORDER BY id");
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      ReplayStatements replays = new ReplayStatements(connection);
      try (ResultSet replayed = replays.replay(cached, OPTIONS)) {
        replayed.next();
        assertThat(replayed.getInt("id")).isEqualTo(1);
        assertThat(replayed.getString("c_text")).startsWith("Gr");
      }
      // The driver sends BEGIN with the first statement of a transaction, so none was sent.
      assertThat(connection.unwrap(BaseConnection.class).getTransactionState())
          .isEqualTo(TransactionState.IDLE);
    }
  }

  @Test
  void replayOnAClosedConnectionThrowsWhatTheDriverThrows() throws SQLException {
    CachedResult cached = capture("SELECT id FROM matrix");
    Connection connection = database.connect();
    ReplayStatements replays = new ReplayStatements(connection);
    connection.close();

    assertThatThrownBy(() -> replays.replay(cached, OPTIONS))
        .isInstanceOf(SQLException.class)
        .hasMessage("This connection has been closed.");
  }

  @Test
  void rowsOfAnotherMemoryAreReplayed() throws SQLException {
    CachedResult cached = capture("SELECT id, c_text FROM matrix ORDER BY id");
    byte[][][] rows = new byte[3][2][];
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 2; column++) {
        rows[row][column] = cached.rows().value(row, column);
      }
    }
    CachedResult decoded = CachedResult.of(cached.columns(), new RawRows(rows), false);
    try (Connection connection = database.connect();
        Connection other = database.connect()) {
      assertThat(
              ResultSetComparison.compare(
                      new ReplayStatements(connection).replay(cached, OPTIONS),
                      new ReplayStatements(other).replay(decoded, OPTIONS))
                  .differences())
          .isEmpty();
    }
  }

  @Test
  void twoConnectionsReplayOneResultAtOnce() throws Exception {
    CachedResult cached = capture(MatrixTable.QUERY);
    CyclicBarrier start = new CyclicBarrier(4);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Connection one = database.connect();
        Connection other = database.connect()) {
      List<ReplayStatements> replays =
          List.of(new ReplayStatements(one), new ReplayStatements(other));
      String expected = readAll(replays.get(0).replay(cached, OPTIONS));
      List<Future<Boolean>> equal = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        ReplayStatements mine = replays.get(thread % 2);
        Callable<Boolean> reading =
            () -> {
              start.await();
              boolean same = true;
              for (int round = 0; round < 50; round++) {
                same &= readAll(mine.replay(cached, OPTIONS)).equals(expected);
              }
              return same;
            };
        equal.add(threads.submit(reading));
      }
      for (Future<Boolean> same : equal) {
        assertThat(same.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void otherSpellingsOfLabelsAreBounded() throws SQLException {
    CachedResult cached = capture("SELECT id AS abcdefghij FROM matrix");
    try (Connection connection = database.connect()) {
      ReplayStatements replays = new ReplayStatements(connection);
      try (ResultSet replayed = replays.replay(cached, OPTIONS)) {
        for (int bits = 0; bits < 1024; bits++) {
          char[] label = "abcdefghij".toCharArray();
          for (int i = 0; i < label.length; i++) {
            label[i] = (bits >> i & 1) == 0 ? label[i] : Character.toUpperCase(label[i]);
          }
          assertThat(replayed.findColumn(new String(label))).isEqualTo(1);
        }
      }
      ColumnLabels labels = new ReplayShape(cached.columns(), false).labels;
      for (int i = 0; i < 1000; i++) {
        labels.put("spelling " + i, 1);
      }
      assertThat(labels).hasSizeLessThan(100).containsKey("abcdefghij");
    }
  }

  @Test
  void labelsThatShareASlotOrATextAreToldApart() {
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 1; i <= 100; i++) {
      numbers.put("c" + i, i);
    }
    // Strings with one hash, and so one slot.
    numbers.put("Aa", 101);
    numbers.put("BB", 102);
    ColumnLabels labels = new ColumnLabels(numbers);
    for (int round = 0; round < 3; round++) {
      numbers.forEach(
          (label, number) -> {
            assertThat(labels.get(label)).isEqualTo(number);
            assertThat(labels.get(new String(label.toCharArray()))).isEqualTo(number);
            assertThat(labels.get(label + ' ')).isNull();
          });
      assertThat(labels.get("C1")).isNull();
      assertThat(labels.get(null)).isNull();
    }
    labels.put("C1", 1);
    assertThat(labels.get("C1")).isEqualTo(1);
    assertThat(new ColumnLabels(Map.of()).get("c1")).isNull();
  }

  @Test
  void fieldsAreMadeOnceForEachSetOfColumnsAndBounded() throws SQLException {
    CachedResult cached = capture("SELECT id, c_text FROM matrix");
    try (Connection connection = database.connect()) {
      ReplayStatements replays = new ReplayStatements(connection);
      assertThat(DriverInternals.fields(driver(replays.replay(cached, OPTIONS))))
          .isSameAs(DriverInternals.fields(driver(replays.replay(cached, OPTIONS))));
      for (int i = 0; i < 3_000; i++) {
        replays.replay(capture(connection, "SELECT 1 AS a" + i), OPTIONS).close();
        assertThat(replays.knownShapes()).isLessThanOrEqualTo(1_025);
      }
    }
  }

  @Test
  void fieldsOfOneConnectionAreNotThoseOfAnother() throws SQLException {
    CachedResult cached = capture("SELECT id, c_text FROM matrix");
    try (Connection one = database.connect();
        Connection other = database.connect()) {
      assertThat(
              DriverInternals.fields(driver(new ReplayStatements(one).replay(cached, OPTIONS)))[0])
          .isNotSameAs(
              DriverInternals.fields(driver(new ReplayStatements(other).replay(cached, OPTIONS)))[
                  0]);
    }
  }

  @Test
  void hiddenStatementThatAUserClosedIsReplaced() throws SQLException {
    CachedResult cached = capture("SELECT id FROM matrix ORDER BY id");
    try (Connection connection = database.connect()) {
      ReplayStatements replays = new ReplayStatements(connection);
      replays.replay(cached, OPTIONS).getStatement().close();
      try (ResultSet replayed = replays.replay(cached, OPTIONS)) {
        assertThat(replayed.next()).isTrue();
      }
    }
  }

  @Test
  void forgottenStatementServesNoMore() throws SQLException {
    CachedResult cached = capture("SELECT id FROM matrix ORDER BY id");
    try (Connection connection = database.connect()) {
      ReplayStatements replays = new ReplayStatements(connection);
      Statement before = replays.replay(cached, OPTIONS).getStatement();
      assertThat(replays.replay(cached, OPTIONS).getStatement()).isSameAs(before);
      replays.forgetStatements();
      assertThat(replays.replay(cached, OPTIONS).getStatement()).isNotSameAs(before);
    }
  }

  @Test
  void resultsWithDifferentOptionsStayApart() throws SQLException {
    CachedResult cached = capture("SELECT c_text FROM matrix ORDER BY id");
    try (Connection connection = database.connect()) {
      ReplayStatements replays = new ReplayStatements(connection);
      for (int round = 0; round < 3; round++) {
        for (int fieldSize = 0; fieldSize < 20; fieldSize++) {
          ReplayOptions options =
              new ReplayOptions(
                  ResultSet.TYPE_SCROLL_INSENSITIVE, fieldSize, 5, ResultSet.FETCH_FORWARD);
          try (ResultSet replayed = replays.replay(cached, options)) {
            assertThat(replayed.last()).isTrue();
            assertThat(replayed.first()).isTrue();
            assertThat(replayed.getFetchSize()).isEqualTo(5);
            String whole = "Größe \u20ac \ud83d\ude00";
            int length = fieldSize == 0 ? whole.length() : Math.min(fieldSize, whole.length());
            assertThat(replayed.getString(1)).isEqualTo(whole.substring(0, length));
          }
        }
      }
    }
  }

  @Test
  void ownAnswersReadLikeAServers() throws SQLException {
    List<Column> columns =
        List.of(
            new Column("name", Type.TEXT),
            new Column("entries", Type.INT8),
            new Column("hit_ratio", Type.FLOAT8),
            new Column("enabled", Type.BOOL),
            new Column("since", Type.TIMESTAMPTZ));
    String when = "2024-02-29 12:00:00+00";
    try (Connection connection = database.connect();
        PreparedStatement live =
            connection.prepareStatement(
                "SELECT 'größe' AS name, 9000000000::int8 AS entries, 0.5::float8 AS hit_ratio,"
                    + " true AS enabled, timestamptz '2024-02-29 12:00Z' AS since"
                    + " UNION ALL SELECT NULL, NULL, NULL, NULL, NULL")) {
      connection.createStatement().execute("SET TIME ZONE 'UTC'");
      live.unwrap(PGStatement.class).setPrepareThreshold(0);
      ResultSet own =
          new ReplayStatements(connection)
              .fromText(
                  new StatusTable(
                      columns,
                      List.of(
                          Arrays.asList("größe", "9000000000", "0.5", "t", when),
                          Arrays.asList(null, null, null, null, null))),
                  OPTIONS);
      assertThat(ResultSetComparison.compare(live.executeQuery(), own).differences()).isEmpty();
    }
  }

  @Test
  void noGeneratedKeysAreWhatTheDriverAnswers() throws SQLException {
    try (Connection connection = database.connect();
        Statement live = connection.createStatement()) {
      live.executeUpdate("UPDATE matrix SET c_int4 = 1 WHERE false");
      ResultSet keys = new ReplayStatements(connection).noGeneratedKeys(OPTIONS);

      assertThat(ResultSetComparison.compare(live.getGeneratedKeys(), keys).differences())
          .isEmpty();
    }
  }

  private static String readAll(ResultSet result) throws SQLException {
    StringBuilder text = new StringBuilder();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      for (int column = 1; column <= columns; column++) {
        text.append(result.getString(column)).append('|');
      }
      text.append(result.getInt("ID")).append(result.getString("Mixed CASE"));
    }
    result.close();
    return text.toString();
  }

  private static PgResultSet driver(ResultSet result) {
    return (PgResultSet) result;
  }

  private static CachedResult capture(String query) throws SQLException {
    try (Connection connection = database.connect()) {
      return capture(connection, query);
    }
  }

  private static CachedResult capture(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet live = statement.executeQuery(query)) {
      CachedResult result = PostgresResults.capture(live, ResultLimits.NONE, null);
      assertThat(result).isNotNull();
      return result;
    }
  }
}
