package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.status;

import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * One JVM of a fleet: two threads read and one counts its own row up, until the input ends. It says
 * when hits begin and when they end, and in the end what became of its statements.
 */
final class FleetClient {
  /** What is said once there are hits, and once there are none any more. */
  static final String HITTING = "hitting";

  static final String SWITCHED_OFF = "switched off";

  private static final String READ = "SELECT n FROM quiet WHERE id = ?";
  private static final String READ_OWN = "SELECT n FROM t WHERE id = ?";

  private final String url;
  private final int row;
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private volatile boolean running = true;

  private FleetClient(String url, int row) {
    this.url = url;
    this.row = row;
  }

  /** Works; the arguments are Larder's URL and the row to write. */
  public static void main(String[] arguments) throws Exception {
    new FleetClient(arguments[0], Integer.parseInt(arguments[1])).work();
  }

  /** What a thread does again and again. */
  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  private void work() throws Exception {
    List<Thread> threads = new ArrayList<>();
    threads.add(start(this::write));
    threads.add(start(this::read));
    threads.add(start(this::read));
    Thread watcher = new Thread(this::watch);
    watcher.setDaemon(true);
    watcher.start();
    while (System.in.read() >= 0) {
      // Nothing is said but that it ends.
    }
    running = false;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("row " + row + ": " + writes.sum() + " written, " + wrong.sum() + " wrong");
  }

  private Thread start(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try (Connection connection = DriverManager.getConnection(url)) {
                while (running) {
                  step.run(connection);
                }
              } catch (SQLException e) {
                System.out.println("failed: " + e);
              }
            });
    thread.start();
    return thread;
  }

  /** Its own row is as it was left, which nobody else writes. */
  private void write(Connection connection) throws SQLException {
    long before = read(connection, READ_OWN, row);
    connection.setAutoCommit(false);
    LarderInstance.run(connection, "UPDATE t SET n = n + 1 WHERE id = " + row);
    connection.commit();
    connection.setAutoCommit(true);
    writes.increment();
    if (before != writes.sum() - 1 || read(connection, READ_OWN, row) != writes.sum()) {
      wrong.increment();
    }
    pause();
  }

  private void read(Connection connection) throws SQLException {
    for (int i = 0; i < 100; i++) {
      read(connection, READ, 1);
    }
    pause();
  }

  private long read(Connection connection, String sql, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        reads.increment();
        return rows.getLong(1);
      }
    }
  }

  private static void pause() {
    Waiting.pass(Duration.ofMillis(5));
  }

  private void watch() {
    try (Connection connection = DriverManager.getConnection(url)) {
      boolean hitting = false;
      while (running) {
        long hits = LarderInstance.count(connection, "hits");
        long readsBefore = reads.sum();
        while (running && reads.sum() < readsBefore + 1_000) {
          pause();
        }
        boolean hit = LarderInstance.count(connection, "hits") > hits;
        boolean enabled = "t".equals(status(connection).get("enabled"));
        if (hit == enabled && hit != hitting) {
          hitting = hit;
          System.out.println(hit ? HITTING : SWITCHED_OFF);
        }
      }
    } catch (SQLException e) {
      System.out.println("failed: " + e);
    }
  }
}
