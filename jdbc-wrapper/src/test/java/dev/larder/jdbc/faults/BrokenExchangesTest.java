package dev.larder.jdbc.faults;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver gives up in the middle of an exchange and takes the answer that is still to come for
 * that to the next statement: what that connection says is then wrong, and nobody else may hear it.
 */
@Tag("regression")
final class BrokenExchangesTest extends ProtocolFixture {
  private static final String FIRST = "SELECT name FROM item WHERE id = 1";
  private static final String SECOND = "SELECT name FROM item WHERE id = 2";
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  private Connection faulty(String... parameters) throws SQLException {
    String[] all = new String[parameters.length + 1];
    all[0] = "socketFactory=" + FaultySocketFactory.class.getName();
    System.arraycopy(parameters, 0, all, 1, parameters.length);
    return LarderProbe.connect(database, all);
  }

  private static void swallow(Connection connection, String sql) {
    try {
      LarderProbe.run(connection, sql);
    } catch (SQLException e) {
      // It may be closed by now: what it says is not the question here.
    }
  }

  @Test
  void anotherQuerysRowsAreNotKept() throws Exception {
    try (Connection faulty = faulty()) {
      rows(faulty, "SELECT note FROM other");
      FaultySocketFactory.failReading(() -> new OutOfMemoryError("injected"));
      assertThatThrownBy(() -> rows(faulty, FIRST)).isInstanceOf(OutOfMemoryError.class);
      swallow(faulty, SECOND);
      swallow(faulty, SECOND);
      assertThat(rows(one, SECOND)).containsExactly("b");
      assertThat(rows(one, FIRST)).containsExactly("a");
      LarderProbe.fill(one, SECOND);
      assertHit(one, SECOND, "b");
    }
  }

  @Test
  void aResultOverTheDriversLimitSpoilsNoOther() throws Exception {
    run(past, "INSERT INTO item SELECT i, repeat('x', 100) FROM generate_series(10, 2000) i");
    try (Connection limited = LarderProbe.connect(database, "maxResultBuffer=20K")) {
      assertThatThrownBy(() -> rows(limited, ITEMS)).isInstanceOf(SQLException.class);
      swallow(limited, SECOND);
      swallow(limited, FIRST);
      assertThat(rows(one, SECOND)).containsExactly("b");
      assertThat(rows(one, FIRST)).containsExactly("a");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteIsNotPublishedByTheAnswerToAnother(boolean reading) throws Exception {
    run(
        past,
        "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM pg_advisory_xact_lock(9); RETURN NULL; END $$",
        "CREATE CONSTRAINT TRIGGER hold AFTER UPDATE ON other DEFERRABLE INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION hold()",
        "SELECT pg_advisory_lock(9)");
    run(one, "COMMENT ON TABLE item IS 'read the catalog again'");
    fillBoth();
    Connection faulty = faulty();
    int pid = pid(faulty);
    if (reading) {
      FaultySocketFactory.failReading(() -> new StackOverflowError("injected"));
    } else {
      FaultySocketFactory.failWriting(() -> new StackOverflowError("injected"));
    }
    assertThatThrownBy(() -> run(faulty, UPDATE)).isInstanceOf(StackOverflowError.class);
    swallowAsync(faulty);
    for (int i = 0; i < 5; i++) {
      rows(one, NOTES);
    }
    run(past, "SELECT pg_advisory_unlock(9)");
    faulty.close();
    awaitGone(pid);
    assertThat(rows(one, NOTES)).isEqualTo(rows(past, NOTES));
    await(() -> LarderProbe.isHit(one, NOTES) && LarderProbe.isHit(one, ITEMS));
    assertThat(rows(one, NOTES)).isEqualTo(rows(past, NOTES));
    assertThat(rows(one, ITEMS)).isEqualTo(rows(past, ITEMS));
  }

  /** Sends a write that waits at its commit, and returns when it waits or has been answered. */
  private void swallowAsync(Connection faulty) throws Exception {
    int pid = pid(faulty);
    var write =
        async(
            () -> {
              swallow(faulty, "UPDATE other SET note = 'y'");
              return true;
            });
    await(
        () ->
            write.isDone()
                || rows(past, "SELECT wait_event_type FROM pg_stat_activity WHERE pid = " + pid)
                    .contains("Lock"));
    for (int i = 0; i < 100 && !write.isDone(); i++) {
      rows(past, NOTES); // A driver that is out of step is done though the server is not.
    }
    if (!write.isDone()) {
      run(past, "SELECT pg_advisory_unlock(9)");
      get(write);
      run(past, "SELECT pg_advisory_lock(9)");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "failed"})
  void aConnectionThatIsInStepStaysOpen(String transaction) throws Exception {
    fillBoth();
    two.setAutoCommit(false);
    run(two, "UPDATE other SET note = 'z'");
    if (transaction.equals("failed")) {
      assertThatThrownBy(() -> run(two, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
    }
    two.unwrap(CachingConnection.class).physical().session().doubt();
    if (transaction.equals("failed")) {
      assertThatThrownBy(() -> run(two, UPDATE))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
      two.rollback();
    } else {
      run(two, UPDATE);
      two.commit();
    }
    assertThat(two.isClosed()).isFalse();
    two.setAutoCommit(true);
    LarderProbe.fill(two, ITEMS);
    LarderProbe.fill(two, NOTES);
    assertThat(rows(two, NOTES)).isEqualTo(rows(past, NOTES));
    assertThat(two.getNetworkTimeout()).isZero();
  }
}
