package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Three instances write and read while memcached fails. Each row counts its writes, in two tables
 * by one transaction. A read must not return less than what somebody knew before it began: by a
 * commit that had returned, or by another read, of whichever instance. And both tables must agree.
 *
 * <p>{@code -Dlarder.history.seconds=60} makes it longer, {@code -Dlarder.history.seed} repeats
 * one.
 */
class SharedHistoryTest extends TwoInstances {
  private static final long SECONDS = Long.getLong("larder.history.seconds", 12);
  private static final long SEED = Long.getLong("larder.history.seed", System.nanoTime());
  private static final int ROWS = 4;

  /** The states of errors that a writer may meet: its transaction was rolled back, or is lost. */
  private static final Set<String> EXPECTED = Set.of("40001", "40P01", "08006", "08003", "57P01");

  private final AtomicLongArray known = new AtomicLongArray(ROWS);
  private final Queue<String> anomalies = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder reads = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private LarderInstance three;
  private volatile boolean running = true;

  @BeforeEach
  void createTables() throws Exception {
    three = new LarderInstance(url());
    for (String table : new String[] {"a", "b"}) {
      run(outside, "CREATE TABLE " + table + " (id int PRIMARY KEY, n bigint)");
      run(outside, "INSERT INTO " + table + " SELECT i, 0 FROM generate_series(0, 3) i");
    }
    run(
        outside,
        "CREATE PROCEDURE count_up(which int) LANGUAGE sql AS"
            + " 'UPDATE a SET n = n + 1 WHERE id = which; UPDATE b SET n = n + 1 WHERE id = which'");
    run(
        outside,
        "CREATE FUNCTION counted_up(which int) RETURNS bigint LANGUAGE sql AS"
            + " 'UPDATE a SET n = n + 1 WHERE id = which; UPDATE b SET n = n + 1 WHERE id = which"
            + " RETURNING n'");
  }

  @AfterEach
  void closeThird() throws Exception {
    three.close();
  }

  @Override
  String url() {
    return url("failCommit", "larder.memcached.timeout=500ms");
  }

  /** Does something bad. */
  private interface Fault {
    void happen(Random random) throws Exception;
  }

  @Test
  void noReadIsOlderThanWhatWasKnownWhileMemcachedFails() throws Exception {
    check(
        random -> {
          switch (random.nextInt(4)) {
            case 0 -> {
              memcached.kill();
              memcached.restart();
            }
            case 1 -> {
              memcached.suspend();
              TimeUnit.MILLISECONDS.sleep(600);
              memcached.resume();
            }
            case 2 -> memcached.ask("flush_all");
            default -> TimeUnit.MILLISECONDS.sleep(200);
          }
        });
  }

  @Test
  void noReadIsOlderThanWhatWasKnownWhileSessionsAndVersionsAreLost() throws Exception {
    check(
        random -> {
          try (Statement statement = outside.createStatement()) {
            statement.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <>"
                    + " pg_backend_pid() AND backend_type = 'client backend' ORDER BY random()"
                    + " LIMIT 1");
          }
          if (random.nextInt(3) == 0) {
            memcached.ask("flush_all");
          }
        });
  }

  private void check(Fault fault) throws Exception {
    System.out.println("history: seed " + SEED + " (-Dlarder.history.seed), " + SECONDS + " s");
    LarderInstance[] instances = {one, two, three};
    for (int i = 0; i < instances.length; i++) {
      LarderInstance instance = instances[i];
      start(new Random(SEED + i), instance, (random, connection) -> write(random, connection));
      for (int reader = 0; reader < 2; reader++) {
        start(
            new Random(SEED + 10L * reader + i),
            instance,
            (random, connection) -> read(random, connection));
      }
    }
    Random random = new Random(SEED);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end && anomalies.isEmpty() && failures.isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(1_500));
      fault.happen(random);
    }
    running = false;
    for (Thread thread : threads) {
      thread.join(60_000);
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(anomalies).as("seed %s", SEED).isEmpty();
    assertThat(failures).as("seed %s", SEED).isEmpty();

    for (LarderInstance instance : instances) {
      Connection connection = instance.connect();
      System.out.println("history: " + LarderInstance.status(connection));
      assertThat(count(connection, "hits")).as("hits meanwhile").isPositive();
      for (int row = 0; row < ROWS; row++) {
        askUntilHit(connection, "SELECT n FROM a WHERE id = " + row);
      }
    }
    System.out.printf(
        "history: %,d reads, %,d commits, %,d refused%n",
        reads.sum(), commits.sum(), refused.sum());
    assertThat(commits.sum()).isPositive();
  }

  /** One step of a client. */
  private interface Step {
    void run(Random random, Connection connection) throws SQLException;
  }

  private void start(Random random, LarderInstance instance, Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work(random, instance, step);
              } catch (Exception | AssertionError e) {
                failures.add(e);
              }
            });
    threads.add(thread);
    thread.start();
  }

  private void work(Random random, LarderInstance instance, Step step) throws SQLException {
    Connection connection = null;
    while (running && anomalies.isEmpty()) {
      try {
        if (connection == null || connection.isClosed()) {
          connection = instance.connect();
        }
        step.run(random, connection);
      } catch (SQLException e) {
        if (e.getSQLState() == null || !EXPECTED.contains(e.getSQLState())) {
          throw e;
        }
        refused.increment();
        if (connection != null && !connection.isClosed()) {
          recover(connection);
        }
      }
    }
  }

  private static void recover(Connection connection) throws SQLException {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      connection.abort(Runnable::run);
    }
  }

  private void write(Random random, Connection connection) throws SQLException {
    int row = random.nextInt(ROWS);
    switch (random.nextInt(40)) {
      case 0 -> {
        run(connection, "CALL count_up(" + row + ")");
        commits.increment();
      }
      case 1 -> know(row, Long.parseLong(one(connection, "SELECT counted_up(" + row + ")")));
      case 2 -> {
        run(
            connection,
            "BEGIN; UPDATE a SET n = n + 1 WHERE id = "
                + row
                + "; UPDATE b SET n = n + 1 WHERE id = "
                + row
                + "; COMMIT");
        commits.increment();
      }
      case 3, 4, 5, 6 -> {
        connection.setAutoCommit(false);
        countUp(connection, row);
        connection.rollback();
        connection.setAutoCommit(true);
      }
      default -> {
        connection.setAutoCommit(false);
        long n = countUp(connection, row);
        connection.commit();
        connection.setAutoCommit(true);
        know(row, n);
      }
    }
    pause(random);
  }

  private static void pause(Random random) {
    try {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long countUp(Connection connection, int row) throws SQLException {
    run(connection, "UPDATE a SET n = n + 1 WHERE id = " + row);
    return Long.parseLong(
        one(connection, "UPDATE b SET n = n + 1 WHERE id = " + row + " RETURNING n"));
  }

  private static String one(Connection connection, String sql) throws SQLException {
    return String.valueOf(LarderInstance.ask(connection, sql));
  }

  /** Notes what everybody may count on from now on. */
  private void know(int row, long n) {
    known.accumulateAndGet(row, n, Math::max);
    commits.increment();
  }

  private void read(Random random, Connection connection) throws SQLException {
    int row = random.nextInt(ROWS);
    long least = known.get(row);
    String sql =
        switch (random.nextInt(3)) {
          case 0 -> "SELECT n, n FROM a WHERE id = ?";
          case 1 -> "SELECT n, n FROM b WHERE id = ?";
          default -> "SELECT a.n, b.n FROM a JOIN b USING (id) WHERE id = ?";
        };
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, row);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        long n = rows.getLong(1);
        if (n < least || n != rows.getLong(2)) {
          anomalies.add(
              sql
                  + " of row "
                  + row
                  + " is "
                  + n
                  + ", "
                  + rows.getLong(2)
                  + "; known was "
                  + least);
        }
        known.accumulateAndGet(row, n, Math::max);
        reads.increment();
      }
    }
  }
}
