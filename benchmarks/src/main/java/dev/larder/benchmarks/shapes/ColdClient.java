package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An application in the first seconds of its life: a JVM of its own that sends statements of some
 * sixty shapes at a steady rate, nine reads to a write, and says after each second how many it has
 * done and how much processor time it has taken since it began. {@link #run} starts that JVM.
 */
final class ColdClient {
  /** More than a JVM takes to start and to end. */
  private static final long SPARE_SECONDS = 60;

  private static final int THREADS = 4;
  private static final int SHAPES = 60;
  private static final int KEYS = 2_000;
  private static final int WRITES = 10;

  private ColdClient() {}

  /**
   * How far it was after a second.
   *
   * @param statements how many were done
   * @param processorMillis what the JVM has taken, its compilers and collectors included
   */
  record Second(long statements, long processorMillis) {
    static Second parse(String line) {
      String[] parts = line.split(" ", -1);
      return new Second(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }
  }

  /**
   * Starts it, and waits for its end.
   *
   * @param limit what stands before the command, as {@code taskset}
   * @param rate how many statements a second it tries to send
   * @throws IOException if it has failed
   */
  static List<Second> run(List<String> limit, String url, int seconds, int rate)
      throws IOException, InterruptedException {
    Path printed = Files.createTempFile("cold", ".txt");
    Process process =
        new ProcessBuilder(command(limit, url, seconds, rate))
            .redirectOutput(printed.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      if (!process.waitFor(seconds + SPARE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("The application does not end.");
      }
      if (process.exitValue() != 0) {
        throw new IOException("The application has failed.");
      }
      return Files.readAllLines(printed).stream().map(Second::parse).toList();
    } finally {
      process.destroyForcibly();
      Files.delete(printed);
    }
  }

  private static List<String> command(List<String> limit, String url, int seconds, int rate) {
    List<String> command = new ArrayList<>(limit);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            ColdClient.class.getName(),
            url,
            Integer.toString(seconds),
            Integer.toString(rate)));
    return command;
  }

  /** Runs in the JVM of its own: URL, seconds and rate. */
  public static void main(String[] args) throws Exception {
    long begun = System.nanoTime();
    int seconds = Integer.parseInt(args[1]);
    long period = TimeUnit.SECONDS.toNanos(1) * THREADS / Integer.parseInt(args[2]);
    AtomicLong done = new AtomicLong();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> work(args[0], number, period, done));
      thread.setDaemon(true);
      thread.start();
    }
    PrintStream out = System.out;
    for (int second = 1; second <= seconds; second++) {
      long due = begun + TimeUnit.SECONDS.toNanos(second);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      out.println(done.get() + " " + processorMillis());
    }
    if (done.get() == 0) {
      System.exit(1);
    }
  }

  private static long processorMillis() {
    return TimeUnit.NANOSECONDS.toMillis(
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime());
  }

  /** Sends what is due; what is late is not left out. */
  private static void work(String url, int number, long period, AtomicLong done) {
    SplittableRandom random = new SplittableRandom(number);
    try (Connection connection = DriverManager.getConnection(url)) {
      long due = System.nanoTime();
      while (true) {
        send(connection, random);
        done.incrementAndGet();
        due += period;
        long early = due - System.nanoTime();
        if (early > 0) {
          LockSupport.parkNanos(early);
        }
      }
    } catch (SQLException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void send(Connection connection, SplittableRandom random) throws SQLException {
    int shape = random.nextInt(SHAPES);
    // Half of all is about a tenth of the keys.
    int key = 1 + random.nextInt(random.nextBoolean() ? KEYS : KEYS / 10);
    boolean writes = random.nextInt(WRITES) == 0;
    String sql = writes ? "UPDATE account SET abalance = abalance + 1 WHERE aid = ?" : read(shape);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key);
      if (writes) {
        statement.executeUpdate();
        return;
      }
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next() || rows.getInt(1) < 0) {
          throw new SQLException("There is no row.");
        }
      }
    }
  }

  private static String read(int shape) {
    return switch (shape % 3) {
      case 0 -> "SELECT aid, bid, abalance AS c" + shape + ", filler FROM account WHERE aid = ?";
      case 1 ->
          "SELECT a.aid, b.abalance AS c"
              + shape
              + " FROM account a JOIN account b ON b.aid = a.aid WHERE a.aid = ? AND a.bid >= 0"
              + " ORDER BY a.aid LIMIT 10";
      default ->
          "SELECT count(*) AS c"
              + shape
              + ", coalesce(max(abalance), 0) AS most FROM account"
              + " WHERE aid IN (?, 7, 77) AND filler IS NOT NULL";
    };
  }
}
