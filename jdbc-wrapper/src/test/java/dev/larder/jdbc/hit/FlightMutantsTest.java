package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.engine.Flight;
import dev.larder.jdbc.LarderProbe;
import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes wrong without one step of what lets one of several misses ask for all, and does not
 * with it: a row of another role, or a wait that is too long. That whoever has waited looks up
 * again is left out by {@code MutantsTest}; the steps between JVMs by {@code SharedLeaseTest}.
 */
@Tag("mutants")
final class FlightMutantsTest extends FlightFixture {
  @AfterEach
  void takeEveryStep() {
    LeftOut.leaveOut(null);
  }

  /** Leaves a step out, unless it is {@code taken}. */
  private static void with(boolean taken, ProtocolStep step) {
    LeftOut.leaveOut(taken ? null : step);
  }

  /** Starts one that asks; returns what it waits for, or null once it is at the server. */
  private @Nullable Flight waitedForBy(Asker asker) throws SQLException {
    int pid = pid(asker.connection);
    asker.start();
    await(() -> asker.isWaiting() || isBlocked(pid));
    return asker.flight();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRoleSeesItsOwnRowsWhereKeysNameIt(boolean named) throws Exception {
    run(
        past,
        "CREATE ROLE glider",
        "GRANT SELECT ON item TO glider",
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY gliders ON item TO glider USING (name = 'a')");
    try {
      with(named, ProtocolStep.NAME_ROLES_IN_KEYS);
      Asker leader = asker();
      Asker glider = asker();
      run(glider.connection, "SET ROLE glider");
      block();
      leader(leader);
      assertThat(waitedForBy(glider) == null).isEqualTo(named);
      unblock();
      assertThat(leader.get()).containsExactly("a", "b");
      assertThat(glider.get()).isEqualTo(named ? List.of("a") : List.of("a", "b"));
    } finally {
      run(past, "SET lock_timeout = '10s'", "DROP OWNED BY glider", "DROP ROLE glider");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nobodyWaitsForASnapshotUnlessItLeads(boolean plainOnly) throws Exception {
    with(plainOnly, ProtocolStep.LEAD_IF_PLAIN);
    block();
    leader(snapshotReader());
    assertThat(waitedForBy(asker()) == null).isEqualTo(plainOnly);
    unblock();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nobodyWaitsForOneWithOwnWritesUnlessItLeads(boolean plainOnly) throws Exception {
    with(plainOnly, ProtocolStep.LEAD_IF_PLAIN);
    Asker writer = asker();
    writer.connection.setAutoCommit(false);
    run(writer.connection, "INSERT INTO other VALUES (2, 'y')");
    block();
    leader(writer);
    assertThat(waitedForBy(asker()) == null).isEqualTo(plainOnly);
    unblock();
  }

  /** The leader could wait for such a lock: a circle that the server does not see. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoHoldsLocksDoesNotWait(boolean withoutLocks) throws Exception {
    with(withoutLocks, ProtocolStep.WAIT_WITHOUT_LOCKS);
    Asker reader = asker();
    reader.connection.setAutoCommit(false);
    LarderProbe.rows(reader.connection, NOTES);
    block();
    leader();
    assertThat(waitedForBy(reader) == null).isEqualTo(withoutLocks);
    unblock();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nobodyWaitsForALeaderThatHasFailed(boolean ended) throws Exception {
    block();
    Asker leader = leader();
    Asker waiter = asker();
    Flight flight = waitedForBy(waiter);
    assertThat(flight).isNotNull();
    with(ended, ProtocolStep.END_FAILED_FLIGHTS);
    leader.statement.cancel();
    assertThat(leader.failure().getSQLState()).isEqualTo("57014");
    assertThat(flight.hasEnded()).isEqualTo(ended);
    waiter.statement.cancel();
    unblock();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nobodyWaitsMuchLongerThanTheQueryTakes(boolean limited) throws Exception {
    ForcedFlights.force(Duration.ofMinutes(1));
    with(limited, ProtocolStep.LIMIT_WAITS);
    block();
    leader();
    Asker waiter = asker();
    Flight flight = waitedForBy(waiter);
    assertThat(flight).isNotNull();
    assertThat(flight.leftNanos() < TimeUnit.MINUTES.toNanos(1)).isEqualTo(limited);
    waiter.statement.cancel();
    unblock();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatLeavesNothingIsSoonNotWaitedFor(boolean counted) throws Exception {
    with(counted, ProtocolStep.COUNT_VAIN_RUNS);
    String[] small = {"larder.maxResultRows=1", "larder.name=small"};
    for (int i = 0; i < 3; i++) {
      assertThat(asker(ITEMS, small).start().get()).containsExactly("a", "b");
    }
    block();
    leader(asker(ITEMS, small));
    assertThat(waitedForBy(asker(ITEMS, small)) == null).isEqualTo(counted);
    unblock();
  }
}
