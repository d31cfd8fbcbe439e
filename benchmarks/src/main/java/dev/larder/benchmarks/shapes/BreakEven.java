package dev.larder.benchmarks.shapes;

import static java.util.Objects.requireNonNull;

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
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * pgpool-II's measurement of 2012: from a cold cache, rounds of random point lookups, the same for
 * everybody; the throughput of a round against its hit ratio. In each round the variants take
 * turns, another first each time.
 */
public final class BreakEven implements Experiment {
  private static final String NAME = "break-even";
  private static final String RATIO = "hitRatio";
  private static final String THROUGHPUT = "throughput";
  private static final int CONNECTIONS = 10;
  private static final int LOOKUPS = 1_000;
  private static final int WARM_UP_LOOKUPS = 40_000;

  /** Half of how many rounds are looked at together: one alone may have been disturbed. */
  private static final int NEIGHBOURS = 3;

  private static final long SEED = 2012;

  /** For the command. */
  public BreakEven() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(scale.of(40L, 180L));
  }

  @Override
  public int steps(Scale scale) {
    return rounds(scale);
  }

  private static int rounds(Scale scale) {
    return scale.of(40, 100);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      servers.postgres().createAccounts();
      servers.withLarderMemcached(NAME).withLarder(NAME).withLarderAdmittingAll(NAME);
      servers.withPgpool(scale == Scale.FULL);
      Map<String, Crew> crews = new LinkedHashMap<>();
      try {
        warmUp(servers);
        for (Variant variant : servers.variants()) {
          crews.put(variant.label(), new Crew(variant, CONNECTIONS));
        }
        rounds(rounds(scale), crews, results, progress);
      } finally {
        for (Crew crew : crews.values()) {
          crew.close();
        }
      }
    }
  }

  /**
   * Lets the JVM compile, by another table, so that the caches stay cold for the accounts. Each key
   * comes twice, so that a cache has hits and misses.
   */
  private static void warmUp(Servers servers) throws Exception {
    String sql = "SELECT count(*) FROM teller WHERE tid = ?";
    for (Variant variant : servers.variants()) {
      try (Connection connection = variant.source().connect()) {
        for (int i = 0; i < WARM_UP_LOOKUPS; i++) {
          lookUp(connection, sql, i / 2);
        }
      }
    }
  }

  private static void rounds(
      int rounds, Map<String, Crew> crews, Results results, Progress progress) throws Exception {
    List<String> order = new ArrayList<>(crews.keySet());
    Crew all = requireNonNull(crews.get(Servers.LARDER_ALL));
    long hitsBefore = Postgres.count(all.first(), "hits");
    BitSet known = new BitSet();
    for (int round = 0; round < rounds; round++) {
      int[][] ids = draw(round);
      double ratio = hitRatio(ids, known);
      for (int i = 0; i < order.size(); i++) {
        String variant = order.get((i + round) % order.size());
        Crew.Done done =
            requireNonNull(crews.get(variant))
                .run((connection, thread) -> lookUp(connection, ids[thread]));
        results.add(
            NAME, variant, THROUGHPUT, "1/s", done.perSecond(), "round", round, RATIO, ratio);
      }
      progress.step(NAME + ": round " + round);
    }
    long hits = Postgres.count(all.first(), "hits") - hitsBefore;
    checkHits(hits, rounds, known.cardinality());
  }

  private static int[][] draw(int round) {
    int[][] ids = new int[CONNECTIONS][];
    for (int thread = 0; thread < CONNECTIONS; thread++) {
      ids[thread] =
          new SplittableRandom(SEED + (long) round * CONNECTIONS + thread)
              .ints(LOOKUPS, 1, Postgres.ACCOUNTS + 1)
              .toArray();
    }
    return ids;
  }

  /** Returns the share of {@code ids} that were asked for before, and notes them. */
  private static double hitRatio(int[][] ids, BitSet known) {
    int before = known.cardinality();
    for (int[] some : ids) {
      for (int id : some) {
        known.set(id);
      }
    }
    return 1 - (known.cardinality() - before) / (double) (CONNECTIONS * LOOKUPS);
  }

  /** A figure over the hit ratio is worth nothing unless the product has had those hits. */
  private static void checkHits(long hits, int rounds, int distinct) throws SQLException {
    long expected = (long) rounds * CONNECTIONS * LOOKUPS - distinct;
    long atOnce = (long) rounds * CONNECTIONS;
    if (hits < expected - atOnce) {
      throw new SQLException(hits + " hits, but " + expected + " lookups were repeated");
    }
  }

  private static long lookUp(Connection connection, int[] ids) throws SQLException {
    for (int id : ids) {
      lookUp(connection, "SELECT abalance FROM account WHERE aid = ?", id);
    }
    return ids.length;
  }

  private static void lookUp(Connection connection, String sql, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, id);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("There is no row " + id);
        }
        row.getInt(1);
      }
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    LineFigure figure =
        figures
            .lines(
                NAME,
                "Random point lookups from a cold cache, " + CONNECTIONS + " connections",
                "hit ratio of the round",
                "lookups a second")
            .decadesY()
            .withoutMarkers();
    List<Results.Point> direct = line(results, Servers.DIRECT);
    for (String variant : results.variants(NAME)) {
      List<Results.Point> line = line(results, variant);
      OptionalDouble from = aheadFrom(line, direct);
      String note =
          variant.equals(Servers.DIRECT)
              ? ""
              : from.isPresent()
                  ? String.format(" (ahead from %.2f)", from.getAsDouble())
                  : " (never ahead)";
      figure.line(variant + note, line);
    }
    figure
        .published("pgpool 2012, shared memory: 0.52", 0.52)
        .published("pgpool 2012, memcached: 0.62", 0.62)
        .save();
  }

  private static List<Results.Point> line(Results results, String variant) {
    return results.line(NAME, variant, THROUGHPUT, RATIO, factors -> true);
  }

  /** Returns the hit ratio from which {@code line} stays above {@code direct}, if it does. */
  static OptionalDouble aheadFrom(List<Results.Point> line, List<Results.Point> direct) {
    int size = Math.min(line.size(), direct.size());
    int first = size;
    while (first > 0 && smooth(line, first - 1) > smooth(direct, first - 1)) {
      first--;
    }
    return first == size ? OptionalDouble.empty() : OptionalDouble.of(line.get(first).x());
  }

  private static double smooth(List<Results.Point> line, int at) {
    int from = Math.max(0, at - NEIGHBOURS);
    int to = Math.min(line.size(), at + NEIGHBOURS + 1);
    double[] sorted =
        line.subList(from, to).stream().mapToDouble(point -> point.y().median()).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
