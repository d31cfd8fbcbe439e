package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.jdbc.TcpProxy;
import dev.larder.jdbc.TestServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commits that wait for a standby that does not exist: they are on the disk, and nobody sees them
 * until the wait ends.
 */
@Tag("gate")
@Tag("each-server")
final class SynchronousReplicationTest {
  private static final String NAME = "SELECT name FROM item";
  private static final String UPDATE = "UPDATE item SET name = 'second'";

  @AutoClose private static TestServer server;

  private Connection past;
  private Connection reader;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start("synchronous_commit=local");
  }

  @BeforeEach
  void connect() throws SQLException {
    past = DriverManager.getConnection(url(server.port()).replace(":larder", ""));
    run(
        past,
        "DROP TABLE IF EXISTS item",
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('first')",
        "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
        "SELECT pg_reload_conf()");
    await("SELECT current_setting('synchronous_standby_names') = 'nobody'");
    reader = connectTo(server.port());
    LarderProbe.awaitCatalog(reader);
    run(reader, "COMMENT ON TABLE item IS 'read the catalog again'");
    LarderProbe.awaitCatalog(reader);
    fill(reader, NAME);
  }

  @AfterEach
  void close() throws SQLException {
    reader.close();
    past.close();
  }

  private static String url(int port) {
    return "jdbc:larder:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  private static Connection connectTo(int port) throws SQLException {
    return DriverManager.getConnection(url(port) + "&larder.writers=this-jvm");
  }

  private static Connection waitingWriter(int port) throws SQLException {
    Connection writer = connectTo(port);
    run(writer, "SET synchronous_commit = on");
    return writer;
  }

  private void await(String condition) throws SQLException {
    ProtocolFixture.await(() -> rows(past, condition).get(0).equals("t"));
  }

  /** Begins a write and waits until its commit waits. */
  private CompletableFuture<Boolean> begin(Statement statement, int pid) throws SQLException {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                done.complete(statement.execute(UPDATE));
              } catch (SQLException | RuntimeException e) {
                done.completeExceptionally(e);
              }
            },
            "waiting-writer");
    thread.setDaemon(true);
    thread.start();
    await(
        "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid = " + pid);
    assertNotCached("first");
    return done;
  }

  private void assertNotCached(String name) throws SQLException {
    for (int i = 0; i < 3; i++) {
      long hits = LarderProbe.hits(reader);
      assertThat(rows(reader, NAME)).containsExactly(name);
      assertThat(LarderProbe.hits(reader)).isEqualTo(hits);
    }
  }

  private void assertSeen() throws SQLException {
    assertThat(rows(past, NAME)).containsExactly("second");
    assertThat(rows(reader, NAME)).containsExactly("second");
    ProtocolFixture.await(() -> isHit(reader, NAME));
    assertThat(rows(reader, NAME)).containsExactly("second");
  }

  private void endTheWaiting() throws SQLException {
    run(past, "ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()");
  }

  @Test
  void aCommitThatWaitsIsSeenWhenTheWaitEnds() throws Exception {
    try (Connection writer = waitingWriter(server.port());
        Statement statement = writer.createStatement()) {
      CompletableFuture<Boolean> write = begin(statement, ProtocolFixture.pid(writer));
      endTheWaiting();
      write.get(30, TimeUnit.SECONDS);
      assertSeen();
    }
  }

  @Test
  void aCommitThatWaitsAfterItsClientDiedIsSeenWhenTheWaitEnds() throws Exception {
    try (TcpProxy proxy = new TcpProxy(server.port());
        Connection writer = waitingWriter(proxy.port());
        Statement statement = writer.createStatement()) {
      int pid = ProtocolFixture.pid(writer);
      CompletableFuture<Boolean> write = begin(statement, pid);
      proxy.cut();
      assertThatThrownBy(() -> write.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
      assertNotCached("first");
      endTheWaiting();
      await("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = " + pid);
      assertSeen();
    }
  }

  /** The server warns that the commit is local only, and that is a success. */
  @ParameterizedTest
  @ValueSource(strings = {"cancel", "query timeout"})
  void aCommitWhoseWaitIsCancelledIsSeenAtOnce(String how) throws Exception {
    try (Connection writer = waitingWriter(server.port());
        Statement statement = writer.createStatement()) {
      if (how.equals("query timeout")) {
        statement.setQueryTimeout(2);
      }
      CompletableFuture<Boolean> write = begin(statement, ProtocolFixture.pid(writer));
      if (how.equals("cancel")) {
        statement.cancel();
      }
      write.get(30, TimeUnit.SECONDS);
      assertThat(statement.getWarnings().getMessage()).contains("synchronous replication");
      assertSeen();
    }
  }

  @Test
  void aCommitWhoseWaiterIsTerminatedIsSeen() throws Exception {
    try (Connection writer = waitingWriter(server.port());
        Statement statement = writer.createStatement()) {
      int pid = ProtocolFixture.pid(writer);
      CompletableFuture<Boolean> write = begin(statement, pid);
      run(past, "SELECT pg_terminate_backend(" + pid + ")");
      assertThatThrownBy(() -> write.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
      await("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = " + pid);
      assertSeen();
    }
  }

  @Test
  void aCommitWhoseConnectionIsAbortedIsSeenWhenTheWaitEnds() throws Exception {
    try (Connection writer = waitingWriter(server.port());
        Statement statement = writer.createStatement()) {
      int pid = ProtocolFixture.pid(writer);
      CompletableFuture<Boolean> write = begin(statement, pid);
      writer.abort(Runnable::run);
      assertThatThrownBy(() -> write.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
      assertNotCached("first");
      endTheWaiting();
      await("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = " + pid);
      assertSeen();
    }
  }
}
