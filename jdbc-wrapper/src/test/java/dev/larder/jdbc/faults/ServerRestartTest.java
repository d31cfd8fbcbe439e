package dev.larder.jdbc.faults;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.CrashingServer;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.testing.Waiting;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of its own that crashes and starts again. */
@Tag("proof")
@Tag("regression")
final class ServerRestartTest {
  private static final String QUERY = "SELECT count(*) FROM volatile_rows";

  @TempDir private Path directory;

  private static Connection connect(CrashingServer server) throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            "jdbc:larder:postgresql://127.0.0.1:"
                + server.port()
                + "/postgres?user=postgres&larder.writers=this-jvm");
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  /** The rows of an unlogged table do not survive a crash. */
  private static void fillUnlogged(Connection connection) throws SQLException {
    run(
        connection,
        "CREATE UNLOGGED TABLE volatile_rows (id int)",
        "INSERT INTO volatile_rows VALUES (1)");
    LarderProbe.awaitCatalog(connection);
    fill(connection, QUERY);
    assertThat(rows(connection, QUERY)).containsExactly("1");
  }

  private static void awaitCached(Connection connection) throws SQLException {
    Waiting.until("cached again", () -> isHit(connection, QUERY));
  }

  @Test
  void aRestartInvalidatesEverything() throws Exception {
    try (CrashingServer server = CrashingServer.start(directory)) {
      Connection before = connect(server);
      fillUnlogged(before);
      server.crashAndStart();
      try (Connection after = connect(server)) {
        assertThat(rows(after, QUERY)).containsExactly("0");
        awaitCached(after);
        assertThat(rows(after, QUERY)).containsExactly("0");
        assertThatThrownBy(() -> run(before, "DELETE FROM volatile_rows"))
            .isInstanceOf(SQLException.class);
        awaitCached(after);
        assertThat(rows(after, QUERY)).containsExactly("0");
      } finally {
        before.close();
      }
    }
  }

  @Test
  void aCrashThatAConnectionMeetsInvalidatesEverything() throws Exception {
    try (CrashingServer server = CrashingServer.start(directory)) {
      Connection crashing = connect(server);
      try (Connection writer = connect(server)) {
        fillUnlogged(writer);
        CrashingServer.signal("-KILL", ProtocolFixture.pid(crashing));
        assertThatThrownBy(
                () -> {
                  while (true) {
                    run(writer, "DELETE FROM volatile_rows WHERE id = 0");
                  }
                })
            .isInstanceOf(SQLException.class);
        try (Connection after = reconnect(server)) {
          assertThat(rows(after, QUERY)).containsExactly("0");
          awaitCached(after);
          assertThat(rows(after, QUERY)).containsExactly("0");
        }
      } finally {
        crashing.close();
      }
    }
  }

  @Test
  void aCrashThatNoConnectionMeetsIsSeenByTheNextOne() throws Exception {
    try (CrashingServer server = CrashingServer.start(directory)) {
      Connection crashing = connect(server);
      try (Connection idle = connect(server)) {
        fillUnlogged(idle);
        String started = rows(idle, "SELECT pg_postmaster_start_time()").get(0);
        CrashingServer.signal("-KILL", ProtocolFixture.pid(crashing));
        awaitCrash(server, ProtocolFixture.pid(idle));
        try (Connection after = reconnect(server)) {
          assertThat(rows(after, "SELECT pg_postmaster_start_time()")).containsExactly(started);
          assertThat(rows(after, QUERY)).containsExactly("0");
          awaitCached(after);
          assertThat(rows(after, QUERY)).containsExactly("0");
          long before = LarderProbe.hits(after);
          assertThatThrownBy(() -> rows(idle, QUERY)).isInstanceOf(SQLException.class);
          assertThat(LarderProbe.hits(after)).as("hits").isEqualTo(before);
        }
      } finally {
        crashing.close();
      }
    }
  }

  /** Waits until the server runs again without the process {@code pid}; the cache sees nothing. */
  private static void awaitCrash(CrashingServer server, int pid) throws SQLException {
    Waiting.until("runs again", () -> runsWithout(server, pid));
  }

  private static boolean runsWithout(CrashingServer server, int pid) {
    try (Connection past =
        DriverManager.getConnection(
            "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres")) {
      return rows(past, "SELECT pid FROM pg_stat_activity WHERE pid = " + pid).isEmpty();
    } catch (SQLException e) {
      return false;
    }
  }

  /** Connects as soon as the server has recovered. */
  private static Connection reconnect(CrashingServer server) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return connect(server);
      } catch (SQLException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }
}
