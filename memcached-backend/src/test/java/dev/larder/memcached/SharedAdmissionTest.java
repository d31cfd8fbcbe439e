package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Admission by profit counts what memcached costs. The measured instance has missed nothing itself:
 * another one has filled memcached before. On the real clock.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
final class SharedAdmissionTest extends TwoInstances {
  /** Some milliseconds at the database. */
  private static final String CHEAP = "SELECT count(*) FROM number WHERE i % 20 = ? AND i <= 20000";

  /** Many times as long, and longer than two round trips by the slow way. */
  private static final String EXPENSIVE =
      "SELECT count(*) FROM number WHERE i % 20 = ? AND md5(repeat(i::text, 1000)) <> ''";

  private static final int KEYS = 20;
  private static final int NUMBERS = 200_000;
  private static final Duration SLOW = Duration.ofMillis(15);
  private static final Duration THOUGHT = Duration.ofMillis(2);
  private static final Duration NOTICED = Duration.ofMinutes(4);

  private final List<FutureTask<Boolean>> readers = new ArrayList<>();
  private TornProxy way;
  private volatile boolean ended;

  @Override
  void startServers() throws Exception {
    super.startServers();
    way = new TornProxy(memcached.address());
  }

  @Override
  String url() {
    return super.url()
        .replace("&larder.admission=all", "")
        .replace(MemcachedServer.text(memcached.address()), MemcachedServer.text(way.address()));
  }

  @BeforeEach
  void fill() throws Exception {
    run(
        outside,
        "CREATE TABLE number AS SELECT i FROM generate_series(1, "
            + NUMBERS
            + ") i; ALTER TABLE number ADD PRIMARY KEY (i)");
    run(outside, "VACUUM ANALYZE number");
    for (String sql : List.of(CHEAP, EXPENSIVE)) {
      for (int key = 0; key < KEYS; key++) {
        int asked = key;
        Waiting.until(
            "it is shared",
            () -> {
              long before = LarderInstance.count(first, "hits");
              read(first, sql, asked);
              return LarderInstance.count(first, "hits") > before;
            });
      }
    }
  }

  @AfterEach
  void endReaders() throws Exception {
    ended = true;
    for (FutureTask<Boolean> reader : readers) {
      reader.get(1, TimeUnit.MINUTES);
    }
    way.close();
  }

  private static void read(Connection connection, String sql, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo((sql.equals(CHEAP) ? 20_000 : NUMBERS) / KEYS);
      }
    }
  }

  private void startReader(String sql) throws SQLException {
    Connection connection = two.connect();
    FutureTask<Boolean> reader =
        new FutureTask<>(
            () -> {
              while (!ended) {
                read(connection, sql, ThreadLocalRandom.current().nextInt(KEYS));
                Waiting.pass(THOUGHT); // Or hits of the one would leave no processor to the other.
              }
              return true;
            });
    readers.add(reader);
    Thread thread = new Thread(reader, "reader");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns a column of SHOW larder.queries. */
  private String shown(String sql, String column) throws SQLException {
    try (Statement statement = second.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.queries")) {
      while (rows.next()) {
        String query = rows.getString("query");
        if (query.contains("FROM number") && query.contains("md5") == sql.contains("md5")) {
          return String.valueOf(rows.getString(column));
        }
      }
      return "";
    }
  }

  private void awaitState(String state) throws SQLException {
    long begun = System.nanoTime();
    Waiting.until(
        NOTICED,
        () -> state + ", but " + described(CHEAP),
        () -> shown(CHEAP, "admission").equals(state));
    System.out.printf(
        "admission: %s after %.1f s, as %s%n",
        state, (System.nanoTime() - begun) / 1e9, shown(CHEAP, "profit_because"));
    assertThat(shown(EXPENSIVE, "admission")).as(described(EXPENSIVE)).isEqualTo("admitted");
  }

  private String described(String sql) {
    try {
      return shown(sql, "admission") + ": " + shown(sql, "profit_because");
    } catch (SQLException e) {
      return e.toString();
    }
  }

  @Test
  void aShapeIsLeftAloneWhileMemcachedIsSlowerThanTheDatabase() throws Exception {
    for (String sql : List.of(CHEAP, CHEAP, EXPENSIVE, EXPENSIVE)) {
      startReader(sql);
    }
    Waiting.until(
        "hits of both",
        () -> !shown(CHEAP, "hits").isEmpty() && !shown(EXPENSIVE, "hits").isEmpty());
    way.delay(SLOW);
    awaitState("probed");
    assertThat(shown(CHEAP, "profit_micros_per_second")).startsWith("-");
    way.delay(Duration.ZERO);
    awaitState("admitted");
  }
}
