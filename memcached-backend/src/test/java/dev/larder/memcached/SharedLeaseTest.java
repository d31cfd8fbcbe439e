package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.ProtocolStep;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.io.BufferedReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A query that usually takes a second, for which one instance has the lease: the other waits for
 * it, two seconds at most.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class SharedLeaseTest extends TwoInstances {
  private static final String QUERY = "SELECT sum(amount) FROM sale";

  /** Another query of the table, so that its results can be shared. */
  private static final String COUNT = "SELECT count(*) FROM sale";

  private static final Duration USUAL = Duration.ofSeconds(1);
  private static final Duration MOST = USUAL.multipliedBy(2);

  /** Of the driver alone: it sees what goes on at the server. */
  private Connection watching;

  /** A thread that asks the query on a connection of its own. */
  private static final class Asker {
    final Statement statement;
    final FutureTask<@Nullable String> answer;
    final Thread thread;
    final long begun = System.nanoTime();
    volatile boolean interrupted;

    Asker(Statement statement, String sql) {
      this.statement = statement;
      this.answer =
          new FutureTask<>(
              () -> {
                try (var rows = statement.executeQuery(sql)) {
                  rows.next();
                  return rows.getString(1);
                } finally {
                  interrupted = Thread.currentThread().isInterrupted();
                }
              });
      this.thread = new Thread(answer, "asker");
      thread.setDaemon(true);
      thread.start();
    }

    static Asker on(Connection connection) throws SQLException {
      return new Asker(connection.createStatement(), QUERY);
    }

    Asker awaitWaiting() {
      Waiting.until("it waits", this::isWaiting);
      return this;
    }

    boolean isWaiting() {
      Object blocker = LockSupport.getBlocker(thread);
      return blocker != null && blocker.getClass().getSimpleName().equals("Flight");
    }

    Duration soFar() {
      return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Nullable String get() throws Exception {
      return answer.get(1, TimeUnit.MINUTES);
    }

    SQLException failure() throws Exception {
      try {
        throw new AssertionError("no failure but " + get());
      } catch (ExecutionException e) {
        return (SQLException) e.getCause();
      }
    }
  }

  @BeforeEach
  void teach() throws Exception {
    watching = postgres.connect();
    run(outside, "CREATE TABLE sale (amount int)");
    askUntilHit(first, COUNT);
    askUntilHit(second, COUNT);
    block();
    Asker one = Asker.on(first);
    Asker two = Asker.on(second);
    awaitBlocked(2);
    Waiting.pass(USUAL);
    unblock();
    one.get();
    two.get();
    sell();
  }

  private void sell() throws SQLException {
    run(first, "INSERT INTO sale VALUES (1)");
  }

  /** Keeps the server from answering the query. */
  private void block() throws SQLException {
    run(outside, "BEGIN; LOCK TABLE sale");
  }

  private void unblock() throws SQLException {
    run(outside, "COMMIT");
  }

  private void awaitBlocked(int sessions) throws SQLException {
    String blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    Waiting.until(
        sessions + " are at the server",
        () -> Integer.toString(sessions).equals(ask(watching, blocked)));
  }

  /** Has the second instance take the lease and wait at the server. */
  private Asker holder() throws SQLException {
    block();
    Asker holder = Asker.on(second);
    awaitBlocked(1);
    return holder;
  }

  @Test
  void whoWaitsForAnotherInstanceUsesItsResult() throws Exception {
    Asker holder = holder();
    long misses = count(first, "misses");
    Asker waiter = Asker.on(one.connect()).awaitWaiting();
    Asker local = Asker.on(one.connect()).awaitWaiting();
    unblock();
    assertThat(holder.get()).isEqualTo("1");
    assertThat(waiter.get()).isEqualTo("1");
    assertThat(local.get()).isEqualTo("1");
    assertThat(count(first, "misses")).isEqualTo(misses);
    assertThat(count(first, "flight_waits")).isEqualTo(2);
    assertThat(count(first, "flight_hits")).isEqualTo(2);
  }

  /** The lease says that a result is about to be there, not that it may be used. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoWaitsSeesWhatWasWrittenBeforeItAskedIfItLooks(boolean looks) throws Exception {
    String slow = "SELECT sum(amount) + 0 * count(g) FROM sale, generate_series(1, 3000000) g";
    askUntilHit(first, slow);
    sell();
    askUntilHit(second, slow);
    sell();
    Asker holder = new Asker(second.createStatement(), slow);
    Waiting.until(
        "it has its snapshot",
        () ->
            "1"
                .equals(
                    ask(
                        watching,
                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
                            + " AND backend_xmin IS NOT NULL AND query = '"
                            + slow
                            + "'")));
    sell();
    Asker waiter = new Asker(one.connect().createStatement(), slow).awaitWaiting();
    one.leaveOut(looks ? null : ProtocolStep.VALIDATE_SHARED);
    assertThat(holder.get()).isEqualTo("9000000");
    // The result of the holder, or that which it replaces.
    assertThat(waiter.get()).isIn(looks ? List.of("12000000") : List.of("9000000", "6000000"));
    assertThat(count(first, "flight_waits")).isEqualTo(1);
    assertThat(count(first, "flight_hits")).isEqualTo(looks ? 0 : 1);
  }

  @Test
  void whereTheHoldersConnectionDiesAnotherAsksAtOnce() throws Exception {
    Asker holder = holder();
    Asker waiter = Asker.on(one.connect()).awaitWaiting();
    run(
        watching,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    assertThat(holder.failure().getSQLState()).isEqualTo("57P01");
    awaitBlocked(1);
    assertThat(waiter.soFar()).isLessThan(MOST);
    unblock();
    assertThat(waiter.get()).isEqualTo("1");
  }

  @Test
  void whereTheHolderIsKilledAnotherAsksWhenItsTimeIsOver() throws Exception {
    Process dying = Jvms.start(DyingAsker.class, url(), COUNT, QUERY);
    try (BufferedReader said = Jvms.said(dying)) {
      assertThat(said.readLine()).isEqualTo("ready");
      block();
      tell(dying);
      awaitBlocked(1);
      Waiting.pass(USUAL);
      unblock();
      assertThat(said.readLine()).isEqualTo("ready");
      sell();
      block();
      tell(dying);
      awaitBlocked(1);
    } finally {
      dying.destroyForcibly().waitFor();
    }
    Asker leader = Asker.on(one.connect()).awaitWaiting();
    Asker local = Asker.on(one.connect()).awaitWaiting();
    awaitBlocked(2); // The session of the dead one is still there.
    System.out.println("lease: after the holder's death another asked after " + leader.soFar());
    assertThat(leader.soFar()).isBetween(MOST, MOST.plusSeconds(10));
    assertThat(local.isWaiting()).as("it waits for its own instance").isTrue();
    unblock();
    assertThat(leader.get()).isEqualTo("2");
    assertThat(local.get()).isEqualTo("2");
    assertThat(count(first, "flight_hits")).isEqualTo(1);
  }

  private static void tell(Process process) throws Exception {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  @Test
  void whereMemcachedGoesEverybodyAsks() throws Exception {
    Asker holder = holder();
    Asker waiter = Asker.on(one.connect()).awaitWaiting();
    memcached.kill();
    awaitBlocked(2);
    unblock();
    assertThat(holder.get()).isEqualTo("1");
    assertThat(waiter.get()).isEqualTo("1");
  }

  @Test
  void cancelledAtTheLeaseItFailsAsAtTheServer() throws Exception {
    Asker holder = holder();
    Asker waiter = Asker.on(one.connect()).awaitWaiting();
    Asker local = Asker.on(one.connect()).awaitWaiting();
    waiter.statement.cancel();
    assertThat(waiter.failure().getSQLState()).isEqualTo("57014");
    awaitBlocked(1);
    unblock();
    assertThat(holder.get()).isEqualTo("1");
    assertThat(local.get()).as("it has led since").isEqualTo("1");
    assertThat(count(first, "flight_hits")).isEqualTo(1);
  }

  @Test
  void queryTimeoutIncludesTheWaitForTheLease() throws Exception {
    holder();
    Statement statement = one.connect().createStatement();
    statement.setQueryTimeout(1);
    Asker waiter = new Asker(statement, QUERY).awaitWaiting();
    assertThat(waiter.failure().getSQLState()).isEqualTo("57014");
    assertThat(waiter.soFar()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(15));
    assertThat(statement.getQueryTimeout()).isEqualTo(1);
    unblock();
  }

  @Test
  void itWaitsAtMostItsNetworkTimeout() throws Exception {
    holder();
    Connection connection = one.connect();
    connection.setNetworkTimeout(Runnable::run, 500);
    Asker waiter = Asker.on(connection).awaitWaiting();
    assertThat(waiter.failure().getSQLState()).startsWith("08");
    unblock();
  }

  @Test
  void interruptedItAsksByItselfAndStaysInterrupted() throws Exception {
    holder();
    Asker waiter = Asker.on(one.connect()).awaitWaiting();
    waiter.thread.interrupt();
    awaitBlocked(2);
    assertThat(waiter.soFar()).isLessThan(MOST);
    unblock();
    assertThat(waiter.get()).isEqualTo("1");
    assertThat(waiter.interrupted).isTrue();
  }

  @Test
  void whoMayHoldLocksDoesNotWait() throws Exception {
    holder();
    Connection reader = one.connect();
    reader.setAutoCommit(false);
    ask(reader, "SELECT v || '' FROM t");
    Asker asker = Asker.on(reader);
    awaitBlocked(2);
    assertThat(asker.soFar()).isLessThan(MOST);
    unblock();
    assertThat(asker.get()).isEqualTo("1");
    assertThat(count(first, "flight_waits")).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLeaseThatIsNotReleasedIsWaitedFor(boolean released) throws Exception {
    two.leaveOut(released ? null : ProtocolStep.RELEASE_LEASES);
    assertThat(ask(second, QUERY)).isEqualTo("1");
    run(second, "INSERT INTO sale VALUES (1)");
    assertThat(ask(first, QUERY)).isEqualTo("2");
    assertThat(count(first, "flight_waits")).isEqualTo(released ? 0 : 1);
  }

  @Test
  void aReleasedLeaseCanBeTakenAtOnce() throws Exception {
    for (int i = 0; i < 10; i++) {
      Connection holder = i % 2 == 0 ? first : second;
      long misses = count(holder, "misses");
      assertThat(ask(holder, QUERY)).isEqualTo(Integer.toString(i + 1));
      assertThat(count(holder, "misses")).isEqualTo(misses + 1);
      // On its connection to memcached, what it says of this comes after the release.
      run(holder, "INSERT INTO sale VALUES (1)");
    }
    assertThat(count(first, "flight_waits")).isZero();
    assertThat(count(second, "flight_waits")).isZero();
  }
}
