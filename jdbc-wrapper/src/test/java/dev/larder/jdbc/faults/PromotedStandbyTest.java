package dev.larder.jdbc.faults;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A connection that was opened while its server was a standby writes once that was promoted. Of the
 * first statement it was not known that the server takes writes.
 */
@Tag("regression")
final class PromotedStandbyTest {
  private static final String NAME = "SELECT name FROM item";

  private static String bare(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  private static Connection larder(int port) throws SQLException {
    return DriverManager.getConnection(
        bare(port).replace("jdbc:", "jdbc:larder:") + "&larder.writers=this-jvm");
  }

  private static Path standbyOf(TestServer primary, Path data, Path copy)
      throws SQLException, IOException {
    try (Connection writer = DriverManager.getConnection(bare(primary.port()))) {
      run(writer, "CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
      return ServersInBetweenTest.backUp(writer, data, copy);
    }
  }

  @Test
  void whatItsFirstStatementWritesInATransactionIsSeenAfterTheCommit(@TempDir Path directory)
      throws Exception {
    Path data = directory.resolve("primary");
    Path copy;
    try (TestServer primary = TestServer.startIn(data)) {
      copy = standbyOf(primary, data, directory.resolve("standby"));
    }
    try (TestServer standby = TestServer.startFrom(copy);
        Connection manual = larder(standby.port());
        Connection texts = larder(standby.port());
        Connection batches = larder(standby.port())) {
      assertThat(rows(manual, "SELECT pg_is_in_recovery()")).containsExactly("t");
      try (Connection past = DriverManager.getConnection(bare(standby.port()))) {
        rows(past, "SELECT pg_promote()");
      }
      try (Connection reader = larder(standby.port())) {
        manual.setAutoCommit(false);
        run(manual, "UPDATE item SET name = 'manual'");
        assertSeenAfter(manual::commit, reader, "manual");

        run(texts, "BEGIN; UPDATE item SET name = 'texts'");
        assertSeenAfter(() -> run(texts, "COMMIT"), reader, "texts");

        batches.setAutoCommit(false);
        try (PreparedStatement batch = batches.prepareStatement("UPDATE item SET name = ?")) {
          for (String name : new String[] {"any", "batches"}) {
            batch.setString(1, name);
            batch.addBatch();
          }
          batch.executeBatch();
        }
        assertSeenAfter(() -> batches.setAutoCommit(true), reader, "batches");
      }
    }
  }

  private static void assertSeenAfter(Commit commit, Connection reader, String name)
      throws SQLException {
    LarderProbe.awaitCatalog(reader);
    fill(reader, NAME);
    commit.run();
    assertThat(rows(reader, NAME)).containsExactly(name);
  }

  private interface Commit {
    void run() throws SQLException;
  }
}
