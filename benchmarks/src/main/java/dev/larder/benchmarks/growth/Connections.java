package dev.larder.benchmarks.growth;

import dev.larder.benchmarks.shapes.Postgres;
import dev.larder.benchmarks.shapes.Servers;
import dev.larder.benchmarks.shapes.Turns;
import dev.larder.benchmarks.shapes.UsedHeap;
import dev.larder.benchmarks.shapes.Variant;
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

/**
 * What a hit, a miss and a write cost, and what a connection occupies on the heap, while 1 to 1,000
 * connections are open: to a real server, since a connection is the driver's, the server's and
 * Larder's together. One thread uses them in turn, so that only their number grows; what threads do
 * to each other is another experiment's.
 */
public final class Connections implements Experiment {
  private static final String NAME = "connections";
  private static final String TIME = "time";
  private static final String HEAP = "heap";
  private static final String SQL = "SELECT abalance FROM account WHERE aid = ?";
  private static final String MISSED = "SELECT abalance FROM account WHERE aid = ? AND bid < ?";

  /** What no query reads: the hits are to last. */
  private static final String WRITE = "UPDATE teller SET tbalance = ? WHERE tid = ?";

  private static final int HOT_KEYS = 1_000;
  private static final int TELLERS = 1_000;
  private static final int MOST = 1_000;

  /** Of fewer, what else is on the heap would be told apart badly. */
  private static final int ENOUGH_TO_WEIGH = 30;

  /** So many of the server's that nothing is refused to what the JVM connects besides. */
  private static final int SPARE = 100;

  private final List<Connection> open = new ArrayList<>();
  private int turn;
  private int key;

  /** For the command. */
  public Connections() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(10 + steps(scale) * scale.of(4L, 9L));
  }

  @Override
  public int steps(Scale scale) {
    return sizes(scale).size() * 2;
  }

  private static List<Integer> sizes(Scale scale) {
    return scale.of(List.of(1, 100, MOST), List.of(1, 3, 10, 30, 100, 300, MOST));
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers(MOST + SPARE)) {
      servers.postgres().createAccounts();
      servers.withLarder(NAME);
      for (int size : sizes(scale)) {
        for (Variant variant : servers.variants()) {
          measure(variant, size, scale, results);
          progress.step(NAME + ": " + variant.label() + ", " + size);
        }
      }
    }
  }

  private void measure(Variant variant, int size, Scale scale, Results results) throws Exception {
    boolean cached = variant.label().equals(Servers.LARDER);
    try (Connection first = variant.source().connect()) {
      for (int i = 1; i <= HOT_KEYS; i++) {
        read(first, i);
      }
      long before = UsedHeap.bytes();
      for (int i = 0; i < size; i++) {
        open.add(variant.source().connect());
        read(open.get(i), 1);
      }
      double each = (UsedHeap.bytes() - before) / (double) size;
      if (size >= ENOUGH_TO_WEIGH) {
        results.add(NAME, variant.label(), HEAP, "B/connection", each, NAME, size);
      }
      long hitsBefore = cached ? Postgres.count(first, "hits") : 0;
      time(variant.label(), size, scale, results);
      if (cached && Postgres.count(first, "hits") == hitsBefore) {
        throw new SQLException("There was no hit.");
      }
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
      open.clear();
    }
  }

  private void time(String label, int size, Scale scale, Results results) throws Exception {
    boolean cached = label.equals(Servers.LARDER);
    Turns turns = new Turns(scale.of(60L, 200L));
    if (cached) {
      turns.add("Larder, hit", () -> read(next(), ++key % HOT_KEYS + 1));
    }
    turns.add(label + (cached ? ", miss" : ", read"), () -> readNew(next(), ++key));
    turns.add(label + ", write", () -> write(next(), ++key));
    turns.run(
        5,
        (task, nanos, processorNanos) ->
            results.add(NAME, task, TIME, "µs", nanos / 1_000, NAME, size));
  }

  private Connection next() {
    turn = (turn + 1) % open.size();
    return open.get(turn);
  }

  private static long read(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setInt(1, id);
      return only(statement);
    }
  }

  private static long readNew(Connection connection, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MISSED)) {
      statement.setInt(1, key % Postgres.ACCOUNTS + 1);
      statement.setInt(2, Postgres.ACCOUNTS + key / Postgres.ACCOUNTS);
      return only(statement);
    }
  }

  private static long only(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("There is no row.");
      }
      return row.getInt(1);
    }
  }

  private static long write(Connection connection, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
      statement.setInt(1, key);
      statement.setInt(2, key % TELLERS);
      return statement.executeUpdate();
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    LineFigure times =
        figures
            .lines(
                "growth-" + NAME,
                "One thread, connections in turn, by how many are open",
                "open connections",
                "µs")
            .decadesX()
            .decadesY();
    LineFigure heap =
        figures
            .lines(
                "heap-" + NAME,
                "Heap of an open connection that was used once",
                "open connections",
                "bytes a connection")
            .decadesX();
    for (String variant : results.variants(NAME)) {
      times.line(variant, results.line(NAME, variant, TIME, NAME, factors -> true));
      heap.line(variant, results.line(NAME, variant, HEAP, NAME, factors -> true));
    }
    times.save();
    heap.save();
  }
}
