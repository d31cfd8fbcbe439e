package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.shapes.RestartedClient.Start;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * PgFincore's shape: two connections look accounts up at random right after a restart, while no
 * page of them is in memory. The application is restarted and the pages are cold; the server goes
 * on running, because results in memcached belong to one run of it, and nothing of before would be
 * hit after another start.
 */
public final class WarmStart implements Experiment {
  private static final String NAME = "warm-start";
  private static final String THROUGHPUT = "throughput";
  private static final String SECONDS = "seconds";
  private static final String RESIDENT = "resident";
  private static final String ROWS = "rows";

  /** More of the pages than this in the page cache is no cold start. */
  private static final double COLD = 0.05;

  private static final int SERVER_CONNECTIONS = 50;
  private static final long LONGEST_FILL_NANOS = 120_000_000_000L;

  /**
   * What is restarted.
   *
   * @param label its name on the figure
   * @param url by which it connects
   * @param start what it does besides looking accounts up
   */
  private record Application(String label, String url, Start start) {}

  /** For the command. */
  public WarmStart() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(8L + (steps(scale) - 1) * (seconds(scale) + 1L));
  }

  @Override
  public int steps(Scale scale) {
    return 1 + (hasMemcached() ? 4 : 3);
  }

  private static int seconds(Scale scale) {
    return scale.of(4, 10);
  }

  private static boolean hasMemcached() {
    return ServerProcess.isInstalled(ServerProcess.MEMCACHED);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    int port = ServerProcess.freePort();
    ServerProcess memcached = hasMemcached() ? ServerProcess.memcached(port) : null;
    try (Postgres postgres = new Postgres(SERVER_CONNECTIONS)) {
      ColdAccounts.create(postgres);
      String shared = memcached == null ? null : postgres.larderMemcachedUrl(NAME, port);
      // It makes an extension, and what is shared does not survive DDL.
      List<Application> applications = applications(postgres, shared);
      if (shared != null) {
        fill(shared);
      }
      progress.step(NAME + ": " + ColdAccounts.ROWS + " accounts");
      for (Application application : applications) {
        restart(application, postgres, seconds(scale), results);
        progress.step(NAME + ": " + application.label);
      }
    } finally {
      if (memcached != null) {
        memcached.close();
      }
    }
  }

  private static List<Application> applications(Postgres postgres, @Nullable String shared)
      throws SQLException {
    List<Application> all = new ArrayList<>();
    all.add(new Application(Servers.DIRECT, postgres.url(), Start.AT_ONCE));
    if (ColdAccounts.canPrewarm(postgres)) {
      all.add(new Application("pg_prewarm", postgres.url(), Start.PREWARMED));
    }
    if (shared != null) {
      all.add(new Application(Servers.LARDER_MEMCACHED, shared, Start.SHARED));
    }
    all.add(new Application(Servers.LARDER, postgres.larderUrl(NAME), Start.AT_ONCE));
    return all;
  }

  /** Looks everything up that will be, until all of it is hit. */
  private static void fill(String url) throws Exception {
    Variant before = new Variant("before", () -> DriverManager.getConnection(url));
    long start = System.nanoTime();
    try (Crew crew = new Crew(before, RestartedClient.CONNECTIONS)) {
      long hits = 0;
      while (hits < ColdAccounts.LOOKED_UP) {
        if (System.nanoTime() - start > LONGEST_FILL_NANOS) {
          throw new SQLException("After two minutes only " + hits + " lookups are hits.");
        }
        long hitsBefore = Postgres.count(crew.first(), "hits");
        crew.run(WarmStart::lookUpAll);
        hits = Postgres.count(crew.first(), "hits") - hitsBefore;
      }
    }
  }

  /** Looks the share of one thread up. */
  private static long lookUpAll(Connection connection, int thread) throws SQLException {
    for (int i = thread; i < ColdAccounts.LOOKED_UP; i += RestartedClient.CONNECTIONS) {
      ColdAccounts.lookUp(connection, i);
    }
    return ColdAccounts.LOOKED_UP;
  }

  private static void restart(
      Application application, Postgres postgres, int seconds, Results results) throws Exception {
    double resident = ColdAccounts.chill(postgres);
    List<Long> counts = RestartedClient.run(application.url, application.start, seconds);
    results.add(NAME, application.label, RESIDENT, "share", resident, ROWS, ColdAccounts.ROWS);
    for (int i = 0; i < counts.size(); i++) {
      results.add(
          NAME,
          application.label,
          THROUGHPUT,
          "1/s",
          counts.get(i) * (double) RestartedClient.COUNTS_A_SECOND,
          SECONDS,
          (i + 1) / (double) RestartedClient.COUNTS_A_SECOND,
          ROWS,
          ColdAccounts.ROWS);
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    LineFigure figure =
        figures
            .lines(
                NAME,
                String.format(
                    Locale.ROOT,
                    "Point lookups after a restart, %,d rows, page cache %s",
                    ColdAccounts.ROWS,
                    isCold(results) ? "cold" : "warm"),
                "seconds since the application began to connect",
                "lookups a second, " + RestartedClient.CONNECTIONS + " connections")
            .fromZeroX()
            .decadesY()
            .withoutMarkers();
    for (String variant : results.variants(NAME)) {
      List<Results.Point> line = line(results, variant, THROUGHPUT, SECONDS);
      figure.line(
          String.format(Locale.ROOT, "%s (%,d in the first second)", variant, inFirstSecond(line)),
          answered(line));
    }
    figure
        .publishedLevel("PgFincore 2010: 170.9 tps, restored", 170.9)
        .publishedLevel("PgFincore 2010: 38.6 tps, cold", 38.6)
        .save();
  }

  /** Returns whether every run began with next to nothing in the page cache. */
  static boolean isCold(Results results) {
    return results.variants(NAME).stream()
        .flatMap(variant -> line(results, variant, RESIDENT, ROWS).stream())
        .allMatch(share -> share.y().max() < COLD);
  }

  private static List<Results.Point> line(
      Results results, String variant, String metric, String x) {
    return results.line(NAME, variant, metric, x, factors -> true);
  }

  /** Returns {@code line} without the tenths that no logarithm has a place for. */
  static List<Results.Point> answered(List<Results.Point> line) {
    return line.stream().filter(point -> point.y().min() > 0).toList();
  }

  /** Returns how many lookups were answered in the first second of {@code line}. */
  static long inFirstSecond(List<Results.Point> line) {
    return Math.round(
        line.stream()
            .filter(point -> point.x() <= 1)
            .mapToDouble(point -> point.y().median() / RestartedClient.COUNTS_A_SECOND)
            .sum());
  }
}
