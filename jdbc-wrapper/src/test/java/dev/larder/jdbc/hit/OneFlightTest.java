package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of several threads that miss one query at once, one asks the database and the others wait. */
final class OneFlightTest extends FlightFixture {
  private static final long MILLI = 1_000_000;

  private long count(String column) throws SQLException {
    return LarderProbe.count(one, column);
  }

  @Test
  void oneAsksAndTheOthersAreHits() throws Exception {
    block();
    Asker leader = leader();
    List<Asker> waiters = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiters.add(waiter());
    }
    unblock();
    assertThat(leader.get()).containsExactly("a", "b");
    for (Asker waiter : waiters) {
      assertThat(waiter.get()).containsExactly("a", "b");
    }
    assertThat(count("misses")).isEqualTo(1);
    assertThat(count("hits")).isEqualTo(10);
    assertThat(count("flight_waits")).isEqualTo(10);
    assertThat(count("flight_hits")).isEqualTo(10);
    run(one, "RESET larder.statistics");
    assertThat(count("flight_waits")).isZero();
    assertThat(count("flight_hits")).isZero();
  }

  @Test
  void whereTheLeaderIsKilledAnotherAsks() throws Exception {
    block();
    Asker leader = leader();
    Asker second = waiter();
    Asker third = waiter();
    run(one, "SELECT pg_terminate_backend(" + pid(leader.connection) + ")");
    assertThat(leader.failure().getSQLState()).isEqualTo("57P01");
    assertAnotherAsks(second, third);
  }

  @Test
  void whereTheLeaderIsCancelledAnotherAsks() throws Exception {
    block();
    Asker leader = leader();
    Asker second = waiter();
    Asker third = waiter();
    leader.statement.cancel();
    assertThat(leader.failure().getSQLState()).isEqualTo("57014");
    assertAnotherAsks(second, third);
  }

  @Test
  void whereTheLeaderTimesOutAnotherAsks() throws Exception {
    block();
    Asker leader = asker();
    leader.statement.setQueryTimeout(1);
    leader(leader);
    Asker second = waiter();
    Asker third = waiter();
    assertThat(leader.failure().getSQLState()).isEqualTo("57014");
    assertAnotherAsks(second, third);
  }

  @Test
  void whereTheLeadersConnectionIsAbortedAnotherAsks() throws Exception {
    block();
    Asker leader = leader();
    Asker second = waiter();
    Asker third = waiter();
    leader.connection.abort(Runnable::run);
    assertThat(leader.failure().getSQLState()).startsWith("08");
    assertAnotherAsks(second, third);
  }

  /** One of two is blocked at the server, and the other waits for it. */
  private void assertAnotherAsks(Asker one, Asker other) throws Exception {
    String pids = pid(one.connection) + ", " + pid(other.connection);
    awaitAtServer(
        "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid IN ("
            + pids
            + ")");
    await(() -> one.isWaiting() || other.isWaiting());
    unblock();
    assertThat(one.get()).containsExactly("a", "b");
    assertThat(other.get()).containsExactly("a", "b");
    assertThat(count("flight_waits")).isEqualTo(2);
    assertThat(count("flight_hits")).isEqualTo(1);
  }

  @Test
  void whatIsTooLargeIsAskedForByEveryoneAndSoonNotWaitedFor() throws Exception {
    String[] small = {"larder.maxResultRows=1", "larder.name=small"};
    for (int i = 0; i < 3; i++) {
      block();
      Asker leader = leader(asker(ITEMS, small));
      Asker waiter = i == 0 ? waiter(asker(ITEMS, small)) : null;
      unblock();
      assertThat(leader.get()).containsExactly("a", "b");
      if (waiter != null) {
        assertThat(waiter.get()).containsExactly("a", "b");
      }
    }
    block();
    leader(asker(ITEMS, small));
    leader(asker(ITEMS, small)); // Is at the server, too.
    unblock();
  }

  @Test
  void aWaiterSeesWhatWasWrittenBeforeItAsked() throws Exception {
    String slow = "SELECT max(name), count(*) FROM item, generate_series(1, 2000000)";
    Asker leader = asker(slow).start();
    awaitAtServer(
        "SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'active' AND query = '"
            + slow
            + "' AND backend_xmin IS NOT NULL AND pid = "
            + pid(leader.connection));
    run(two, "UPDATE item SET name = 'new' WHERE id = 2");
    Asker waiter = asker(slow).start();
    assertThat(leader.get()).containsExactly("b,4000000");
    assertThat(waiter.get()).containsExactly("new,4000000");
    assertThat(count("flight_waits")).isEqualTo(1);
    assertThat(count("flight_hits")).isZero();
    assertHit(two, slow, "new,4000000");
  }

  @Test
  void aWaiterAsksByItselfWhenItsTimeIsOver() throws Exception {
    ForcedFlights.force(Duration.ofMillis(600));
    block();
    leader();
    Asker waiter = asker();
    long begun = System.nanoTime();
    leader(waiter);
    assertThat(System.nanoTime() - begun).isBetween(50 * MILLI, 10_000 * MILLI);
    unblock();
    assertThat(waiter.get()).containsExactly("a", "b");
  }

  @Test
  void anInterruptedWaiterAsksByItselfAndStaysInterrupted() throws Exception {
    block();
    leader();
    Asker waiter = waiter();
    waiter.thread.interrupt();
    awaitBlocked(pid(waiter.connection));
    unblock();
    assertThat(waiter.get()).containsExactly("a", "b");
    assertThat(waiter.interrupted).isTrue();
  }

  @Test
  void aCancelledWaiterFailsAsAtTheServer() throws Exception {
    block();
    Asker leader = leader();
    Asker waiter = waiter();
    waiter.statement.cancel();
    SQLException failure = waiter.failure();
    leader.statement.cancel();
    SQLException servers = leader.failure();
    assertThat(failure.getClass()).isEqualTo(servers.getClass());
    assertThat(failure.getMessage()).isEqualTo(servers.getMessage());
    assertThat(failure.getSQLState()).isEqualTo("57014").isEqualTo(servers.getSQLState());
    unblock();
    assertThat(LarderProbe.rows(waiter.statement.executeQuery(ITEMS))).containsExactly("a", "b");
  }

  @Test
  void aWaitersQueryTimeoutIncludesTheWait() throws Exception {
    block();
    leader();
    Asker waiter = asker();
    waiter.statement.setQueryTimeout(2);
    long begun = System.nanoTime();
    waiter(waiter);
    assertThat(waiter.failure().getSQLState()).isEqualTo("57014");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(seconds(2), seconds(15));
    assertThat(waiter.statement.getQueryTimeout()).isEqualTo(2);
    unblock();
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void aWaiterWaitsAtMostItsNetworkTimeout() throws Exception {
    block();
    leader();
    Asker waiter = asker();
    waiter.connection.setNetworkTimeout(Runnable::run, 1000);
    waiter(waiter);
    assertThat(waiter.failure().getSQLState()).startsWith("08");
    unblock();
  }

  @Test
  void aWaiterThatIsClosedFailsAsTheDriversStatement() throws Exception {
    block();
    leader();
    Asker closed = waiter();
    Asker unconnected = waiter();
    Asker aborted = waiter();
    closed.statement.close();
    unconnected.connection.close();
    aborted.connection.abort(Runnable::run);
    assertThat(closed.failure().getSQLState()).isEqualTo("55000");
    assertThat(unconnected.failure().getSQLState()).isIn("08003", "55000");
    assertThat(aborted.failure().getSQLState()).isIn("08003", "08006", "55000");
    unblock();
  }

  @Test
  void whoMayHoldLocksDoesNotWait() throws Exception {
    block();
    leader();
    Asker reader = asker();
    reader.connection.setAutoCommit(false);
    LarderProbe.rows(reader.connection, NOTES);
    leader(reader); // Is at the server, too.
    unblock();
    assertThat(reader.get()).containsExactly("a", "b");
  }

  @Test
  void whoseTransactionIsUnknownToTheServerWaits() throws Exception {
    block();
    leader();
    Asker reader = asker();
    reader.connection.setAutoCommit(false);
    waiter(reader);
    unblock();
    assertThat(reader.get()).containsExactly("a", "b");
    assertThat(count("flight_hits")).isEqualTo(1);
  }

  @Test
  void aReaderOfASnapshotNeitherWaitsNorLeads() throws Exception {
    block();
    Asker first = snapshotReader();
    leader(first);
    leader(); // The first has not led.
    leader(snapshotReader());
    unblock();
  }

  @Test
  void aTransactionWithOwnWritesDoesNotLead() throws Exception {
    Asker writer = asker();
    writer.connection.setAutoCommit(false);
    run(writer.connection, "INSERT INTO other VALUES (2, 'y')");
    block();
    leader(writer);
    leader(); // Is at the server, too.
    unblock();
  }

  @Test
  void aTransactionThatOnlyReadsLeads() throws Exception {
    block();
    Asker reader = asker();
    reader.connection.setAutoCommit(false);
    LarderProbe.rows(reader.connection, NOTES);
    leader(reader);
    Asker waiter = waiter();
    unblock();
    assertThat(waiter.get()).containsExactly("a", "b");
    assertThat(count("flight_hits")).isEqualTo(1);
  }

  @Test
  void whereTheCacheOnlyObservesNobodyWaits() throws Exception {
    String[] observing = {"larder.mode=observe", "larder.name=observed"};
    block();
    leader(asker(ITEMS, observing));
    leader(asker(ITEMS, observing));
    unblock();
  }

  @Test
  void sessionsThatDifferDoNotWaitForEachOther() throws Exception {
    run(past, "CREATE ROLE flyer", "GRANT SELECT ON item TO flyer");
    try {
      Asker other = asker();
      run(other.connection, "SET ROLE flyer");
      block();
      leader();
      leader(other);
      unblock();
      assertThat(other.get()).containsExactly("a", "b");
      assertThat(count("flight_waits")).isZero();
    } finally {
      run(past, "DROP OWNED BY flyer", "DROP ROLE flyer");
    }
  }

  @Test
  void aStatementThatFailsIsWaitedForThreeTimes() throws Exception {
    String failing = "SELECT 1 / (id - id) FROM item";
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> LarderProbe.rows(two, failing)).isInstanceOf(SQLException.class);
    }
    block();
    Asker first = leader(asker(failing));
    Asker second = leader(asker(failing));
    unblock();
    assertThat(first.failure().getSQLState()).isEqualTo("22012");
    assertThat(second.failure().getSQLState()).isEqualTo("22012");
  }

  @Test
  void aWaitLeavesNothingBehind() throws Exception {
    block();
    Asker leader = leader();
    Asker waiter = waiter();
    unblock();
    leader.get();
    waiter.get();
    run(one, "UPDATE item SET name = 'new' WHERE id = 2");
    assertLive(two, ITEMS, "a", "new");
    assertHit(one, ITEMS, "a", "new");
    assertThat(count("flight_waits")).isEqualTo(1);
  }
}
