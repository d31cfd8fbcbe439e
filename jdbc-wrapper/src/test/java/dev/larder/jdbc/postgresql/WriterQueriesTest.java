package dev.larder.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.TestServer;
import dev.larder.remote.AnnounceLock;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("each-server")
class WriterQueriesTest {
  @AutoClose private static TestServer server;

  @BeforeAll
  static void start() throws Exception {
    server = TestServer.start("max_prepared_transactions=10");
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE other");
    }
  }

  @BeforeEach
  void createTable() throws SQLException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t; CREATE TABLE t (id int)");
    }
  }

  private static Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + server.port() + "/" + database + "?user=postgres");
  }

  private static Set<String> writers() throws SQLException {
    try (Connection connection = connect("postgres")) {
      return new PostgresSession(connection).writersInProgress();
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void openWriteIsNamedUntilItsCommitHasReturned() throws Exception {
    try (Connection writer = connect("postgres")) {
      run(writer, "BEGIN; INSERT INTO t VALUES (1)");
      assertThat(writers()).hasSize(1);
      run(writer, "COMMIT");

      assertThat(writers()).isEmpty();
    }
  }

  @Test
  void transactionThatHasWrittenNothingIsNotNamed() throws Exception {
    try (Connection reader = connect("postgres")) {
      run(reader, "BEGIN; SELECT * FROM t; UPDATE t SET id = 2");

      assertThat(writers()).isEmpty();
    }
  }

  @Test
  void writeInAnotherDatabaseIsNotNamed() throws Exception {
    try (Connection writer = connect("other")) {
      run(writer, "BEGIN; CREATE TABLE u (id int)");

      assertThat(writers()).isEmpty();
    }
  }

  /** Which is why the locks on tables are not what is asked for. */
  @Test
  void catalogChangeThatKeepsNoLockOnAnyTableIsNamed() throws Exception {
    try (Connection writer = connect("postgres");
        Connection other = connect("postgres")) {
      run(writer, "BEGIN; REVOKE ALL ON t FROM public");

      try (Statement statement = other.createStatement();
          ResultSet locks =
              statement.executeQuery(
                  "SELECT count(*) FROM pg_locks WHERE locktype = 'relation'"
                      + " AND mode NOT IN ('AccessShareLock', 'RowShareLock')")) {
        locks.next();
        assertThat(locks.getInt(1)).isZero();
      }
      assertThat(writers()).hasSize(1);
    }
  }

  @Test
  void preparedTransactionKeepsItsNameWithoutAProcess() throws Exception {
    Set<String> before;
    try (Connection writer = connect("postgres")) {
      run(writer, "BEGIN; INSERT INTO t VALUES (1)");
      before = writers();
      run(writer, "PREPARE TRANSACTION 'g'");
    }

    assertThat(before).hasSize(1);
    assertThat(writers()).isEqualTo(before);

    try (Connection other = connect("postgres")) {
      run(other, "COMMIT PREPARED 'g'");
    }
    assertThat(writers()).isEmpty();
  }

  @Test
  void writerWhoseClientIsGoneIsNamedUntilItsCommitIsVisible() throws Exception {
    try (Connection gate = connect("postgres");
        Connection other = connect("postgres")) {
      run(gate, "SELECT pg_advisory_lock(1)");
      Connection zombie = connect("postgres");
      CompletableFuture<Void> client =
          CompletableFuture.runAsync(
              () ->
                  assertThatThrownBy(
                          () ->
                              run(
                                  zombie,
                                  "INSERT INTO t VALUES (1); SELECT pg_advisory_xact_lock(1)"))
                      .as("its socket was closed")
                      .isInstanceOf(SQLException.class));
      awaitWaiting(other);
      zombie.abort(Runnable::run);
      client.join();
      assertThat(writers()).hasSize(1);
      run(gate, "SELECT pg_advisory_unlock(1)");

      Waiting.until("nobody writes", () -> writers().isEmpty());
      assertThat(count(other)).as("it has committed nevertheless").isEqualTo(1);
    }
  }

  private static void awaitWaiting(Connection connection) throws SQLException {
    Waiting.until("somebody waits", () -> isWaitedFor(connection));
  }

  private static boolean isWaitedFor(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
      return rows.next();
    }
  }

  private static int count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void holderOfTheAnnounceLockIsNamed() throws Exception {
    try (Connection caller = connect("postgres");
        Connection second = connect("postgres")) {
      run(caller, AnnounceLock.take(AnnounceLock.USUAL));
      run(second, AnnounceLock.take(AnnounceLock.USUAL));
      assertThat(writers()).hasSize(2);
      run(caller, AnnounceLock.giveBack(AnnounceLock.USUAL));

      assertThat(writers()).hasSize(1);
    }
  }
}
