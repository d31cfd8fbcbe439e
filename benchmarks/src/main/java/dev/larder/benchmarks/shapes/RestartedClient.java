package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * An application that has just been started: a JVM of its own, two connections of which look
 * accounts up at random, the same ones whatever is measured, and which counts how many were
 * answered in each tenth of a second since it began to connect. {@link #run} starts that JVM; its
 * counts are what it prints.
 */
final class RestartedClient {
  static final int CONNECTIONS = 2;

  /** How many counts there are of each second. */
  static final int COUNTS_A_SECOND = 10;

  private static final long NANOS_A_COUNT = TimeUnit.SECONDS.toNanos(1) / COUNTS_A_SECOND;

  /** More than a JVM takes to start and to end. */
  private static final long SPARE_SECONDS = 60;

  private static final long SEED = 2010;

  /** What it does besides looking accounts up. */
  enum Start {
    /** Nothing. */
    AT_ONCE,
    /** Has the server read the pages before, which counts as part of the start. */
    PREWARMED,
    /** Fails unless most of its results were there already, in memcached. */
    SHARED
  }

  private RestartedClient() {}

  /**
   * Starts it for {@code seconds} from its first attempt to connect, and waits for its end.
   *
   * @return how many lookups were answered in each tenth of a second
   * @throws IOException if it has failed, as it does after a wrong row; it says why on the standard
   *     error of this JVM
   */
  static List<Long> run(String url, Start start, int seconds)
      throws IOException, InterruptedException {
    Path counts = Files.createTempFile("restarted", ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-D" + Postgres.ROWS_OPTION + "=" + ColdAccounts.ROWS,
                "-cp",
                System.getProperty("java.class.path"),
                RestartedClient.class.getName(),
                url,
                start.name(),
                Integer.toString(seconds))
            .redirectOutput(counts.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      if (!process.waitFor(seconds + SPARE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("The restarted application does not end.");
      }
      if (process.exitValue() != 0) {
        throw new IOException("The restarted application has failed.");
      }
      return Files.readAllLines(counts).stream().map(Long::valueOf).toList();
    } finally {
      process.destroyForcibly();
      Files.delete(counts);
    }
  }

  /** Runs in the JVM of its own: URL, start and seconds. */
  public static void main(String[] args) throws Exception {
    String url = args[0];
    Start start = Start.valueOf(args[1]);
    int all = Integer.parseInt(args[2]) * COUNTS_A_SECOND;
    long[][] counts = new long[CONNECTIONS][all];
    long began = System.nanoTime();
    Variant variant = new Variant(start.name(), () -> DriverManager.getConnection(url));
    try (Crew crew = new Crew(variant, CONNECTIONS)) {
      if (start == Start.PREWARMED) {
        ColdAccounts.prewarm(crew.first());
      }
      crew.run((connection, thread) -> lookUp(connection, thread, began, counts[thread]));
      if (start == Start.SHARED) {
        checkShared(crew.first());
      }
    }
    PrintStream out = System.out;
    for (int i = 0; i < all; i++) {
      long sum = 0;
      for (long[] ofThread : counts) {
        sum += ofThread[i];
      }
      out.println(sum);
    }
  }

  /** Looks accounts up until {@code counts} is over. */
  private static long lookUp(Connection connection, int thread, long began, long[] counts)
      throws SQLException {
    SplittableRandom random = new SplittableRandom(SEED + thread);
    long lookups = 0;
    while (true) {
      ColdAccounts.lookUp(connection, random.nextInt(ColdAccounts.LOOKED_UP));
      long at = (System.nanoTime() - began) / NANOS_A_COUNT;
      if (at >= counts.length) {
        return lookups;
      }
      counts[(int) at]++;
      lookups++;
    }
  }

  /** The figure is worth nothing unless results have outlived the restart. */
  private static void checkShared(Connection connection) throws SQLException {
    long found = Postgres.count(connection, "remote_hits");
    long misses = Postgres.count(connection, "misses");
    if (found <= misses) {
      throw new SQLException(
          found + " results have outlived the restart, and " + misses + " were missing.");
    }
  }
}
