package dev.larder.jdbc.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.log.CacheLog;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of hot queries: what is in it, what is not used, and what becomes of it in need. */
@Tag("gate")
final class WarmupFileTest {
  @AutoClose private static TestDatabase database;

  @TempDir private Path folder;
  private Path file;
  private Restarts application;

  @BeforeAll
  static void createTables() throws SQLException {
    database = Restarts.createDatabase();
    database.execute("CREATE SEQUENCE counter");
  }

  @BeforeEach
  void nameFile() {
    file = folder.resolve("warm");
    application = new Restarts(database, file);
  }

  private Connection start(String... options) throws SQLException {
    return application.start(options);
  }

  private void end(Connection connection) throws SQLException, IOException {
    application.end(connection);
  }

  private static void point(Connection connection, int id) throws SQLException {
    Restarts.point(connection, id);
  }

  private static void awaitAsked(Connection connection, int queries) throws SQLException {
    Restarts.awaitAsked(connection, queries);
  }

  // ---- what is written down

  @Test
  void onlyTheOwnerMayReadTheFile() throws SQLException, IOException {
    Connection first = start();
    point(first, 1);
    end(first);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.list(folder)).containsExactly(file);
  }

  @Test
  void thereAreNoMoreQueriesThanAreConfigured() throws SQLException, IOException {
    Connection first = start("larder.warmup.queries=3");
    for (int id = 1; id <= 20; id++) {
      point(first, id);
    }
    end(first);
    assertThat(ofDatabase().read()).hasSize(3);
  }

  @Test
  void thoseThatSaveMostComeFirst() throws SQLException, IOException {
    Connection first = start();
    // Longer than a look-up takes on the busiest machine.
    LarderProbe.rows(
        first,
        "SELECT count(*) FROM v a, v b, v c, v d WHERE d.id <= 12 AND a.t <> b.t || c.t || d.t");
    for (int i = 0; i < 3; i++) {
      point(first, 30);
    }
    end(first);
    assertThat(HotQuery.read(ofDatabase().read().get(0)).sql()).contains("count");
  }

  @Test
  void theFileIsWrittenFromTimeToTime() throws SQLException {
    try (Connection connection = start("larder.warmup.interval=1s")) {
      point(connection, 1);
      Waiting.until("it is written", () -> Files.exists(file));
    }
  }

  // ---- faults

  private WarmupFile ofDatabase() throws SQLException {
    return new WarmupFile(
        file,
        "database "
            + database.queryString("SELECT oid FROM pg_database WHERE datname = current_database()")
            + " of cluster "
            + database.queryString("SELECT system_identifier FROM pg_control_system()"));
  }

  /** Notes a query, changes the file, and starts again; returns what the log says of it. */
  private String afterChange(byte[] changed) throws SQLException, IOException {
    Files.write(file, changed);
    try (LarderLog log = LarderLog.open();
        Connection second = start()) {
      Waiting.until(
          "it is said", () -> log.messages().stream().anyMatch(line -> line.startsWith("LRD-018")));
      point(second, 1);
      assertThat(LarderProbe.count(second, "warmup_asked")).isZero();
      end(second);
      assertThat(ofDatabase().read()).isNotEmpty();
      return log.messages().stream().filter(line -> line.startsWith("LRD-018")).findAny().get();
    }
  }

  private byte[] written() throws SQLException, IOException {
    Connection first = start();
    point(first, 1);
    point(first, 2);
    end(first);
    return Files.readAllBytes(file);
  }

  @Test
  void aFileThatWasCutIsNotUsed() throws SQLException, IOException {
    byte[] whole = written();
    assertThat(afterChange(java.util.Arrays.copyOf(whole, whole.length - 5))).contains("was cut");
  }

  @Test
  void aFileThatWasChangedIsNotUsed() throws SQLException, IOException {
    byte[] whole = written();
    whole[whole.length - 3]++;
    assertThat(afterChange(whole)).contains("check sum");
  }

  @Test
  void aFileOfAnotherVersionIsNotUsed() throws SQLException, IOException {
    byte[] whole = written();
    int version = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
    ByteBuffer.wrap(whole).putInt(version, 2);
    assertThat(afterChange(whole)).contains("of version 2");
  }

  @Test
  void whatIsNoFileOfLardersIsNotUsed() throws SQLException, IOException {
    leavesAsItIs(() -> Files.writeString(file, "port = 5432", StandardCharsets.UTF_8));
    assertThat(file).hasContent("port = 5432");
  }

  @Test
  void aFolderIsNoFileOfLarders() throws SQLException, IOException {
    leavesAsItIs(() -> Files.createDirectory(file));
    assertThat(file).isEmptyDirectory();
  }

  @Test
  void aPipeIsNotWaitedFor() throws SQLException, IOException {
    leavesAsItIs(
        () -> assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero());
    assertThat(Files.isRegularFile(file)).isFalse();
  }

  private void leavesAsItIs(ThrowingCallable making) throws SQLException, IOException {
    assertThatCode(making).doesNotThrowAnyException();
    try (LarderLog log = LarderLog.open();
        Connection connection = start("larder.warmup.interval=1s")) {
      Waiting.until(
          "it is said",
          () -> log.messages().stream().anyMatch(line -> line.contains("no file of Larder's")));
      point(connection, 1);
      Waiting.pass(Duration.ofSeconds(2));
    }
  }

  @Test
  void anEmptyFileIsNotUsed() throws SQLException, IOException {
    byte[] unused = written();
    assertThat(afterChange(new byte[0])).contains("it is empty");
  }

  @Test
  void aFileThatOthersMayReadIsNotUsed() throws SQLException, IOException {
    byte[] whole = written();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThat(afterChange(whole)).contains("chmod 600");
  }

  @Test
  void aFileOfAnotherDatabaseIsLeftAsItIs() throws SQLException, IOException {
    byte[] whole = written();
    try (TestDatabase other = TestDatabase.create();
        LarderLog log = LarderLog.open()) {
      other.execute("CREATE TABLE v (id int PRIMARY KEY, t text)");
      try (Connection second = application.started(other, "larder.warmup.interval=1s")) {
        Waiting.until(
            "it is said",
            () -> log.messages().stream().anyMatch(line -> line.contains("name another file")));
        point(second, 1);
      }
      Restarts.awaitEnd();
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(whole);
  }

  @Test
  void whereTheFileCannotBeWrittenTheOldOneStays() throws SQLException, IOException {
    Path old = Files.createDirectories(file.resolve("full")); // So that nothing can replace it.
    try (LarderLog log = LarderLog.open()) {
      try (Connection connection = start("larder.warmup.interval=1s")) {
        point(connection, 1);
        Waiting.until(
            "it is said",
            () -> log.messages().stream().anyMatch(line -> line.startsWith("LRD-018")));
        point(connection, 1);
        assertThat(LarderProbe.hits(connection)).isEqualTo(1);
      }
      Restarts.awaitEnd();
    }
    assertThat(old).exists();
    assertThat(Files.list(folder)).containsExactly(file);
  }

  /** Whoever can write the file cannot have more run than queries that would be cached. */
  @Test
  void aForgedTextIsNeverSent() throws SQLException, IOException {
    byte[] unused = written();
    HotQuery real = HotQuery.read(ofDatabase().read().get(0));
    List<ByteBuffer> forged = new ArrayList<>();
    for (String sql :
        List.of(
            "DELETE FROM v",
            "SELECT nextval('counter')",
            "SELECT pg_sleep(10)",
            "SELECT t FROM v; DELETE FROM v",
            "WITH gone AS (DELETE FROM v RETURNING t) SELECT t FROM gone",
            "SET ROLE warm_other",
            "SELECT set_config('role', 'warm_other', false)",
            "RESET larder.cache",
            "SET larder.enabled = off",
            "SELECT larder.purge('v')",
            "COPY v TO PROGRAM 'touch /tmp/larder-forged'",
            "SELECT t FROM v WHERE id = 1 FOR UPDATE",
            "not SQL at all")) {
      forged.add(Forger.query(real, sql));
    }
    forged.add(Forger.query(real, "SELECT t FROM v WHERE id = 40"));
    ofDatabase().write(forged);
    try (Connection second = start()) {
      awaitAsked(second, 1);
      assertThat(LarderProbe.count(second, "warmup_skipped")).isEqualTo(13);
      assertThat(LarderProbe.count(second, "warmup_failed")).isZero();
    }
    assertThat(database.queryString("SELECT count(*) FROM v")).isEqualTo("50");
    assertThat(database.queryString("SELECT is_called FROM counter")).isEqualTo("f");
  }

  // ---- no room

  /** More than a page of a file system, and fewer than are noted in one. */
  private static final int QUERIES = 150;

  @Test
  void onAFullDiskTheFileStaysAsItWasUntilThereIsRoom() throws Exception {
    try (SmallDisk disk = SmallDisk.in(folder);
        LarderLog log = LarderLog.open()) {
      file = disk.folder().resolve("warm");
      application = new Restarts(database, file);
      byte[] before = written();
      Object version = application.version();
      disk.fill();
      try (Connection connection = start("larder.warmup.interval=1s")) {
        awaitAsked(connection, 2);
        long hits = LarderProbe.hits(connection);
        for (int id = 1; id <= QUERIES; id++) {
          point(connection, id);
          point(connection, id);
        }
        assertThat(LarderProbe.hits(connection)).isGreaterThanOrEqualTo(hits + QUERIES);
        long failed = failures();
        Waiting.until("it is tried again", () -> failures() >= failed + 2);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(disk.others(file)).isEmpty();
        assertThat(LarderProbe.hits(connection)).isGreaterThanOrEqualTo(hits + QUERIES);
        disk.makeRoom();
        application.awaitNoted(version);
        assertThat(ofDatabase().read()).hasSizeGreaterThanOrEqualTo(QUERIES);
      }
      assertThat(log.messages())
          .filteredOn(line -> line.startsWith("LRD-019"))
          .singleElement()
          .asString()
          .contains("the file is as it was before", file + ": ", disk.refusal());
      Restarts.awaitEnd();
    }
  }

  private static long failures() {
    return CacheLog.counts().get("LRD-019");
  }
}
