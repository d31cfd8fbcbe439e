package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.RecordingRemote;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.wrap.LarderConnections;
import dev.larder.testing.Waiting;
import java.io.StringReader;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgConnection;

/**
 * What {@code RemoteCache} promises to those that implement it: a write is announced when the
 * primary knows its writer and nobody sees it yet, and published when everybody does.
 */
final class ToldWritesTest {
  private static final String SEEN = "SELECT name FROM item WHERE id = 1";
  private static final String WRITE = "UPDATE item SET name = 'b' WHERE id = 1";

  private TestDatabase database;
  private RecordingRemote remote;
  private Connection larder;

  /** Writes something. */
  private interface Writer {
    void write(Connection connection) throws Exception;
  }

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a')",
        "CREATE TABLE part (item int REFERENCES item DEFERRABLE INITIALLY DEFERRED)",
        "CREATE FUNCTION rename(t text) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN EXECUTE 'UPDATE item SET name = $1 ' || lower('WHERE id = 1') USING t; RETURN t; END $$",
        "CREATE FUNCTION idle() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$",
        "CREATE PROCEDURE work() LANGUAGE plpgsql AS"
            + " $$ BEGIN EXECUTE 'UPDATE item SET name = ''b'' ' || lower('WHERE id = 1'); END $$");
    remote = new RecordingRemote(database, SEEN);
    larder = connect();
  }

  private Connection connect() throws SQLException {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .set(CacheOptions.WRITERS, QueryCacheConfig.Writers.MEMCACHED)
            .remote(remote)
            .build();
    Connection connection =
        LarderConnections.wrap(
            database.connect(), config, new ConnectionFactory(database.url(), database::connect));
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  @AfterEach
  void close() throws SQLException {
    larder.close();
    database.close();
  }

  private static Named<Writer> named(String name, Writer writer) {
    return Named.of(name, writer);
  }

  private static Named<Writer> text(String... statements) {
    return named(String.join("; ", statements), c -> LarderProbe.run(c, statements));
  }

  private static void inTransaction(Connection connection, String... statements)
      throws SQLException {
    connection.setAutoCommit(false);
    LarderProbe.run(connection, statements);
    connection.commit();
    connection.setAutoCommit(true);
  }

  private static void batch(Connection connection) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE item SET name = ? WHERE id = 1")) {
      for (String name : List.of("x", "b")) {
        update.setString(1, name);
        update.addBatch();
      }
      assertThat(update.executeBatch()).containsExactly(1, 1);
    }
  }

  private static void inPortions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(1);
      assertThat(
              LarderProbe.rows(
                  statement.executeQuery(
                      "WITH w AS (" + WRITE + ") SELECT * FROM generate_series(1, 5)")))
          .hasSize(5);
      assertThat(statement.getFetchSize()).isEqualTo(1);
    }
  }

  private static void call(Connection connection) throws SQLException {
    try (CallableStatement call = connection.prepareCall("CALL work()")) {
      call.execute();
    }
  }

  private static void copy(Connection connection) throws Exception {
    connection.setAutoCommit(false);
    LarderProbe.run(connection, "DELETE FROM item");
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY item FROM STDIN", new StringReader("1\tb\n"));
    connection.setAutoCommit(true);
  }

  /** What is known to write one table. */
  static Stream<Named<Writer>> knownWrites() {
    return Stream.of(
        text(WRITE),
        text(WRITE + " RETURNING id"),
        text("BEGIN", WRITE, "COMMIT"),
        text("START TRANSACTION", "SAVEPOINT s", WRITE, "RELEASE s", "END"),
        named("in a transaction", c -> inTransaction(c, WRITE)),
        named("in a transaction that is committed by its end", ToldWritesTest::byAutoCommit),
        named("in portions", ToldWritesTest::inPortions),
        named("read-only in autocommit", ToldWritesTest::readOnly));
  }

  private static void byAutoCommit(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    LarderProbe.run(connection, WRITE);
    connection.setAutoCommit(true);
  }

  private static void readOnly(Connection connection) throws SQLException {
    connection.setReadOnly(true);
    LarderProbe.run(connection, WRITE);
    connection.setReadOnly(false);
  }

  /** What may write anything, or whose names may mean something else when it runs. */
  static Stream<Named<Writer>> unknownWrites() {
    return Stream.of(
        text("SELECT rename('b')"),
        text("BEGIN", "SELECT rename('b')", "COMMIT"),
        text(WRITE + "; SELECT 1"),
        text("CALL work()"),
        text("DO $$ BEGIN " + WRITE + "; END $$"),
        named("call", ToldWritesTest::call),
        named("batch", ToldWritesTest::batch));
  }

  static Stream<Named<Writer>> writes() {
    return Stream.concat(knownWrites(), unknownWrites());
  }

  private void assertNoLockIsHeld() throws SQLException {
    assertThat(database.queryString("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
        .isEqualTo("0");
    assertThat(larder.getAutoCommit()).isTrue();
    assertThat(remote.primary().writersInProgress().writers()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("knownWrites")
  void aWriteIsAnnouncedBeforeAnybodySeesItAndPublishedAfter(Writer writer) throws Exception {
    writer.write(larder);
    assertThat(remote.takeEvents())
        .containsExactly("announced 1 table, others see a", "published, others see b");
    assertNoLockIsHeld();
  }

  @ParameterizedTest
  @MethodSource("unknownWrites")
  void whatMayWriteAnythingIsAnnouncedAsThat(Writer writer) throws Exception {
    writer.write(larder);
    assertThat(remote.takeEvents())
        .containsExactly("announced everything, others see a", "published, others see b");
    assertNoLockIsHeld();
  }

  @ParameterizedTest
  @MethodSource("writes")
  void whatOthersCannotBeToldOfIsNotCommitted(Writer writer) throws Exception {
    remote.acknowledges = false;
    assertThatThrownBy(() -> writer.write(larder)).extracting("SQLState").isEqualTo("40001");
    assertThat(remote.takeEvents())
        .hasSize(2)
        .allMatch(event -> event.endsWith("others see a"))
        .last()
        .isEqualTo("published, others see a");
    remote.acknowledges = true;
    larder.setAutoCommit(true);
    assertThat(remote.takeEvents()).as("nothing is left to be committed").isEmpty();
    larder.setReadOnly(false);
    LarderProbe.run(larder, WRITE);
    assertThat(remote.takeEvents()).last().isEqualTo("published, others see b");
    assertNoLockIsHeld();
  }

  @ParameterizedTest
  @MethodSource("writes")
  void itIsCommittedWhereTheUserWantsThat(Writer writer) throws Exception {
    remote.acknowledges = false;
    remote.commitsUnannounced = true;
    writer.write(larder);
    assertThat(remote.takeEvents()).hasSize(2).last().isEqualTo("published, others see b");
    assertNoLockIsHeld();
  }

  static Stream<Named<Writer>> noWrites() {
    return Stream.of(
        text("SELECT name FROM item"),
        text("SELECT idle()"),
        text("BEGIN", "SELECT idle()", "COMMIT"),
        text("BEGIN", WRITE, "ROLLBACK"),
        text("SET work_mem = '1MB'"),
        named(
            "refused",
            c ->
                assertThatThrownBy(() -> LarderProbe.run(c, "INSERT INTO item VALUES (1, 'x')"))
                    .extracting("SQLState")
                    .isEqualTo("23505")),
        named(
            "refused in a transaction",
            c -> {
              LarderProbe.run(c, "BEGIN", WRITE);
              assertThatThrownBy(() -> LarderProbe.run(c, "SELECT 1 / 0"))
                  .isInstanceOf(SQLException.class);
              LarderProbe.run(c, "COMMIT");
            }));
  }

  @ParameterizedTest
  @MethodSource("noWrites")
  void whatCommitsNothingIsNotAnnounced(Writer writer) throws Exception {
    writer.write(larder);
    assertThat(remote.takeEvents()).isEmpty();
    assertNoLockIsHeld();
  }

  @Test
  void aCommitThatFailsIsPublishedForItIsOver() throws Exception {
    assertThatThrownBy(() -> LarderProbe.run(larder, "INSERT INTO part VALUES (7)"))
        .extracting("SQLState")
        .isEqualTo("23503");
    assertThat(remote.takeEvents()).hasSize(2).last().isEqualTo("published, others see a");
    assertNoLockIsHeld();
  }

  @Test
  void copyIsAnnouncedAtTheCommit() throws Exception {
    copy(larder);
    assertThat(remote.takeEvents())
        .containsExactly("announced 1 table, others see a", "published, others see b");
  }

  @Test
  void aPreparedTransactionIsAnnouncedBeforeItsSecondPhase() throws Exception {
    larder.setAutoCommit(false);
    LarderProbe.run(larder, WRITE, "PREPARE TRANSACTION 'told'");
    larder.setAutoCommit(true);
    assertThat(remote.takeEvents()).isEmpty();
    LarderProbe.run(larder, "COMMIT PREPARED 'told'");
    assertThat(remote.takeEvents())
        .containsExactly("announced everything, others see a", "published, others see b");
  }

  @Test
  void whatMayCommitBehindAFailedTransactionIsRefused() throws Exception {
    LarderProbe.run(larder, "BEGIN");
    assertThatThrownBy(() -> LarderProbe.run(larder, "SELECT 1 / 0"))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> LarderProbe.run(larder, "ROLLBACK; " + WRITE))
        .hasMessageContaining("LRD-043")
        .extracting("SQLState")
        .isEqualTo("25P02");
    LarderProbe.run(larder, "ROLLBACK");
    assertThat(remote.takeEvents()).isEmpty();
    LarderProbe.run(larder, WRITE);
    assertThat(remote.takeEvents()).hasSize(2);
  }

  @Test
  void aWriteWhoseOutcomeIsUnknownIsNeverPublished() throws Exception {
    try (Connection lost = connect()) {
      lost.setAutoCommit(false);
      LarderProbe.run(lost, WRITE);
      String pid = LarderProbe.rows(lost, "SELECT pg_backend_pid()").get(0);
      database.queryString("SELECT pg_terminate_backend(" + pid + ", 30000)");
      assertThatThrownBy(lost::commit).isInstanceOf(SQLException.class);
    }
    assertThat(remote.takeEvents()).hasSize(2).last().isEqualTo("lost");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDriversConnectionIsAnnouncedForAsLongAsItLives(boolean closedByItself) throws Exception {
    Connection unwrapped = connect();
    PgConnection driver = unwrapped.unwrap(PgConnection.class);
    LarderProbe.run(driver, WRITE);
    assertThat(remote.takeEvents()).containsExactly("announced everything, others see a");
    assertThat(remote.primary().writersInProgress().writers()).isNotEmpty();
    (closedByItself ? driver : unwrapped).close();
    List<String> events = new ArrayList<>();
    Waiting.until(
        "something is heard",
        () -> {
          events.addAll(remote.takeEvents());
          return !events.isEmpty();
        });
    assertThat(events).containsExactly("lost");
  }

  @Test
  void aCopyThatItsConnectionIsClosedInIsGivenUp() throws Exception {
    try (Connection copying = connect()) {
      copying.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY item FROM STDIN");
      assertThat(remote.takeEvents()).hasSize(1);
    }
    assertThat(remote.takeEvents()).containsExactly("lost");
  }

  @Test
  void theDriversConnectionIsRefusedWhereOthersCannotBeTold() throws Exception {
    remote.acknowledges = false;
    assertThatThrownBy(() -> larder.unwrap(PgConnection.class))
        .extracting("SQLState")
        .isEqualTo("40001");
    assertNoLockIsHeld();
  }
}
