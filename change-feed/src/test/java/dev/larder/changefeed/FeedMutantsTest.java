package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What goes wrong without one step of what follows the writes of others, and does not with it. In
 * each case the server's process that sends the log is stopped, so that a commit is visible and
 * nobody has been told of it. The other steps are in {@code FeedModelTest} and {@link
 * VisibilityHolesTest}.
 */
@Tag("mutants")
final class FeedMutantsTest {
  private static final Executor THREADS = work -> new Thread(work).start();

  @AutoClose private static FeedServer server;

  private String database;
  private @Nullable Connection larder;
  private final List<Long> stopped = new ArrayList<>();

  @BeforeAll
  static void startServer() {
    server = FeedServer.start("wal_sender_timeout=0");
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE item (id int PRIMARY KEY, amount bigint)",
        "CREATE TABLE other (id int PRIMARY KEY)",
        "INSERT INTO item SELECT n, 0 FROM generate_series(1, 1500000) n",
        "VACUUM ANALYZE item",
        "CREATE PUBLICATION larder FOR TABLE item, other");
  }

  @AfterEach
  void goOn() throws Exception {
    for (long process : stopped) {
      signal("CONT", process);
    }
    stopped.clear();
    LeftOut.leaveOut(null);
    if (larder != null) {
      larder.close();
      larder = null;
    }
  }

  private static void signal(String signal, long process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process)).start().waitFor())
        .isZero();
  }

  private void stop(long process) throws Exception {
    stopped.add(process);
    signal("STOP", process);
  }

  private void goOn(long process) throws Exception {
    stopped.remove(process);
    signal("CONT", process);
  }

  private Connection open(Duration maxLag) throws SQLException {
    return DriverManager.getConnection(
        server.url(database).replace("jdbc:", "jdbc:larder:")
            + "&larder.writers=any&larder.feed=wal&larder.admission=all&larder.feed.maxLag="
            + maxLag.toMillis()
            + "ms");
  }

  /** Opens a connection whose feed is live, and stops what sends the log. */
  private Connection openAndStopTheLog(Duration maxLag) throws Exception {
    Connection connection = open(maxLag);
    larder = connection;
    Waiting.until("live", () -> ask(connection, "SHOW larder.feed").equals("live"));
    // Known from now on, so that it is looked up.
    for (String sql : List.of(ONE, SUM)) {
      ask(connection, sql);
      ask(connection, sql);
    }
    Waiting.until("a hit", () -> isHit(connection, ONE));
    stop(
        Long.parseLong(
            server.ask(
                database,
                "SELECT active_pid FROM pg_replication_slots WHERE database = '"
                    + database
                    + "'")));
    return connection;
  }

  private static final String ONE = "SELECT amount FROM item WHERE id = 1";
  private static final String SUM = "SELECT sum(amount) FROM item";

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    }
  }

  private static void clear(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("RESET larder.cache");
    }
  }

  private static long hits(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong("hits");
    }
  }

  private static boolean isHit(Connection connection, String sql) throws SQLException {
    long before = hits(connection);
    ask(connection, sql);
    return hits(connection) > before;
  }

  // ---- a result is not used while it is not known what others have written for too long

  private String readAfterTheBound(String sql) throws Exception {
    Connection connection = openAndStopTheLog(Duration.ofMillis(500));
    ask(connection, sql);
    server.execute(database, "UPDATE item SET amount = 1 WHERE id = 1");
    Waiting.pass(Duration.ofMillis(700));
    assertThat(ask(connection, "SHOW larder.feed")).isEqualTo("lagging");
    return ask(connection, sql);
  }

  @Test
  void nothingIsOlderThanTheBoundThoughTheLogHasStopped() throws Exception {
    assertThat(readAfterTheBound(ONE)).isEqualTo("1");
  }

  /** Of such a query one execution asks for all: that what is there is too old must not stop it. */
  @Test
  void aSlowQueryIsAskedWhereItsResultIsTooOld() throws Exception {
    assertThat(readAfterTheBound(SUM)).isEqualTo("1");
  }

  @Test
  void withoutTheBoundTheOldRowIsRead() throws Exception {
    LeftOut.leaveOut(ProtocolStep.LIMIT_UNKNOWN);
    assertThat(readAfterTheBound(ONE)).isEqualTo("0");
  }

  // ---- a transaction with a snapshot uses no cache

  private List<String> readTwiceInOneSnapshot() throws Exception {
    Connection connection = openAndStopTheLog(Duration.ofMinutes(10));
    try (Connection other = open(Duration.ofMinutes(10))) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      String before = ask(connection, "SELECT amount FROM item WHERE id = 2");
      server.execute(database, "UPDATE item SET amount = 1 WHERE id = 2");
      clear(other);
      ask(other, "SELECT amount FROM item WHERE id = 2"); // It is kept, and new.
      ask(other, "SELECT amount FROM item WHERE id = 2");
      String after = ask(connection, "SELECT amount FROM item WHERE id = 2");
      connection.rollback();
      connection.setAutoCommit(true);
      return List.of(before, after);
    }
  }

  @Test
  void aSnapshotHolds() throws Exception {
    assertThat(readTwiceInOneSnapshot()).containsExactly("0", "0");
  }

  @Test
  void aSnapshotIsBrokenByAResultThatIsNewer() throws Exception {
    LeftOut.leaveOut(ProtocolStep.BYPASS_SNAPSHOTS);
    assertThat(readTwiceInOneSnapshot()).containsExactly("0", "1");
  }

  // ---- of two results of one moment that differ none is kept

  /** Returns what is read by one after the other: a slow answer arrives after one that is newer. */
  private List<String> readBesideASlowAnswer() throws Exception {
    Connection connection = openAndStopTheLog(Duration.ofMinutes(10));
    try (Connection slow = open(Duration.ofMinutes(10))) {
      long process = Long.parseLong(ask(slow, "SELECT pg_backend_pid()"));
      CompletableFuture<String> answer = askAndStop(slow, process);
      server.execute(database, "UPDATE item SET amount = 1 WHERE id = 1");
      String first = ask(connection, SUM);
      goOn(process);
      assertThat(answer.get()).isEqualTo("0");
      return List.of(first, ask(connection, SUM));
    }
  }

  /** Asks, and stops the server's process in the middle of it: again where it was too late. */
  private CompletableFuture<String> askAndStop(Connection slow, long process) throws Exception {
    String withSnapshot =
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND backend_xmin IS NOT NULL"
            + " AND pid = "
            + process;
    while (true) {
      clear(slow);
      CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> sum(slow), THREADS);
      Waiting.until(
          "a snapshot", () -> answer.isDone() || server.ask(database, withSnapshot) != null);
      stop(process);
      if (!answer.isDone()) {
        return answer;
      }
      goOn(process);
    }
  }

  private static String sum(Connection connection) {
    try {
      return ask(connection, SUM);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSlowAnswerTakesNobodyBack() throws Exception {
    assertThat(readBesideASlowAnswer()).containsExactly("1", "1");
  }

  @Test
  void aSlowAnswerThatIsKeptTakesOthersBack() throws Exception {
    LeftOut.leaveOut(ProtocolStep.KEEP_NEITHER);
    assertThat(readBesideASlowAnswer()).containsExactly("1", "0");
  }
}
