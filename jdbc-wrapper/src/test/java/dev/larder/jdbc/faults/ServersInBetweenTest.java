package dev.larder.jdbc.faults;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.reason;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.PidRewritingProxy;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.TestServer;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are not the primary, or not what they seem: they neither fill nor hit. */
@Tag("proof")
@Tag("regression")
final class ServersInBetweenTest {
  private static final String NAME = "SELECT name FROM item";

  private static String larder(int port, String database, String user) {
    return "jdbc:larder:postgresql://127.0.0.1:"
        + port
        + "/"
        + database
        + "?user="
        + user
        + "&larder.writers=this-jvm";
  }

  private static TestDatabase databaseWithItem() throws SQLException {
    TestDatabase database = TestDatabase.create();
    database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
    return database;
  }

  // ---- a transaction pooler

  @Test
  void aTransactionPoolerIsDetectedAndItsWritesInvalidateEverything() throws Exception {
    try (TestDatabase database = databaseWithItem();
        PidRewritingProxy proxy = new PidRewritingProxy(database.port());
        Connection direct = LarderProbe.connect(database);
        Connection pooled =
            DriverManager.getConnection(
                larder(proxy.port(), database.name(), "postgres") + "&larder.pooler=off")) {
      fill(direct, NAME);
      assertThat(isHit(pooled, NAME)).isFalse();
      assertThat(reason(pooled, NAME)).contains("a pooler sits between");
      LarderProbe.awaitCatalog(direct);
      fill(direct, NAME);
      run(pooled, "UPDATE item SET name = 'second'");
      assertThat(rows(direct, NAME)).containsExactly("second");
      LarderProbe.awaitCatalog(direct);
      fill(direct, NAME);
      long before = hits(direct);
      rows(pooled, NAME);
      rows(pooled, NAME);
      assertThat(hits(direct)).isEqualTo(before);
    }
  }

  // ---- a database that cannot be identified

  @ParameterizedTest
  @ValueSource(strings = {"pg_control_system", "pg_control_checkpoint"})
  void anUnidentifiedDatabaseIsNotCachedAndItsWritesInvalidateAllThatIsKnown(String function)
      throws SQLException {
    try (TestDatabase database = databaseWithItem();
        TestDatabase other = databaseWithItem()) {
      String role = database.name() + "_u";
      database.execute(
          "REVOKE EXECUTE ON FUNCTION " + function + " FROM public",
          "CREATE ROLE " + role + " LOGIN",
          "GRANT ALL ON item TO " + role);
      try (Connection known = LarderProbe.connect(database);
          Connection elsewhere = LarderProbe.connect(other);
          Connection unknown =
              DriverManager.getConnection(larder(database.port(), database.name(), role))) {
        fill(known, NAME);
        fill(elsewhere, NAME);
        assertThat(rows(unknown, NAME)).containsExactly("first");
        assertThat(rows(unknown, NAME)).containsExactly("first");
        assertThat(hits(unknown)).isZero();
        assertThat(reason(unknown, NAME)).contains("does not say which database it is");
        fill(known, NAME);
        LarderProbe.awaitCatalog(elsewhere);
        fill(elsewhere, NAME);
        run(unknown, "UPDATE item SET name = 'second'");
        assertThat(rows(known, NAME)).containsExactly("second");
        assertThat(isHit(elsewhere, NAME)).isFalse();
        fill(known, NAME);
        unknown.setAutoCommit(false);
        run(unknown, "UPDATE item SET name = 'third'");
        assertThat(rows(known, NAME)).containsExactly("second");
        fill(known, NAME);
        unknown.commit();
        assertThat(rows(known, NAME)).containsExactly("third");
      } finally {
        database.execute(
            "GRANT EXECUTE ON FUNCTION " + function + " TO public",
            "DROP OWNED BY " + role,
            "DROP ROLE " + role);
      }
    }
  }

  // ---- standbys

  @Test
  void aStandbyNeitherFillsNorHitsNorInvalidates(@TempDir Path directory) throws Exception {
    Path data = directory.resolve("primary");
    try (TestServer primary = TestServer.startIn(data)) {
      String url = larder(primary.port(), "postgres", "postgres");
      try (Connection writer = DriverManager.getConnection(url)) {
        run(writer, "CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
        Path copy = backUp(writer, data, directory.resolve("standby"));
        try (TestServer standby = TestServer.startFrom(copy);
            Connection reader =
                DriverManager.getConnection(larder(standby.port(), "postgres", "postgres"))) {
          assertThat(rows(reader, "SELECT pg_is_in_recovery()")).containsExactly("t");
          LarderProbe.awaitCatalog(writer);
          run(writer, "UPDATE item SET name = 'second'");
          assertThat(rows(reader, NAME)).containsExactly("first");
          assertThat(rows(writer, NAME)).containsExactly("second");
          fill(writer, NAME);
          long before = hits(writer);
          assertThat(rows(reader, NAME)).containsExactly("first");
          assertThat(rows(reader, NAME)).containsExactly("first");
          assertThat(hits(writer)).isEqualTo(before);
          assertThat(reason(writer, NAME)).contains("the server is a standby");
          rows(reader, "SELECT pg_sleep(0) FROM item");
          run(reader, "BEGIN", "SET TimeZone = 'UTC'", "COMMIT");
          assertThat(isHit(writer, NAME)).as("reads of a standby invalidate nothing").isTrue();
        }
      }
    }
  }

  /** A copy has the same identifiers, and other rows. */
  @Test
  void aCopyOfAServerIsNotTakenForIt(@TempDir Path directory) throws Exception {
    Path data = directory.resolve("original");
    try (TestServer original = TestServer.startIn(data)) {
      String url = larder(original.port(), "postgres", "postgres");
      try (Connection writer = DriverManager.getConnection(url)) {
        run(writer, "CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
        Path files = backUp(writer, data, directory.resolve("copy"));
        Files.delete(files.resolve("standby.signal"));
        LarderProbe.awaitCatalog(writer);
        fill(writer, NAME);
        try (TestServer copy = TestServer.startFrom(files);
            Connection reader =
                DriverManager.getConnection(larder(copy.port(), "postgres", "postgres"))) {
          LarderProbe.awaitCatalog(reader);
          run(reader, "UPDATE item SET name = 'second'");
          LarderProbe.awaitCatalog(reader);
          fill(reader, NAME);
          assertThat(rows(reader, NAME)).containsExactly("second");
          assertThat(rows(writer, NAME)).containsExactly("first");
          assertThat(rows(writer, NAME)).containsExactly("first");
          assertThat(reason(writer, NAME)).contains("another server");
          LarderProbe.awaitCatalog(reader);
          fill(reader, NAME);
          assertThat(rows(reader, NAME)).containsExactly("second");
        }
      }
    }
  }

  /**
   * Copies the running primary; the copy replays what it has and waits for more that never comes.
   */
  static Path backUp(Connection primary, Path data, Path copy) throws SQLException, IOException {
    run(primary, "SELECT pg_backup_start('standby', true)");
    copyTree(data, copy);
    try (Statement statement = primary.createStatement();
        ResultSet label = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
      label.next();
      Files.writeString(copy.resolve("backup_label"), label.getString(1));
    }
    deleteTree(copy.resolve("pg_wal"));
    copyTree(data.resolve("pg_wal"), copy.resolve("pg_wal"));
    Files.deleteIfExists(copy.resolve("postmaster.pid"));
    Files.createFile(copy.resolve("standby.signal"));
    return copy;
  }

  private static void copyTree(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                directory,
                to.resolve(from.relativize(directory)),
                StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              Files.copy(
                  file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            // The server removes files of its own while it runs.
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void deleteTree(Path root) throws IOException {
    try (var paths = Files.walk(root)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }

  // ---- servers that must be asked

  @ParameterizedTest
  @ValueSource(
      strings = {"pgaudit.log = 'read, write'", "pgaudit.log = 'all'", "pgaudit.role = 'x'"})
  void whereReadsAreAuditedTheServerIsAsked(String setting) throws SQLException {
    try (TestDatabase database = databaseWithItem()) {
      database.execute("ALTER DATABASE " + database.name() + " SET " + setting);
      try (Connection audited = LarderProbe.connect(database)) {
        rows(audited, NAME);
        assertThat(isHit(audited, NAME)).isFalse();
        assertThat(reason(audited, NAME)).contains("pgaudit logs reads");
      }
    }
  }

  @Test
  void theServerHearsFromAConnectionBeforeItsIdleTimeout() throws SQLException {
    try (TestDatabase database = databaseWithItem()) {
      database.execute("ALTER DATABASE " + database.name() + " SET idle_session_timeout = '400ms'");
      database.execute(
          "ALTER DATABASE " + database.name() + " SET idle_in_transaction_session_timeout = '1h'");
      Connection idle = null;
      boolean bypassed = false;
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (!bypassed && System.nanoTime() < deadline) {
        try {
          if (idle == null || idle.isClosed()) {
            idle = LarderProbe.connect(database);
          }
          rows(idle, NAME);
          Waiting.pass(Duration.ofMillis(220));
          rows(idle, NAME);
          bypassed = reason(idle, NAME).contains("must hear from this connection");
        } catch (SQLException e) {
          idle = null; // The server was faster.
        }
      }
      assertThat(bypassed).isTrue();
      database.execute("ALTER DATABASE " + database.name() + " RESET idle_session_timeout");
    }
  }
}
