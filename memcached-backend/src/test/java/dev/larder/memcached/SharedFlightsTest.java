package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads of one instance that miss the same shared result at once. */
@NeedsProgram(Program.MEMCACHED)
class SharedFlightsTest extends TwoInstances {
  private static final String OTHER = "SELECT v, v FROM t WHERE id = 1";

  private final List<FutureTask<@Nullable String>> answers = new ArrayList<>();

  @BeforeEach
  void waitForLong() throws Exception {
    one.waitForFlights(Duration.ofMinutes(5));
    askUntilHit(first, READ); // So that results of the table can be shared.
  }

  private Thread start(Connection connection) {
    FutureTask<@Nullable String> answer = new FutureTask<>(() -> ask(connection, OTHER));
    answers.add(answer);
    Thread thread = new Thread(answer, "asker");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static boolean isWaiting(Thread thread) {
    Object blocker = LockSupport.getBlocker(thread);
    return blocker != null && blocker.getClass().getSimpleName().equals("Flight");
  }

  private static boolean isLockWaitedFor() throws SQLException {
    try (Connection other = postgres.connect()) {
      return "1"
          .equals(
              ask(other, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"));
    }
  }

  @Test
  void oneAsksAndTheOthersAreHits() throws Exception {
    long misses = count(first, "misses");
    outside.setAutoCommit(false);
    run(outside, "LOCK TABLE t");
    start(one.connect());
    Waiting.until("the leader is at the server", SharedFlightsTest::isLockWaitedFor);
    for (int i = 0; i < 5; i++) {
      Thread waiter = start(one.connect());
      Waiting.until("it waits", () -> isWaiting(waiter));
    }
    outside.commit();
    for (FutureTask<@Nullable String> answer : answers) {
      assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo("a");
    }
    assertThat(count(first, "misses") - misses).isEqualTo(1);
    assertThat(count(first, "flight_waits")).isEqualTo(5);
    assertThat(count(first, "flight_hits")).isEqualTo(5);
  }
}
