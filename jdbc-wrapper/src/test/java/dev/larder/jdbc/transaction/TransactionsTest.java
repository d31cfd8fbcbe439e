package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-server")
final class TransactionsTest extends ProtocolFixture {
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  @Test
  void autocommittedWriteIsSeenAtOnceAndInvalidatesItsTableOnly() throws SQLException {
    fillBoth();
    run(two, UPDATE);
    assertLive(one, ITEMS, "new", "b");
    assertHit(one, ITEMS, "new", "b");
    assertHit(one, NOTES, "x");
  }

  @Test
  void uncommittedWritesAreNeverSeenByOthersAndCommittedOnesAlways() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    run(two, UPDATE);
    assertHit(one, ITEMS, "a", "b");
    assertLive(two, ITEMS, "new", "b");
    assertLive(two, ITEMS, "new", "b");
    assertHit(two, NOTES, "x");
    two.commit();
    assertLive(one, ITEMS, "new", "b");
    assertHit(two, ITEMS, "new", "b");
  }

  @Test
  void nothingIsLeftAfterRollback() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    run(two, UPDATE);
    assertLive(two, ITEMS, "new", "b");
    two.rollback();
    assertHit(two, ITEMS, "a", "b");
    assertHit(one, ITEMS, "a", "b");
  }

  @Test
  void switchingAutocommitOnCommits() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    run(two, UPDATE);
    two.setAutoCommit(true);
    assertLive(one, ITEMS, "new", "b");
    assertHit(two, ITEMS, "new", "b");
  }

  @Test
  void closingTheConnectionRollsBack() throws SQLException {
    fillBoth();
    Connection three = LarderProbe.connect(database);
    three.setAutoCommit(false);
    run(three, UPDATE);
    three.close();
    assertHit(one, ITEMS, "a", "b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"COMMIT", "END", "commit work", "/* x */ END TRANSACTION;", "COMMIT AND CHAIN"})
  void textEndsOfATransactionCommit(String end) throws SQLException {
    for (String begin : List.of("BEGIN", "START TRANSACTION", "")) {
      run(past, "UPDATE item SET name = 'a' WHERE id = 1");
      run(two, "UPDATE item SET name = 'b' WHERE id = 2");
      fillBoth();
      two.setAutoCommit(!begin.isEmpty());
      run(two, begin, UPDATE);
      assertHit(one, ITEMS, "a", "b");
      assertLive(two, ITEMS, "new", "b");
      run(two, end);
      assertLive(one, ITEMS, "new", "b");
      assertHit(two, ITEMS, "new", "b");
      if (end.endsWith("CHAIN")) {
        run(two, UPDATE);
        assertLive(two, ITEMS, "new", "b");
        run(two, "ROLLBACK");
      }
      two.setAutoCommit(true);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ROLLBACK", "ABORT", "rollback transaction", "ABORT AND CHAIN"})
  void textRollbacksLeaveNothing(String end) throws SQLException {
    for (String begin : List.of("BEGIN", "")) {
      fillBoth();
      two.setAutoCommit(!begin.isEmpty());
      run(two, begin, UPDATE, end);
      assertHit(two, ITEMS, "a", "b");
      assertHit(one, ITEMS, "a", "b");
      two.setAutoCommit(false);
      two.rollback();
      two.setAutoCommit(true);
    }
  }

  @Test
  void rollbackToASavepointKeepsWhatWasWrittenBeforeAndAfterDirty() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    run(two, UPDATE);
    Savepoint savepoint = two.setSavepoint();
    run(two, "UPDATE other SET note = 'y'");
    two.rollback(savepoint);
    assertLive(two, NOTES, "x");
    assertLive(two, ITEMS, "new", "b");
    two.releaseSavepoint(savepoint);
    run(two, "SAVEPOINT s", "UPDATE item SET name = 'gone' WHERE id = 2", "ROLLBACK TO s");
    assertLive(two, ITEMS, "new", "b");
    run(two, "RELEASE SAVEPOINT s");
    two.commit();
    assertLive(one, ITEMS, "new", "b");
    assertCachedAgain(one, NOTES, "x");
  }

  @Test
  void failedTransactionIsNotHiddenByAHit() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    assertThatThrownBy(() -> run(two, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> rows(two, NOTES))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
    two.rollback();
    assertHit(two, NOTES, "x");
  }

  @Test
  void failureOfTheDriversOwnQueryIsNotHiddenByAHit() throws SQLException {
    run(
        past,
        "CREATE TABLE big (id int)",
        "INSERT INTO big SELECT 10 - i FROM generate_series(1, 10) i");
    fillBoth();
    LarderProbe.awaitCatalog(two);
    two.setAutoCommit(false);
    try (Statement statement = two.createStatement()) {
      statement.setFetchSize(2);
      ResultSet result = statement.executeQuery("SELECT 10 / id FROM big");
      assertThatThrownBy(
              () -> {
                while (result.next()) {
                  result.getInt(1);
                }
              })
          .isInstanceOf(SQLException.class);
    }
    assertThatThrownBy(() -> rows(two, NOTES))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
    two.rollback();
  }

  @Test
  void commitOfAFailedTransactionLeavesNothing() throws SQLException {
    fillBoth();
    run(two, "BEGIN", UPDATE);
    assertThatThrownBy(() -> run(two, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
    try {
      run(two, "COMMIT");
    } catch (SQLException e) {
      // The driver raises a silent rollback as an error.
      assertThat(e.getSQLState()).isEqualTo("25P02");
    }
    assertCachedAgain(one, ITEMS, "a", "b");
    assertHit(two, ITEMS, "a", "b");
  }

  @Test
  void aDeferredConstraintThatFailsAtCommitLeavesNothingAndTheTableCached() throws SQLException {
    run(
        past,
        "CREATE TABLE child (id int REFERENCES item DEFERRABLE INITIALLY DEFERRED)",
        "CREATE SCHEMA elsewhere",
        "CREATE TABLE elsewhere.item (id int, name text)");
    run(one, "CREATE INDEX ON child (id)");
    LarderProbe.awaitCatalog(one);
    fillBoth();
    LarderProbe.fill(one, "SELECT id FROM child");
    two.setAutoCommit(false);
    run(two, "SET search_path TO elsewhere, public", "INSERT INTO child VALUES (99)");
    assertLive(two, ITEMS);
    assertThatThrownBy(() -> two.commit()).isInstanceOf(SQLException.class);
    assertCachedAgain(one, "SELECT id FROM child");
    assertHit(two, ITEMS, "a", "b");
    two.rollback();
    run(two, "BEGIN", "INSERT INTO child VALUES (99)");
    assertThatThrownBy(() -> run(two, "COMMIT")).isInstanceOf(SQLException.class);
    two.setAutoCommit(true);
    assertCachedAgain(one, "SELECT id FROM child");
    assertThatThrownBy(() -> run(two, "INSERT INTO child VALUES (99)"))
        .isInstanceOf(SQLException.class);
    assertCachedAgain(one, "SELECT id FROM child");
  }

  @Test
  void whileAWriteIsInFlightItsTableIsNeitherHitNorFilledAndOthersAre() throws Exception {
    fillBoth();
    run(past, "BEGIN", "LOCK TABLE item IN SHARE ROW EXCLUSIVE MODE");
    Future<?> write = asyncRun(two, UPDATE);
    awaitBlocked(pid(two));
    assertLive(one, ITEMS, "a", "b");
    assertLive(one, ITEMS, "a", "b");
    assertHit(one, NOTES, "x");
    assertThat(rows(one, "SHOW larder.tables").toString()).contains("public.item");
    try (Statement statement = one.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.tables")) {
      boolean found = false;
      while (row.next()) {
        if (row.getString(1).endsWith("item")) {
          found = true;
          assertThat(row.getInt("writers")).isEqualTo(1);
          assertThat(row.getString("oldest_writer_millis")).isNotNull();
        }
      }
      assertThat(found).isTrue();
    }
    run(past, "COMMIT");
    get(write);
    assertLive(one, ITEMS, "new", "b");
    assertHit(one, ITEMS, "new", "b");
  }

  @Test
  void aTransactionInFlightDisturbsNobodyUntilItCommits() throws Exception {
    fillBoth();
    two.setAutoCommit(false);
    run(past, "BEGIN", "LOCK TABLE item IN SHARE ROW EXCLUSIVE MODE");
    Future<?> write = asyncRun(two, UPDATE);
    awaitBlocked(pid(two));
    assertHit(one, ITEMS, "a", "b");
    run(past, "COMMIT");
    get(write);
    assertHit(one, ITEMS, "a", "b");
    two.commit();
    assertLive(one, ITEMS, "new", "b");
  }

  @Test
  void aReaderThatExecutedBeforeACommitAndAdmitsAfterItIsNotServedStale() throws Exception {
    run(
        past,
        "CREATE FUNCTION gate(t text) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN"
            + " PERFORM pg_advisory_xact_lock(7); RETURN t; END $$");
    try (Connection reader =
            LarderProbe.connect(database, "larder.functions.readOnly=public.gate");
        Connection writer =
            LarderProbe.connect(database, "larder.functions.readOnly=public.gate")) {
      String sql = "SELECT gate(name) FROM item ORDER BY id";
      LarderProbe.fill(reader, sql);
      LarderProbe.run(reader, "RESET larder.cache");
      run(past, "BEGIN", "SELECT pg_advisory_xact_lock(7)");
      Future<List<String>> read = async(() -> rows(reader, sql));
      awaitBlocked(pid(reader));
      // Its snapshot is taken: it reads the old row whatever is committed now.
      run(writer, UPDATE);
      run(past, "COMMIT");
      assertThat(get(read)).containsExactly("a", "b");
      assertLive(writer, sql, "new", "b");
      assertHit(reader, sql, "new", "b");
    }
  }

  @Test
  void preparedStatementsAndExecuteLargeUpdateAnnounceAsOthersDo() throws SQLException {
    fillBoth();
    try (PreparedStatement update = two.prepareStatement("UPDATE item SET name = ? WHERE id = ?")) {
      for (int i = 0; i < 8; i++) {
        update.setString(1, "v" + i);
        update.setInt(2, 1);
        assertThat(i % 2 == 0 ? update.executeUpdate() : update.executeLargeUpdate()).isEqualTo(1);
        assertLive(one, ITEMS, "v" + i, "b");
        assertHit(one, ITEMS, "v" + i, "b");
      }
    }
  }

  @Test
  void aHitInAutocommitBeginsNothing() throws SQLException {
    fillBoth();
    assertHit(two, ITEMS, "a", "b");
    two.setReadOnly(true);
    two.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(two.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    two.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    two.setReadOnly(false);
    assertHit(two, ITEMS, "a", "b");
  }

  @Test
  void aTransactionOfHitsAloneEndsWithCommitRollbackAndAutocommit() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    assertHit(two, ITEMS, "a", "b");
    two.commit();
    two.setReadOnly(true);
    assertHit(two, ITEMS, "a", "b");
    two.rollback();
    two.setReadOnly(false);
    assertHit(two, ITEMS, "a", "b");
    two.setAutoCommit(true);
    two.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
  }

  /** The driver begins nothing before these. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionOfHitsAloneKnowsNoSavepointOfAnEarlierOne(boolean release) throws SQLException {
    fillBoth();
    for (Connection each : List.of(past, two)) {
      each.setAutoCommit(false);
      Savepoint savepoint = each.setSavepoint();
      each.rollback();
      rows(each, NOTES);
      refuses(each, "3B001", () -> end(each, savepoint, release));
      refuses(each, "25P02", () -> rows(each, NOTES));
      each.rollback();
      refuses(each, "25P01", () -> end(each, savepoint, release));
      assertThat(rows(each, NOTES)).containsExactly("x");
      each.setAutoCommit(true);
    }
    assertHit(two, NOTES, "x");
  }

  private static void end(Connection connection, Savepoint savepoint, boolean release)
      throws SQLException {
    if (release) {
      connection.releaseSavepoint(savepoint);
    } else {
      connection.rollback(savepoint);
    }
  }

  private static void refuses(Connection connection, String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(connection.toString())
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  /** The driver rolls back to a savepoint of its own, and the transaction goes on. */
  @ParameterizedTest
  @ValueSource(strings = {"always", "conservative"})
  void aStatementThatFailsUnderAutosaveIsFollowed(String autosave) throws SQLException {
    fillBoth();
    try (Connection writer = LarderProbe.connect(database, "autosave=" + autosave)) {
      writer.setAutoCommit(false);
      assertHit(writer, NOTES, "x");
      run(writer, "UPDATE item SET name = 'new' WHERE id = 1");
      assertThatThrownBy(() -> run(writer, "INSERT INTO other VALUES (1, 'again')"))
          .isInstanceOf(SQLException.class);
      if (autosave.equals("always")) {
        assertLive(writer, ITEMS, "new", "b");
        run(writer, "UPDATE other SET note = 'y'");
        assertLive(writer, NOTES, "y");
      } else {
        assertThatThrownBy(() -> rows(writer, NOTES))
            .isInstanceOf(SQLException.class)
            .extracting(e -> ((SQLException) e).getSQLState())
            .isEqualTo("25P02");
      }
      assertHit(one, ITEMS, "a", "b");
      assertHit(one, NOTES, "x");
      if (autosave.equals("always")) {
        writer.commit();
        assertLive(one, ITEMS, "new", "b");
        assertLive(one, NOTES, "y");
      } else {
        writer.rollback();
        assertHit(one, ITEMS, "a", "b");
        assertHit(writer, NOTES, "x");
      }
    }
  }

  /** A prepared statement whose result type has changed is prepared again behind a savepoint. */
  @ParameterizedTest
  @ValueSource(strings = {"always", "conservative"})
  void aStatementThatIsRetriedUnderAutosaveIsFollowed(String autosave) throws SQLException {
    fillBoth();
    try (Connection writer =
            LarderProbe.connect(database, "autosave=" + autosave, "prepareThreshold=-1");
        PreparedStatement all =
            writer.prepareStatement("UPDATE other SET note = note || ? RETURNING *")) {
      writer.setAutoCommit(false);
      all.setString(1, "1");
      all.execute();
      writer.commit();
      run(two, "ALTER TABLE other ADD more int");
      fillBoth();
      all.setString(1, "2");
      all.execute();
      assertHit(one, NOTES, "x1");
      writer.commit();
      assertLive(one, NOTES, "x12");
    }
  }
}
