package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that has just been started: a JVM of its own, with one connection that asks for
 * reports at a steady rate, the n-th report 1/n as often as the first, and writes a row now and
 * then. {@link #run} starts that JVM; what became of each second is what it prints.
 */
final class ReportReader {
  static final int REPORTS = 1_000;
  static final int QUERIES_A_SECOND = 50;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int FILLS = 20_000;

  /** More than a JVM takes to start and to end. */
  private static final long SPARE_SECONDS = 120;

  private static final String REPORT =
      "SELECT count(*), sum(amount), min(note) FROM sale WHERE shop = ?";

  private ReportReader() {}

  /** Makes what the reports are of: as many rows of each shop. */
  static void create(Postgres postgres) throws SQLException {
    postgres.execute(
        "CREATE TABLE sale (id int PRIMARY KEY, shop int, amount int, note text)",
        "INSERT INTO sale SELECT i, i % "
            + REPORTS
            + ", i % 7, 'sale ' || i FROM generate_series(0, 99999) i",
        "CREATE INDEX ON sale (shop)",
        "VACUUM ANALYZE");
  }

  /**
   * What became of the reports of a second.
   *
   * @param asked how many were asked for
   * @param missed how many of these the database has answered
   */
  record Second(long asked, long missed) {
    double hitRatio() {
      return asked == 0 ? 0 : 1 - (double) missed / asked;
    }
  }

  /** Asks for reports as fast as may be, until the hot ones are hits, and ends. */
  static void fill(String url) throws IOException, InterruptedException {
    List<Second> unused = run(url, 0);
  }

  /**
   * Starts it for {@code seconds} from its first attempt to connect, and waits for its end.
   *
   * @throws IOException if it has failed; it says why on the standard error of this JVM
   */
  static List<Second> run(String url, int seconds) throws IOException, InterruptedException {
    Path counts = Files.createTempFile("reports", ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dlarder.warmup.folder=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                ReportReader.class.getName(),
                url,
                Integer.toString(seconds))
            .redirectOutput(counts.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      if (!process.waitFor(seconds + SPARE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("The application has failed, or does not end.");
      }
      List<Second> all = new ArrayList<>();
      for (String line : Files.readAllLines(counts)) {
        String[] numbers = line.split(" ", -1);
        all.add(new Second(Long.parseLong(numbers[0]), Long.parseLong(numbers[1])));
      }
      return all;
    } finally {
      process.destroyForcibly();
      Files.delete(counts);
    }
  }

  /** Runs in the JVM of its own: URL and seconds, 0 to fill. */
  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[1]);
    SplittableRandom random = new SplittableRandom(seconds);
    long began = System.nanoTime();
    PrintStream out = System.out;
    try (Connection connection = DriverManager.getConnection(args[0])) {
      for (int i = 0; seconds == 0 && i < FILLS; i++) {
        ask(connection, report(random));
      }
      long missed = 0;
      for (int second = 1; second <= seconds; second++) {
        long asked = 0;
        for (long due = 0; asked < QUERIES_A_SECOND; asked++) {
          due = began + (second - 1) * SECOND_NANOS + asked * SECOND_NANOS / QUERIES_A_SECOND;
          LockSupport.parkNanos(due - System.nanoTime());
          ask(connection, report(random));
        }
        write(connection, report(random));
        long now = Postgres.count(connection, "misses") + Postgres.count(connection, "bypasses");
        out.println(asked + " " + (now - missed));
        missed = now;
      }
    }
  }

  /** Returns a report from 0 on, as Zipf's law has it. */
  private static int report(SplittableRandom random) {
    // The integral of 1/x, turned round.
    return (int) Math.exp(random.nextDouble() * Math.log(REPORTS + 1)) - 1;
  }

  private static void ask(Connection connection, int report) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REPORT)) {
      statement.setInt(1, report);
      statement.executeQuery().close();
    }
  }

  /** Changes a row that some report shows. */
  private static void write(Connection connection, int report) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE sale SET amount = amount + 1 WHERE shop = ? AND id = ?")) {
      statement.setInt(1, report);
      statement.setInt(2, report);
      statement.executeUpdate();
    }
  }
}
