package dev.larder.examples.followed;

import dev.larder.examples.JavaProcess;
import dev.larder.examples.Postgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Three processes with a change feed and without memcached: this one writes prices through Larder,
 * two others read them from their caches as often as they can. It prints how long after the
 * acknowledgement of a write the others answered with it.
 */
public final class Followed {
  /** How many rows there are. */
  static final int PRODUCTS = 20;

  private static final int FOLLOWERS = 2;
  private static final int WRITES = 400;
  private static final int BETWEEN_WRITES_MILLIS = 20;
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private Followed() {}

  /** Runs the example, and ends with 1 if an answer was older than the bound. */
  public static void main(String[] arguments)
      throws IOException, SQLException, InterruptedException {
    if (run() > 0) {
      System.exit(1);
    }
  }

  /** Runs the example, and returns how many answers were older than the bound. */
  static long run() throws IOException, SQLException, InterruptedException {
    System.out.println("Starting PostgreSQL and two processes on the loopback ...");
    List<Process> processes = new ArrayList<>();
    try (Postgres postgres = Postgres.startFollowed()) {
      create(postgres.url());
      try (Connection connection = DriverManager.getConnection(postgres.followingUrl())) {
        List<BufferedReader> outputs = new ArrayList<>();
        for (int i = 0; i < FOLLOWERS; i++) {
          Process process = JavaProcess.start(Follower.class, postgres.followingUrl());
          processes.add(process);
          outputs.add(
              new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        }
        for (BufferedReader output : outputs) {
          if (!Follower.READY.equals(output.readLine())) {
            throw new IOException("a process does not start");
          }
        }
        long[][] acknowledged = write(connection);
        return new Sightings(acknowledged, BOUND_NANOS).read(processes, outputs);
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static void create(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE product (id int PRIMARY KEY, version bigint NOT NULL)");
      statement.execute("INSERT INTO product SELECT i, 0 FROM generate_series(1, 20) i");
      statement.execute("CREATE PUBLICATION larder FOR TABLE product");
    }
  }

  /** Returns when each version of each product was acknowledged, by {@link System#nanoTime}. */
  private static long[][] write(Connection connection) throws SQLException, InterruptedException {
    System.out.println(
        String.format(
            Locale.ROOT,
            "This process changes a price every %d ms, %d times; two others read all of them.",
            BETWEEN_WRITES_MILLIS,
            WRITES));
    long[][] acknowledged = new long[PRODUCTS + 1][WRITES / PRODUCTS + 1];
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE product SET version = ? WHERE id = ?")) {
      for (int i = 0; i < WRITES; i++) {
        int product = 1 + i % PRODUCTS;
        int version = 1 + i / PRODUCTS;
        update.setLong(1, version);
        update.setInt(2, product);
        update.executeUpdate();
        acknowledged[product][version] = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(BETWEEN_WRITES_MILLIS);
      }
    }
    // Whoever is late is seen to be.
    TimeUnit.NANOSECONDS.sleep(2 * BOUND_NANOS);
    return acknowledged;
  }
}
