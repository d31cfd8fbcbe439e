package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.store.FaultPoint;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From half of the declared time on, outdated results are asked for again in the background. */
@Tag("gate")
final class StaleRefreshTest {
  private static final String THREAD = "larder-refresh";
  private static final String DECLARED = "/* larder:stale=4s */ ";
  private static final Duration HALF = Duration.ofSeconds(2);
  private static final String SQL = DECLARED + "SELECT name FROM item WHERE id = 1";
  private static final String UPDATE = "UPDATE item SET name = 'new'";

  /** So many wait or are asked at most. */
  private static final int MOST = 18;

  private TestDatabase database;
  private Connection reader;
  private Connection writer;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text, at timestamp)",
        "INSERT INTO item SELECT i, 'old', '2024-02-29 12:00' FROM generate_series(1, 100) i",
        "CREATE TABLE other (id int)",
        "GRANT SELECT ON item TO pg_monitor");
    reader = connect();
    writer = connect();
  }

  @AfterEach
  void close() throws SQLException {
    FaultPoints.inject(null);
    reader.close();
    writer.close();
    database.close();
  }

  private Connection connect() throws SQLException {
    return LarderProbe.connect(database, "larder.admission=all", "larder.name=" + database.name());
  }

  /** Has an outdated result of {@code sql} in the cache that is to be asked for. */
  private void outdate(String sql) throws SQLException {
    LarderProbe.fill(reader, sql);
    run(writer, UPDATE);
    Waiting.pass(HALF);
  }

  private long count(String column) throws SQLException {
    return LarderProbe.count(reader, column);
  }

  /** It is counted after the result is there. */
  private void areReplaced(int results) throws SQLException {
    Waiting.until("so many were replaced", () -> count("stale_refreshes") >= results);
    assertThat(count("stale_refreshes")).isEqualTo(results);
  }

  private void isSoon(String sql) throws SQLException {
    Waiting.until("it was replaced", () -> rows(reader, sql).equals(List.of("new")));
  }

  private static boolean isRefreshing() {
    return Thread.getAllStackTraces().keySet().stream().anyMatch(t -> t.getName().equals(THREAD));
  }

  /** Holds what is asked in the background until the latch is open, and counts it. */
  private static AtomicInteger hold(CountDownLatch latch) {
    AtomicInteger asked = new AtomicInteger();
    FaultPoints.inject(
        point -> {
          if (point == FaultPoint.CAPTURING && Thread.currentThread().getName().equals(THREAD)) {
            asked.incrementAndGet();
            try {
              latch.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        });
    return asked;
  }

  @Test
  void noneOfFiftyReadersWaitsAndOneAsks() throws Exception {
    List<Connection> readers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      readers.add(connect());
      rows(readers.get(i), DECLARED + "SELECT id FROM other WHERE id = " + i);
    }
    outdate(SQL);
    long misses = count("misses");
    CountDownLatch latch = new CountDownLatch(1);
    AtomicInteger asked = hold(latch);
    try {
      assertThat(rows(reader, SQL)).containsExactly("old");
      Waiting.until("it is being asked", () -> asked.get() == 1);
      List<FutureTask<List<String>>> all = new ArrayList<>();
      for (Connection each : readers) {
        all.add(new FutureTask<>(() -> fiveTimes(each)));
      }
      all.forEach(each -> new Thread(each).start());
      for (FutureTask<List<String>> each : all) {
        assertThat(each.get()).containsOnly("old");
      }
    } finally {
      latch.countDown();
    }
    isSoon(SQL);
    assertThat(asked).hasValue(1);
    assertThat(count("misses")).isEqualTo(misses);
    areReplaced(1);
    assertThat(LarderProbe.isHit(reader, SQL)).isTrue();
    for (Connection each : readers) {
      each.close();
    }
  }

  private static List<String> fiveTimes(Connection connection) throws SQLException {
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      seen.addAll(rows(connection, SQL));
    }
    return seen;
  }

  @Test
  void parametersKeepTheirTypes() throws SQLException {
    String sql = DECLARED + "SELECT name FROM item WHERE id = ? AND at = ?";
    try (PreparedStatement statement = reader.prepareStatement(sql)) {
      statement.setInt(1, 1);
      statement.setTimestamp(2, Timestamp.valueOf("2024-02-29 12:00:00"));
      for (int i = 0; i < 8; i++) { // The driver prepares it at the server, too.
        assertThat(name(statement)).isEqualTo("old");
      }
      run(writer, UPDATE);
      Waiting.pass(HALF);
      long misses = count("misses");
      assertThat(name(statement)).isEqualTo("old");
      Waiting.until("it was replaced", () -> name(statement).equals("new"));
      assertThat(count("misses")).isEqualTo(misses);
      areReplaced(1);
    }
  }

  private static String name(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void whatASessionDeclaresIsAskedForUnderTheSameKey() throws SQLException {
    String sql = "SELECT name FROM item WHERE id = 1";
    run(reader, "SET larder.staleness = '4s'");
    outdate(sql);
    assertThat(rows(reader, sql)).containsExactly("old");
    isSoon(sql);
    areReplaced(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SET ROLE pg_monitor", "SET TimeZone = 'Asia/Tokyo'"})
  void whoHasAnotherRoleOrOtherSettingsAsksItself(String sql) throws SQLException {
    run(reader, sql);
    outdate(SQL);
    assertThat(rows(reader, SQL)).containsExactly("new");
    assertThat(count("stale_refreshes") + count("stale_refresh_failures")).isZero();
  }

  @Test
  void afterAFailureAReaderAsks() throws SQLException {
    outdate(SQL);
    try (Connection past = database.connect()) {
      past.setAutoCommit(false);
      run(past, "LOCK TABLE item");
      assertThat(rows(reader, SQL)).as("no reader waits for the lock").containsExactly("old");
      Waiting.until("the server refused it", () -> count("stale_refresh_failures") == 1);
      past.rollback();
    }
    assertThat(rows(reader, SQL)).containsExactly("new");
    assertThat(count("stale_refreshes")).isZero();
  }

  @Test
  void withoutAThreadAReaderAsks() throws SQLException {
    outdate(SQL);
    FaultPoints.inject(
        point -> {
          if (point == FaultPoint.STARTING) {
            throw new OutOfMemoryError("injected");
          }
        });
    assertThat(rows(reader, SQL)).containsExactly("new");
  }

  @Test
  void whatIsTooMuchReadersAsk() throws SQLException {
    List<String> queries = new ArrayList<>();
    for (int i = 1; i <= 2 * MOST; i++) {
      queries.add(DECLARED + "SELECT name FROM item WHERE id = " + i);
      LarderProbe.fill(reader, queries.get(i - 1));
    }
    outdate(SQL);
    CountDownLatch latch = new CountDownLatch(1);
    hold(latch);
    List<String> seen = new ArrayList<>();
    try {
      for (String sql : queries) {
        seen.addAll(rows(reader, sql));
      }
    } finally {
      latch.countDown();
    }
    assertThat(seen.indexOf("new")).isBetween(MOST - 2, MOST);
    assertThat(seen.subList(MOST, 2 * MOST)).containsOnly("new");
  }

  @Test
  void whatItAsksForIsNotOutdatedItself() throws SQLException {
    outdate(SQL);
    assertThat(rows(reader, SQL)).containsExactly("old");
    isSoon(SQL);
    run(writer, "UPDATE item SET name = 'newer'");
    Waiting.pass(HALF);
    assertThat(rows(reader, SQL)).containsExactly("new");
    Waiting.until("it was replaced", () -> rows(reader, SQL).equals(List.of("newer")));
    areReplaced(2);
  }

  @Test
  void itEndsWhenThereIsNothingToAsk() throws SQLException {
    outdate(SQL);
    rows(reader, SQL);
    isSoon(SQL);
    Waiting.until("the thread has ended", () -> !isRefreshing());
    assertThat(sessions()).as("the reader's own").isEqualTo("1");
  }

  @Test
  void itEndsWithTheApplicationsConnections() throws SQLException {
    outdate(SQL);
    CountDownLatch latch = new CountDownLatch(1);
    AtomicInteger asked = hold(latch);
    rows(reader, SQL);
    Waiting.until("it is being asked", () -> asked.get() == 1);
    reader.close();
    writer.close();
    latch.countDown();
    Waiting.until("the thread has ended", () -> !isRefreshing());
    Waiting.until("no session is left", () -> sessions().equals("0"));
  }

  /** Returns how many sessions have sent a declared query last. */
  private String sessions() throws SQLException {
    return database.queryString(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND query LIKE '%larder:stale%' AND pid <> pg_backend_pid()");
  }
}
