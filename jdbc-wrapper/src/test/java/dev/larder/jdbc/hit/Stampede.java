package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Many threads that ask at once for an aggregate that is not in the cache, nor ever was. */
final class Stampede {
  /** Scans the table once, so that the server counts the executions; takes some 50 ms. */
  private static final String AGGREGATE =
      "SELECT sum(sqrt(g)), (SELECT sum(amount) FROM sale) FROM generate_series(1, 250000) g";

  private Stampede() {}

  /**
   * Lets so many threads ask at once; each must get the right answer, of two executions at most.
   */
  static void of(int threads, TestDatabase database) throws Exception {
    database.execute("CREATE TABLE sale (amount int)", "INSERT INTO sale VALUES (1), (2)");
    String right;
    try (Connection past = database.connect()) {
      right = LarderProbe.rows(past, AGGREGATE).get(0);
    }
    long before = scans(database);
    List<Connection> connections = new ArrayList<>();
    ExecutorService asking = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 0; i < threads; i++) {
        connections.add(LarderProbe.connect(database));
      }
      long begun = System.nanoTime();
      for (Future<String> answer : askAtOnce(connections, asking)) {
        assertThat(answer.get(2, TimeUnit.MINUTES)).isEqualTo(right);
      }
      System.out.printf(
          "stampede: %d threads, %d ms, misses %d, waits %d%n",
          threads,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
          LarderProbe.count(connections.get(0), "misses"),
          LarderProbe.count(connections.get(0), "flight_waits"));
    } finally {
      asking.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
    assertThat(scans(database) - before).as("executions at the server").isBetween(1L, 2L);
  }

  private static List<Future<String>> askAtOnce(
      List<Connection> connections, ExecutorService asking) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(connections.size());
    CountDownLatch go = new CountDownLatch(1);
    List<Future<String>> answers = new ArrayList<>();
    for (Connection connection : connections) {
      Callable<String> ask =
          () -> {
            ready.countDown();
            go.await();
            return LarderProbe.rows(connection, AGGREGATE).get(0);
          };
      answers.add(asking.submit(ask));
    }
    assertThat(ready.await(2, TimeUnit.MINUTES)).isTrue();
    go.countDown();
    return answers;
  }

  /** Returns how often the table was scanned; a session tells that for sure when it ends. */
  private static long scans(TestDatabase database) throws SQLException {
    String others =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    Waiting.until("nobody else is connected", () -> database.queryString(others).equals("0"));
    return Long.parseLong(
        database.queryString("SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'sale'"));
  }
}
