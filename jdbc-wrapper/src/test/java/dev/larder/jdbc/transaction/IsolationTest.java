package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

@Tag("each-server")
@Tag("regression")
final class IsolationTest extends ProtocolFixture {
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";
  private static final String REPEATABLE = "BEGIN ISOLATION LEVEL REPEATABLE READ";

  private static void assertIsActive(SQLException e) {
    assertThat(e.getSQLState()).isEqualTo("25001");
  }

  @Test
  void aFailureOfTheDriversOwnDoesNotEndWhatAHitHasBegun() throws SQLException {
    fillBoth();
    for (Connection connection : List.of(past, one)) {
      connection.setAutoCommit(false);
      rows(connection, ITEMS);
      try (PreparedStatement update = connection.prepareStatement("UPDATE item SET name = ?")) {
        assertThatThrownBy(update::executeUpdate).isInstanceOf(SQLException.class);
      }
      assertThatThrownBy(
              () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE))
          .isInstanceOfSatisfying(SQLException.class, IsolationTest::assertIsActive);
      connection.rollback();
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aConnectionThatIsClosedBehindAHitSaysSo(boolean aborted) throws SQLException {
    fillBoth();
    Connection connection = LarderProbe.connect(database);
    connection.setAutoCommit(false);
    rows(connection, ITEMS);
    if (aborted) {
      connection.abort(Runnable::run);
    } else {
      connection.close();
    }
    assertSaysClosed(() -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
    assertSaysClosed(() -> connection.setReadOnly(true));
    assertSaysClosed(() -> connection.unwrap(PGConnection.class));
  }

  private static void assertSaysClosed(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08003"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN ISOLATION LEVEL READ COMMITTED, ISOLATION LEVEL SERIALIZABLE",
        "BEGIN ISOLATION LEVEL READ COMMITTED, READ ONLY, ISOLATION LEVEL SERIALIZABLE, READ WRITE",
        "START TRANSACTION ISOLATION LEVEL READ COMMITTED ISOLATION LEVEL SERIALIZABLE"
      })
  void theLastOfSeveralIsolationLevelsCounts(String begin) throws SQLException {
    fillBoth();
    run(one, begin);
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT", "BEGIN ISOLATION LEVEL SERIALIZABLE, ISOLATION LEVEL READ COMMITTED");
    assertHit(one, ITEMS, "a", "b");
    run(one, "COMMIT");
  }

  @Test
  void readCommittedSeesWhatOthersCommitBetweenItsReads() throws SQLException {
    fillBoth();
    one.setAutoCommit(false);
    assertHit(one, ITEMS, "a", "b");
    run(two, UPDATE);
    assertLive(one, ITEMS, "new", "b");
    assertHit(one, ITEMS, "new", "b");
    one.commit();
  }

  @Test
  void firstReadOfARepeatableReadTransactionGoesToTheServer() throws SQLException {
    fillBoth();
    one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    one.setAutoCommit(false);
    assertLive(one, ITEMS, "a", "b");
    assertHit(one, ITEMS, "a", "b");
    assertLive(one, NOTES, "x");
    assertHit(one, NOTES, "x");
    one.commit();
    assertLive(one, ITEMS, "a", "b");
    one.setAutoCommit(true);
    assertHit(one, ITEMS, "a", "b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void repeatableReadKeepsItsSnapshotAndPublishesNothingOld(boolean text) throws SQLException {
    fillBoth();
    if (text) {
      run(one, REPEATABLE);
    } else {
      one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      one.setAutoCommit(false);
    }
    assertLive(one, NOTES, "x");
    run(two, UPDATE);
    assertLive(one, ITEMS, "a", "b");
    assertLive(one, ITEMS, "a", "b");
    assertLive(two, ITEMS, "new", "b");
    assertHit(two, ITEMS, "new", "b");
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT");
    assertHit(two, ITEMS, "new", "b");
  }

  @Test
  void commitsBetweenBeginAndTheFirstStatementAreInTheSnapshot() throws SQLException {
    fillBoth();
    run(one, REPEATABLE);
    run(two, UPDATE);
    assertLive(one, ITEMS, "new", "b");
    run(one, "COMMIT");
    assertCachedAgain(two, ITEMS, "new", "b");
  }

  @Test
  void snapshotThatADriversQueryFixedIsNotTakenForALaterOne() throws SQLException {
    fillBoth();
    one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    one.setAutoCommit(false);
    try (PreparedStatement held = one.prepareStatement("SELECT id, name FROM item");
        ResultSet result = held.executeQuery()) {
      var columns = result.getMetaData();
      one.commit();
      // The driver asks the server for the column, and so begins a transaction.
      columns.isAutoIncrement(1);
    }
    run(two, UPDATE);
    assertLive(one, ITEMS, "a", "b");
    assertLive(two, ITEMS, "new", "b");
    one.commit();
    assertHit(two, ITEMS, "new", "b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"TRUNCATE other", "ALTER TABLE other ALTER COLUMN note TYPE varchar USING 'z'"})
  void aRewriteByAnotherSessionDoesNotBreakTheSnapshot(String rewrite) throws SQLException {
    fillBoth();
    run(one, REPEATABLE);
    assertLive(one, ITEMS, "a", "b");
    run(two, rewrite);
    LarderProbe.awaitCatalog(one);
    // As without a cache: the table was not locked, so the snapshot finds it empty.
    assertLive(one, NOTES);
    run(one, "COMMIT");
  }

  @Test
  void rollbackToASavepointForgetsTheLocks() throws SQLException {
    fillBoth();
    one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    one.setAutoCommit(false);
    assertLive(one, NOTES, "x");
    Savepoint savepoint = one.setSavepoint();
    assertLive(one, ITEMS, "a", "b");
    assertHit(one, ITEMS, "a", "b");
    one.rollback(savepoint);
    assertLive(one, ITEMS, "a", "b");
    assertHit(one, ITEMS, "a", "b");
    one.rollback();
  }

  @Test
  void aColumnThatIsNamedLikeATableLocksNothing() throws SQLException {
    run(one, "CREATE TABLE naming (other int)", "INSERT INTO naming VALUES (1)");
    LarderProbe.awaitCatalog(one);
    fillBoth();
    run(one, REPEATABLE);
    assertLive(one, "SELECT other FROM naming", "1");
    assertLive(one, NOTES, "x");
    assertHit(one, NOTES, "x");
    run(one, "COMMIT");
  }

  @Test
  void aTransactionThatBeginsInTheSameTextAsTheLastOneEndsHasNoLocks() throws SQLException {
    fillBoth();
    run(one, REPEATABLE);
    assertLive(one, ITEMS, "a", "b");
    assertHit(one, ITEMS, "a", "b");
    run(one, "COMMIT; " + REPEATABLE);
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT");
    run(one, REPEATABLE);
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT AND CHAIN");
    assertLive(one, ITEMS, "a", "b");
    assertHit(one, ITEMS, "a", "b");
    run(one, "COMMIT");
    assertHit(one, ITEMS, "a", "b");
  }

  @Test
  void serializableNeitherHitsNorFills() throws SQLException {
    fillBoth();
    one.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    assertLive(one, ITEMS, "a", "b");
    one.setAutoCommit(false);
    assertLive(one, ITEMS, "a", "b");
    assertLive(one, ITEMS, "a", "b");
    one.commit();
    one.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    assertHit(one, ITEMS, "a", "b");
    one.rollback();
    one.setAutoCommit(true);
    run(one, "BEGIN ISOLATION LEVEL SERIALIZABLE");
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT AND CHAIN");
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT");
    run(one, "BEGIN");
    run(one, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT", "BEGIN", "SET transaction_isolation = 'serializable'");
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT");
    assertHit(one, ITEMS, "a", "b");
  }

  @Test
  void anImportedSnapshotUsesNoCache() throws SQLException {
    fillBoth();
    run(past, REPEATABLE);
    String snapshot = rows(past, "SELECT pg_export_snapshot()").get(0);
    run(two, UPDATE);
    run(one, REPEATABLE);
    run(one, "SET TRANSACTION SNAPSHOT '" + snapshot + "'");
    assertLive(one, ITEMS, "a", "b");
    assertLive(one, ITEMS, "a", "b");
    assertLive(two, ITEMS, "new", "b");
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT");
    run(past, "COMMIT");
    assertHit(one, ITEMS, "new", "b");
  }

  @Test
  void changesOfATransactionThatHasReadAreRefusedAsTheDriverAndTheServerDo() throws SQLException {
    for (boolean cached : List.of(true, false)) {
      try (Connection connection = cached ? LarderProbe.connect(database) : database.connect()) {
        if (cached) {
          fillBoth();
        }
        connection.setAutoCommit(false);
        if (cached) {
          assertHit(connection, ITEMS, "a", "b");
        } else {
          rows(connection, ITEMS);
        }
        assertThatThrownBy(() -> connection.setReadOnly(true))
            .isInstanceOfSatisfying(SQLException.class, IsolationTest::assertIsActive);
        assertThatThrownBy(
                () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE))
            .isInstanceOfSatisfying(SQLException.class, IsolationTest::assertIsActive);
        for (String sql :
            List.of(
                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SET transaction_isolation = 'serializable'",
                "SET LOCAL transaction_isolation TO 'repeatable read'",
                "BEGIN ISOLATION LEVEL REPEATABLE READ")) {
          connection.rollback();
          assertThat(rows(connection, ITEMS)).containsExactly("a", "b");
          assertThatThrownBy(() -> run(connection, sql))
              .as(sql)
              .isInstanceOfSatisfying(SQLException.class, IsolationTest::assertIsActive);
        }
        connection.rollback();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEGIN", "BEGIN READ ONLY"})
  void aHitCountsAsAQueryInATransactionThatTheServerHasOpened(String begin) throws SQLException {
    fillBoth();
    for (String sql :
        List.of(
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
            "START TRANSACTION ISOLATION LEVEL REPEATABLE READ")) {
      run(one, begin);
      assertHit(one, ITEMS, "a", "b");
      assertThatThrownBy(() -> run(one, sql))
          .as(sql)
          .isInstanceOfSatisfying(SQLException.class, IsolationTest::assertIsActive);
      run(one, "ROLLBACK");
    }
  }

  @Test
  void askingForTheIsolationLevelMakesNoDifference() throws SQLException {
    fillBoth();
    one.setAutoCommit(false);
    assertHit(one, ITEMS, "a", "b");
    assertThat(one.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
    assertHit(one, ITEMS, "a", "b");
    one.rollback();
    one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(one.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    assertLive(one, ITEMS, "a", "b");
    assertThat(one.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    assertHit(one, ITEMS, "a", "b");
    run(two, UPDATE);
    assertLive(one, ITEMS, "a", "b");
    one.rollback();
  }

  @Test
  void defaultOfTheRoleCounts() throws SQLException {
    String role = "serial_" + database.name();
    run(
        past,
        "CREATE ROLE " + role + " LOGIN SUPERUSER",
        "ALTER ROLE " + role + " SET default_transaction_isolation = 'serializable'");
    fillBoth();
    String url =
        database.larderUrl("larder.writers=this-jvm").replace("user=postgres", "user=" + role);
    try (Connection connection = DriverManager.getConnection(url)) {
      LarderProbe.awaitCatalog(connection);
      assertLive(connection, ITEMS, "a", "b");
      assertLive(connection, ITEMS, "a", "b");
      run(connection, "SET default_transaction_isolation = 'read committed'");
      assertCachedAgain(connection, ITEMS, "a", "b");
      run(connection, "RESET default_transaction_isolation");
      assertLive(connection, ITEMS, "a", "b");
    } finally {
      run(past, "DROP ROLE " + role);
    }
  }

  @Test
  void defaultThatATransactionSetIsUndoneWithIt() throws SQLException {
    fillBoth();
    run(one, "SET default_transaction_isolation = 'serializable'");
    assertLive(one, ITEMS, "a", "b");
    run(one, "BEGIN", "SET default_transaction_isolation = 'read committed'");
    assertLive(one, ITEMS, "a", "b");
    run(one, "ROLLBACK");
    assertLive(one, ITEMS, "a", "b");
    run(one, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED");
    assertHit(one, ITEMS, "a", "b");
    run(one, "BEGIN ISOLATION LEVEL SERIALIZABLE");
    run(one, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED");
    assertLive(one, ITEMS, "a", "b");
    run(one, "COMMIT");
    assertHit(one, ITEMS, "a", "b");
  }

  @Test
  void repeatableReadInAutocommitIsAsReadCommitted() throws SQLException {
    fillBoth();
    one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    assertHit(one, ITEMS, "a", "b");
    run(two, UPDATE);
    assertLive(one, ITEMS, "new", "b");
    assertHit(two, ITEMS, "new", "b");
  }

  @Test
  void ownWritesAreReadInARepeatableReadTransaction() throws SQLException {
    fillBoth();
    run(one, REPEATABLE);
    assertLive(one, ITEMS, "a", "b");
    run(one, UPDATE);
    assertLive(one, ITEMS, "new", "b");
    assertHit(two, ITEMS, "a", "b");
    run(one, "COMMIT");
    assertCachedAgain(two, ITEMS, "new", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "%s; SELECT 1 WHERE false"})
  void aLockIsWaitedForBeforeTheSnapshotIsTaken(String text) throws Exception {
    fillBoth();
    run(past, "BEGIN", UPDATE);
    run(one, "BEGIN", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    Future<?> locked = asyncRun(one, text.formatted("LOCK TABLE item IN SHARE MODE"));
    awaitBlocked(pid(one));
    run(past, "COMMIT");
    get(locked);
    assertLive(one, ITEMS, "new", "b");
    run(one, "COMMIT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SET CONSTRAINTS ALL DEFERRED", "LISTEN heard", "SHOW work_mem"})
  void whatTheServerRunsWithoutASnapshotTakesNone(String first) throws SQLException {
    fillBoth();
    run(one, "BEGIN", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", first);
    run(past, UPDATE);
    assertLive(one, ITEMS, "new", "b");
    run(one, "COMMIT");
  }
}
