package dev.larder.benchmarks;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole point lookup as an application makes it: prepare, bind, execute, next, get by label,
 * close; one connection a thread, 20 shapes, and SQL strings that are equal but not identical.
 * There are 1,000 keys of the cache, which the processor's caches hold, or 20,000, which they do
 * not: most of a hit is then waiting for memory.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@State(Scope.Benchmark)
public class PointLookup {
  static final int SHAPES = 20;

  /** So many may miss each key, at first and where the catalog was just being compared. */
  private static final int MOST_THREADS = 8;

  /** How many different executions there are, and so results in the cache. */
  @Param({"1000", "20000"})
  public int keys;

  private BenchmarkDatabase database;

  /** Starts the server. */
  @Setup(Level.Trial)
  public void start() throws IOException, SQLException {
    database = new BenchmarkDatabase();
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void stop() throws IOException {
    database.close();
  }

  private static final int PAIRS = 11;
  private static final int TURN_LOOKUPS = 1_000;
  private static final long TURN_NANOS = 50_000_000;
  private static final int COPIES = 50;
  private static final String BUDGET = "&larder.maxBytes=256MB";

  /**
   * Returns the texts of all shapes, each in many copies, so that no two executions in a row share
   * a string.
   */
  private static String[] shapes() {
    String[] sql = new String[SHAPES * COPIES];
    for (int i = 0; i < sql.length; i++) {
      sql[i] = sql(i % SHAPES);
    }
    return sql;
  }

  /** Returns a new string with the text of a shape. */
  static String sql(int shape) {
    String columns = "id, branch, balance, filler" + ", id AS x".repeat(shape);
    return "SELECT " + columns + " FROM account WHERE id = ?";
  }

  /** What the executions of a thread are made from. */
  static final class Executions {
    private final Script script;
    private final String[] sql = shapes();
    private int copy;

    Executions(int keys) {
      script = new Script(keys);
    }

    int next(Connection connection) throws SQLException {
      script.advance();
      copy = copy + 1 == COPIES ? 0 : copy + 1;
      return lookup(connection, sql[copy * SHAPES + script.shape()], script.account());
    }

    /** Does every look-up once. */
    void all(Connection connection) throws SQLException {
      for (int shape = 0; shape < SHAPES; shape++) {
        for (int i = 0; i < script.keysOfAShape(); i++) {
          lookup(connection, sql[shape], script.account(shape, i));
        }
      }
    }
  }

  /** A connection of the driver. */
  @State(Scope.Thread)
  public static class Direct {
    Connection connection;
    Executions executions;

    /** Connects. */
    @Setup(Level.Trial)
    public void connect(PointLookup benchmark) throws SQLException {
      connection = benchmark.database.direct();
      executions = new Executions(benchmark.keys);
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      connection.close();
    }
  }

  /** A connection through Larder, with every answer in the cache. */
  @State(Scope.Thread)
  public static class Cached {
    Connection connection;
    Executions executions;

    /** Connects, and asks everything once. */
    @Setup(Level.Trial)
    public void connect(PointLookup benchmark) throws SQLException {
      connection = open(benchmark.database);
      executions = new Executions(benchmark.keys);
      executions.all(connection);
    }

    Connection open(BenchmarkDatabase database) throws SQLException {
      return database.larder(BUDGET);
    }

    /** Says how the run went, and disconnects. */
    @TearDown(Level.Trial)
    public void disconnect(PointLookup benchmark) throws SQLException {
      long misses = BenchmarkDatabase.count(connection, "misses");
      if (misses > 2L * MOST_THREADS * benchmark.keys) {
        throw new IllegalStateException(misses + " misses: this was no benchmark of hits");
      }
      connection.close();
    }
  }

  /** As {@link Cached}, with a change feed. */
  @State(Scope.Thread)
  public static class Followed extends Cached {
    @Override
    Connection open(BenchmarkDatabase database) throws SQLException {
      return database.following(BUDGET);
    }
  }

  /** As {@link Cached}, where the database answers one hit in a hundred, too. */
  @State(Scope.Thread)
  public static class Verified {
    Connection connection;
    Executions executions;

    /** Connects, and asks everything once. */
    @Setup(Level.Trial)
    public void connect(PointLookup benchmark) throws SQLException {
      connection = benchmark.database.larder(BUDGET + "&larder.verify=0.01");
      executions = new Executions(benchmark.keys);
      executions.all(connection);
    }

    /** Says how the run went, and disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      long hits = BenchmarkDatabase.count(connection, "hits");
      long verified = BenchmarkDatabase.count(connection, "verified_hits");
      boolean apart = BenchmarkDatabase.count(connection, "wrong_hits") > 0;
      if (apart || verified < hits / 200 || verified > hits / 50) {
        throw new IllegalStateException(
            verified
                + " of "
                + hits
                + " hits were verified: this was no benchmark of one per cent");
      }
      connection.close();
    }
  }

  /** What the driver takes. */
  @Benchmark
  public int direct(Direct state) throws SQLException {
    return state.executions.next(state.connection);
  }

  /** What a hit takes. */
  @Benchmark
  public int hit(Cached state) throws SQLException {
    return state.executions.next(state.connection);
  }

  /** What a hit takes where the writes of others are followed. */
  @Benchmark
  public int hitFollowed(Followed state) throws SQLException {
    return state.executions.next(state.connection);
  }

  /** By how much longer one operation takes than another. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Added {
    /** So long for each hit. */
    public double nanos;
  }

  /**
   * How much longer a hit takes where the writes of others are followed: {@code nanos}. Both run in
   * turn in one JVM, as JVMs differ by more than that, and each iteration is a median of pairs.
   */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @OutputTimeUnit(TimeUnit.SECONDS)
  @Warmup(iterations = 6)
  @Measurement(iterations = 6)
  @Fork(7)
  public int addedByFollowing(Cached plain, Followed followed, Added added) throws SQLException {
    double[] pairs = new double[PAIRS];
    int sum = 0;
    for (int i = 0; i < PAIRS; i++) {
      boolean swapped = i % 2 == 1;
      Turn first = new Turn(swapped ? followed : plain);
      Turn second = new Turn(swapped ? plain : followed);
      pairs[i] = swapped ? first.nanos - second.nanos : second.nanos - first.nanos;
      sum += first.sum + second.sum;
    }
    Arrays.sort(pairs);
    added.nanos = pairs[PAIRS / 2];
    return sum;
  }

  /** What look-ups take, for a while. */
  private static final class Turn {
    final double nanos;
    final int sum;

    Turn(Cached state) throws SQLException {
      int results = 0;
      long lookups = 0;
      long start = System.nanoTime();
      long end;
      do {
        for (int i = 0; i < TURN_LOOKUPS; i++) {
          results += state.executions.next(state.connection);
        }
        lookups += TURN_LOOKUPS;
        end = System.nanoTime();
      } while (end - start < TURN_NANOS);
      nanos = (end - start) / (double) lookups;
      sum = results;
    }
  }

  /** What a hit takes where one in a hundred is verified. */
  @Benchmark
  public int hitVerified(Verified state) throws SQLException {
    return state.executions.next(state.connection);
  }

  static int key() {
    return ThreadLocalRandom.current().nextInt(BenchmarkDatabase.KEYS) + 1;
  }

  static int lookup(Connection connection, String sql, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, id);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt("balance");
      }
    }
  }
}
