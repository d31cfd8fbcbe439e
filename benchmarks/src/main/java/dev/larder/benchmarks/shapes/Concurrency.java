package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Percona's and pgpool-II's shape: point lookups over 16 tables by 1 to 64 connections, without
 * writes and with 65 updates a second, a second each in turn. The tables have {@code
 * larder.benchmarks.rows} rows, not Percona's million, and lookups ask for {@value #HOT_KEYS} keys
 * of each.
 */
public final class Concurrency implements Experiment {
  private static final String NAME = "concurrency";
  private static final String THROUGHPUT = "throughput";
  private static final int TABLES = 16;
  private static final int HOT_KEYS = 1_000;
  private static final int UPDATES_A_SECOND = 65;
  private static final long READING = TimeUnit.SECONDS.toNanos(1);
  private static final int ROWS = Integer.getInteger(Postgres.ROWS_OPTION, 10_000);

  /** For the command. */
  public Concurrency() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(15L + steps(scale) * (1L + 5L * turns(scale) / 4));
  }

  @Override
  public int steps(Scale scale) {
    return connections(scale).size() * (Pgpool.isInstalled() ? 4 : 2);
  }

  private static int turns(Scale scale) {
    return scale.of(2, 10);
  }

  private static List<Integer> connections(Scale scale) {
    return scale.of(List.of(1, 8, 32), List.of(1, 2, 4, 8, 16, 32, 64));
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      createTables(servers.postgres());
      servers.withLarder(NAME).withPgpool(false);
      for (Variant variant : servers.variants()) {
        askForEverything(variant);
      }
      for (int connections : connections(scale)) {
        for (Variant variant : servers.variants()) {
          measure(variant, connections, scale)
              .forEach(
                  (updates, readings) -> add(results, variant, connections, updates, readings));
          progress.step(NAME + ": " + variant.label() + ", " + connections + " connections");
        }
      }
    }
  }

  private static void createTables(Postgres postgres) throws SQLException {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < TABLES; i++) {
      statements.add("CREATE TABLE sbtest" + i + " (id int PRIMARY KEY, k int, c char(100))");
      statements.add(
          "INSERT INTO sbtest" + i + " SELECT i, i, 'c' FROM generate_series(1, " + ROWS + ") i");
    }
    statements.add("VACUUM ANALYZE");
    postgres.execute(statements.toArray(new String[0]));
  }

  /** Fills the caches, and lets the JVM compile. */
  private static void askForEverything(Variant variant) throws SQLException {
    try (Connection connection = variant.source().connect()) {
      for (int round = 0; round < 3; round++) {
        for (int table = 0; table < TABLES; table++) {
          for (int id = 1; id <= HOT_KEYS; id++) {
            read(connection, table, id);
          }
        }
      }
    }
  }

  /**
   * Reads by the same connections without updates and with them, in turn. A machine changes its
   * speed from one minute to the next by more than the updates cost.
   */
  private static Map<Integer, List<Double>> measure(Variant variant, int connections, Scale scale)
      throws Exception {
    Map<Integer, List<Double>> readings = new TreeMap<>();
    try (Crew crew = new Crew(variant, connections)) {
      crew.run((connection, thread) -> read(connection, READING / 2));
      for (int turn = 0; turn < turns(scale); turn++) {
        int updates = turn % 2 == 0 ? 0 : UPDATES_A_SECOND;
        readings
            .computeIfAbsent(updates, none -> new ArrayList<>())
            .add(perSecond(crew, variant, updates));
      }
    }
    return readings;
  }

  private static double perSecond(Crew crew, Variant variant, int updates) throws Exception {
    try (SteadyWrites writes = new SteadyWrites(variant, updates, Concurrency::update)) {
      crew.run((connection, thread) -> read(connection, READING / 10));
      Crew.Done done = crew.run((connection, thread) -> read(connection, READING));
      writes.check();
      return done.perSecond();
    }
  }

  private static void add(
      Results results, Variant variant, int connections, int updates, List<Double> readings) {
    for (double perSecond : readings) {
      results.add(
          NAME,
          variant.label(),
          THROUGHPUT,
          "1/s",
          perSecond,
          "connections",
          connections,
          "updates",
          updates,
          "rows",
          ROWS);
    }
  }

  private static long read(Connection connection, long nanos) throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long start = System.nanoTime();
    long lookups = 0;
    while (System.nanoTime() - start < nanos) {
      read(connection, random.nextInt(TABLES), random.nextInt(HOT_KEYS) + 1);
      lookups++;
    }
    return lookups;
  }

  private static void read(Connection connection, int table, int id) throws SQLException {
    String sql = "SELECT c FROM sbtest" + table + " WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, id);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        row.getString(1);
      }
    }
  }

  private static void update(Connection connection) throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String sql = "UPDATE sbtest" + random.nextInt(TABLES) + " SET k = k + 1 WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, random.nextInt(ROWS) + 1);
      statement.executeUpdate();
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    for (int updates : new int[] {0, UPDATES_A_SECOND}) {
      String shape = updates == 0 ? "read-only" : UPDATES_A_SECOND + " updates a second";
      String title = "Point lookups over 16 tables of " + ROWS + " rows, " + shape;
      String name = NAME + (updates == 0 ? "-read-only" : "-65-updates");
      LineFigure throughput =
          figures.lines(name, title, "connections", "lookups a second").doublingX().decadesY();
      LineFigure retention =
          figures
              .lines(name.replace(NAME, "retention"), title, "connections", "share of the own peak")
              .doublingX();
      for (String variant : results.variants(NAME)) {
        List<Results.Point> line =
            results.line(
                NAME,
                variant,
                THROUGHPUT,
                "connections",
                factors -> Integer.toString(updates).equals(factors.get("updates")));
        throughput.line(variant, line);
        retention.line(variant, Results.relativeToPeak(line));
      }
      throughput.save();
      retention
          .publishedLevel("pgpool, shared lock, at 32: 0.88", 0.88)
          .publishedLevel("pgpool, exclusive lock, at 32: 0.62", 0.62)
          .save();
    }
  }
}
