package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a query costs the server that many threads of several instances miss at once. */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class StampedeOfInstancesTest extends TwoInstances {
  /** Scans the table once, so that the server counts the executions; takes some 50 ms. */
  private static final String AGGREGATE =
      "SELECT (SELECT sum(amount) FROM sale), sum(sqrt(g)) FROM generate_series(1, 250000) g";

  private static final int ROUNDS = 5;
  private static final int THREADS = 20;
  private static final String ASKER = "asker";

  @BeforeEach
  void makeTable() throws Exception {
    run(outside, "CREATE TABLE sale (amount int)");
  }

  @Test
  void ofThreeInstancesOneAsks() throws Exception {
    try (LarderInstance three = new LarderInstance(url())) {
      List<LarderInstance> instances = List.of(one, two, three);
      for (LarderInstance instance : instances) {
        sell();
        try (Connection connection = instance.connect(url() + "&ApplicationName=" + ASKER)) {
          askUntilHit(connection, AGGREGATE); // So that it knows how long that takes.
        }
      }
      waitForLong(instances);
      for (int round = 0; round < ROUNDS; round++) {
        sell();
        long before = scans();
        long begun = System.nanoTime();
        stampede(instances, instances.size() + round + 1);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        long executions = scans() - before;
        System.out.printf(
            "stampede: %d instances, %d threads each, %d ms with connecting, %d executions%n",
            instances.size(), THREADS, took, executions);
        assertThat(executions).as("executions at the server").isBetween(1L, 2L);
      }
    }
  }

  /**
   * On a machine that does other things, too, the aggregate may take many times as long as before.
   */
  private static void waitForLong(List<LarderInstance> instances) throws Exception {
    for (LarderInstance instance : instances) {
      instance.waitForFlights(Duration.ofSeconds(10));
    }
  }

  /** Makes all results outdated, and scans nothing. */
  private void sell() throws Exception {
    run(first, "INSERT INTO sale VALUES (1)");
  }

  /** Lets so many threads of each instance ask at once; each must get the right answer. */
  private void stampede(List<LarderInstance> instances, int right) throws Exception {
    List<Connection> connections = new ArrayList<>();
    int all = THREADS * instances.size();
    ExecutorService asking = Executors.newFixedThreadPool(all);
    try {
      for (int i = 0; i < all; i++) {
        LarderInstance instance = instances.get(i % instances.size());
        connections.add(instance.connect(url() + "&ApplicationName=" + ASKER));
      }
      CountDownLatch ready = new CountDownLatch(all);
      List<Future<String>> answers = new ArrayList<>();
      for (Connection connection : connections) {
        answers.add(
            asking.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return ask(connection, AGGREGATE);
                }));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get(2, TimeUnit.MINUTES)).isEqualTo(Integer.toString(right));
      }
    } finally {
      asking.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  /** Returns how often the table was scanned; a session tells that for sure when it ends. */
  private long scans() throws Exception {
    String askers =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + ASKER + "'";
    Waiting.until("nobody asks", () -> "0".equals(ask(outside, askers)));
    return Long.parseLong(
        String.valueOf(
            ask(outside, "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'sale'")));
  }
}
