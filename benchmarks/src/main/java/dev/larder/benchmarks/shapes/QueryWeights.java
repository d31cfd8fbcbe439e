package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.BarFigure;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a query costs direct, as a miss and as a hit, for queries of different weight, and so the
 * hit ratio from which the cache pays: it need only bring in what misses cost more than no cache.
 */
public final class QueryWeights implements Experiment {
  private static final String NAME = "weights";
  private static final String TIME = "time";
  private static final String MISS = "Larder, miss";
  private static final String HIT = "Larder, hit";
  private static final int HOT_KEYS = 20;

  /** The second bind of those that are asked for again; no branch has a number below 0. */
  private static final int NONE = -1;

  /** For the command. */
  public QueryWeights() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(5 + steps(scale) * scale.of(6L, 25L));
  }

  @Override
  public int steps(Scale scale) {
    return queries().size();
  }

  private static Map<String, String> queries() {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("point lookup", "SELECT abalance FROM account WHERE aid = ? AND bid <> ?");
    queries.put(
        "join of 4 tables",
        "SELECT a.abalance, b.name, t.name, r.name FROM account a JOIN branch b ON b.bid = a.bid"
            + " JOIN teller t ON t.bid = b.bid JOIN region r ON r.rid = b.bid % 5"
            + " WHERE a.aid = ? AND a.bid <> ? ORDER BY t.tid LIMIT 10");
    queries.put(
        "aggregate over 100,000 rows",
        "SELECT bid, count(*), sum(abalance) FROM account WHERE aid <> ? AND bid <> ?"
            + " GROUP BY bid ORDER BY bid");
    return queries;
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      servers.postgres().createAccounts();
      servers.withLarder(NAME);
      try (Connection direct = servers.variants().get(0).source().connect();
          Connection larder = servers.variants().get(1).source().connect()) {
        for (Map.Entry<String, String> query : queries().entrySet()) {
          measure(query.getKey(), query.getValue(), direct, larder, scale, results);
          progress.step(NAME + ": " + query.getKey());
        }
      }
    }
  }

  private static void measure(
      String name, String sql, Connection direct, Connection larder, Scale scale, Results results)
      throws Exception {
    int[] next = {0, 0, 0};
    long hitsBefore = Postgres.count(larder, "hits");
    // Short ones: the loopback is now slow and now fast, for seconds.
    new Turns(scale.of(50L, 100L))
        .add(Servers.DIRECT, () -> read(direct, sql, ++next[1] % Postgres.ACCOUNTS + 1, NONE))
        .add(MISS, () -> read(larder, sql, ++next[0] % Postgres.ACCOUNTS + 1, NONE - next[0]))
        .add(HIT, () -> read(larder, sql, ++next[2] % HOT_KEYS + 1, NONE))
        .run(
            scale.of(30, 70),
            (task, nanos, processorNanos) ->
                results.add(NAME, task, TIME, "µs", nanos / 1_000, "query", name));
    long hits = Postgres.count(larder, "hits") - hitsBefore;
    if (hits < next[2] - HOT_KEYS || hits > next[2]) {
      throw new SQLException(hits + " hits, but " + next[2] + " reads of hot keys");
    }
  }

  private static long read(Connection connection, String sql, int id, int not) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, id);
      statement.setInt(2, not);
      try (ResultSet rows = statement.executeQuery()) {
        long sum = 0;
        while (rows.next()) {
          sum += rows.getLong(1);
        }
        return sum;
      }
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    BarFigure figure =
        figures.bars(NAME, "Break-even by the weight of the query, one thread", "µs a query");
    for (String query : queries().keySet()) {
      if (times(results, HIT, query).isEmpty()) {
        return;
      }
      double direct = Spread.of(times(results, Servers.DIRECT, query)).median();
      double miss = Spread.of(times(results, MISS, query)).median();
      double hit = Spread.of(times(results, HIT, query)).median();
      String label = String.format("%s (pays from %.3f)", query, breakEven(direct, miss, hit));
      figure.bar(Servers.DIRECT, label, direct).bar(MISS, label, miss).bar(HIT, label, hit);
    }
    figure.save();
  }

  private static List<Double> times(Results results, String variant, String query) {
    return results.values(NAME, variant, TIME, "query", query);
  }

  /** Returns the hit ratio at which {@code ratio * hit + (1 - ratio) * miss} is {@code direct}. */
  static double breakEven(double direct, double miss, double hit) {
    return Math.min(1, Math.max(0, (miss - direct) / (miss - hit)));
  }
}
