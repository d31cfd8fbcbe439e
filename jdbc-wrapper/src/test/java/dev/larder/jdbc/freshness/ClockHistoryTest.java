package dev.larder.jdbc.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sessions that read the clock in many ways: none goes back, and no answer is older than said. */
final class ClockHistoryTest {
  private static final int SESSIONS = 4;
  private static final long SEED = Long.getLong("larder.clock.seed", System.nanoTime());
  private static final long NANOS =
      TimeUnit.SECONDS.toNanos(Integer.getInteger("larder.clock.seconds", 4));

  /** What tells the time in microseconds, and the number in the table. */
  private static final String[] QUERIES = {
    "SELECT (extract(epoch FROM clock_timestamp()) * 1e6)::bigint, n FROM item",
    "SELECT (extract(epoch FROM now()) * 1e6)::bigint, n FROM item WHERE id < 5",
    "SELECT (extract(epoch FROM current_timestamp) * 1e6)::bigint, n FROM item ORDER BY n",
    "SELECT us, n FROM told"
  };

  /** For how many milliseconds results may be used. */
  private static final int[] AGES = {5, 50, 400};

  private TestDatabase database;

  @Test
  void noSessionGoesBackAndNoAnswerIsTooOld() throws Exception {
    try (TestDatabase made = TestDatabase.create()) {
      database = made;
      database.execute(
          "CREATE TABLE item (id int PRIMARY KEY, n int)",
          "INSERT INTO item VALUES (1, 0)",
          "CREATE TABLE other (id int, us bigint DEFAULT extract(epoch FROM now()) * 1e6)",
          "CREATE VIEW told AS SELECT (extract(epoch FROM now()) * 1e6)::bigint AS us, n FROM item",
          "CREATE FUNCTION us() RETURNS bigint LANGUAGE sql"
              + " AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1e6)::bigint'");
      ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < SESSIONS; i++) {
        Callable<Long> session = new Session(i);
        all.add(threads.submit(session));
      }
      long hits = 0;
      for (Future<Long> each : all) {
        hits = Math.max(hits, each.get());
      }
      threads.shutdown();
      assertThat(hits).as("hits, seed %s", SEED).isPositive();
    }
  }

  private static long micros() {
    return System.currentTimeMillis() * 1_000;
  }

  private final class Session implements Callable<Long> {
    private final Random random;
    private long last;
    private long lastNumber;

    Session(int number) {
      random = new Random(SEED + number);
    }

    @Override
    public Long call() throws SQLException {
      try (Connection connection =
          LarderProbe.connect(database, "larder.admission=all", "larder.name=clock")) {
        long end = System.nanoTime() + NANOS;
        while (System.nanoTime() - end < 0) {
          step(connection);
        }
        return LarderProbe.hits(connection);
      }
    }

    private void step(Connection connection) throws SQLException {
      switch (random.nextInt(40)) {
        case 0 -> run(connection, "UPDATE item SET n = n + 1");
        case 1 -> read(connection, "INSERT INTO other VALUES (1) RETURNING us, -1", 0);
        case 2 -> read(connection, "SELECT us(), -1", 0);
        case 3 -> read(connection, QUERIES[random.nextInt(QUERIES.length)], 0);
        case 4 -> inTransaction(connection);
        case 5 -> {
          run(connection, "SET larder.staleness = '50ms'");
          read(connection, QUERIES[random.nextInt(QUERIES.length)], 50);
          run(connection, "RESET larder.staleness");
        }
        default -> {
          int age = AGES[random.nextInt(AGES.length)];
          String query = QUERIES[random.nextInt(QUERIES.length)];
          read(connection, "/* larder:stale=" + age + "ms */ " + query, age);
        }
      }
    }

    private void inTransaction(Connection connection) throws SQLException {
      connection.setAutoCommit(false);
      long age = AGES[2];
      read(connection, "/* larder:stale=" + age + "ms */ " + QUERIES[0], 0);
      read(connection, "SELECT us(), -1", 0);
      connection.commit();
      connection.setAutoCommit(true);
    }

    private static void run(Connection connection, String sql) throws SQLException {
      LarderProbe.run(connection, sql);
    }

    private void read(Connection connection, String sql, long ageMillis) throws SQLException {
      long before = micros();
      if (random.nextBoolean()) {
        try (PreparedStatement statement = connection.prepareStatement(sql);
            ResultSet rows = statement.executeQuery()) {
          check(rows, sql, before - ageMillis * 1_000);
        }
      } else {
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery(sql)) {
          check(rows, sql, before - ageMillis * 1_000);
        }
      }
    }

    private void check(ResultSet rows, String sql, long oldest) throws SQLException {
      assertThat(rows.next()).isTrue();
      long told = rows.getLong(1);
      long number = rows.getLong(2);
      assertThat(told).as("%s, seed %s", sql, SEED).isBetween(oldest - 1_000, micros() + 1_000);
      assertThat(told).as("backwards: %s, seed %s", sql, SEED).isGreaterThanOrEqualTo(last);
      last = told;
      if (number >= 0) {
        assertThat(number)
            .as("rows back: %s, seed %s", sql, SEED)
            .isGreaterThanOrEqualTo(lastNumber);
        lastNumber = number;
      }
    }
  }
}
