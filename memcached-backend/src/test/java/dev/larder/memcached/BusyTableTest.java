package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static dev.larder.memcached.LarderInstance.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three instances write one table every few milliseconds, so that there is hardly a moment without
 * a writer, and yet each of them has hits of it: after a start, and after everything was lost.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class BusyTableTest extends TwoInstances {
  private static final int ROUNDS = Integer.getInteger("larder.busy.rounds", 5);

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean running = true;

  /** What a thread does again and again. */
  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  @Test
  void tableThatIsNeverLeftAloneIsHitAfterEverythingWasLost() throws Exception {
    run(outside, "INSERT INTO t VALUES (2, 'a'), (3, 'a')");
    try (LarderInstance three = new LarderInstance(url())) {
      List<LarderInstance> instances = List.of(one, two, three);
      List<Connection> watching = new ArrayList<>();
      for (int i = 0; i < instances.size(); i++) {
        String write = "UPDATE t SET v = v || 'x' WHERE id = " + (i + 1);
        start(instances.get(i), connection -> run(connection, write));
        start(instances.get(i), BusyTableTest::read);
        start(instances.get(i), BusyTableTest::read);
        watching.add(instances.get(i).connect());
      }
      try {
        for (int round = 0; round < ROUNDS; round++) {
          awaitHits(watching);
          assertThat(memcached.ask("flush_all")).isEqualTo("OK");
        }
        awaitHits(watching);
      } finally {
        running = false;
        for (Thread thread : threads) {
          thread.join();
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  private void start(LarderInstance instance, Step step) throws SQLException {
    Connection connection = instance.connect();
    Thread thread =
        new Thread(
            () -> {
              try {
                while (running) {
                  step.run(connection);
                  Waiting.pass(Duration.ofMillis(5));
                }
              } catch (SQLException | AssertionError e) {
                failures.add(e);
              }
            });
    thread.start();
    threads.add(thread);
  }

  private static void read(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT v FROM t WHERE id = ?")) {
      for (int i = 0; i < 100; i++) {
        statement.setInt(1, 1);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
        }
      }
    }
  }

  private void awaitHits(List<Connection> watching) throws Exception {
    long begin = System.nanoTime();
    List<Long> before = new ArrayList<>();
    for (Connection connection : watching) {
      before.add(count(connection, "hits"));
    }
    for (int i = 0; i < watching.size(); i++) {
      Connection connection = watching.get(i);
      long hitsBefore = before.get(i);
      Waiting.until(
          "a hit of each",
          () -> {
            assertThat(failures).as("%s", status(connection)).isEmpty();
            return count(connection, "hits") > hitsBefore;
          });
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    System.out.println("busy table: hits of all after " + millis + " ms");
  }
}
