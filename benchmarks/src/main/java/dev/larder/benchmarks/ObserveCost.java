package dev.larder.benchmarks;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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
 * What it costs to observe: a mix of statements over the loopback, through the driver alone and
 * with {@code larder.mode=observe}. Of a hundred statements 85 look an account up, 9 add up the
 * accounts of a branch, 5 are never cached, and one is an update. One connection a thread.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
@State(Scope.Benchmark)
public class ObserveCost {
  private static final String SUM = "SELECT count(*), sum(balance) FROM account WHERE branch = ?";
  private static final String VOLATILE =
      "SELECT id, balance, clock_timestamp() AS at FROM account WHERE id = ?";
  private static final String UPDATE = "UPDATE account SET balance = balance + 1 WHERE id = ?";
  private static final int BRANCHES = 10;

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

  /** A connection, and whether anybody observes it. */
  @State(Scope.Thread)
  public static class Client {
    private static final int FEW = 1_000;

    /** Which driver is used, and how. */
    @Param({"direct", "observe"})
    public String side = "";

    private Connection connection;
    private final String[] lookups = new String[PointLookup.SHAPES];

    /** Connects. */
    @Setup(Level.Trial)
    public void connect(ObserveCost benchmark) throws SQLException {
      Arrays.setAll(lookups, PointLookup::sql);
      connection =
          isObserved()
              ? benchmark.database.larder("&larder.mode=observe")
              : benchmark.database.direct();
    }

    private boolean isObserved() {
      return side.equals("observe");
    }

    /** Checks that it was observed, and disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      if (isObserved()) {
        long hits = BenchmarkDatabase.count(connection, "hits");
        long misses = BenchmarkDatabase.count(connection, "misses");
        long wrong = BenchmarkDatabase.count(connection, "wrong_hits");
        if (wrong > 0 || hits < FEW || misses < FEW) {
          throw new IllegalStateException(
              hits + " hits, " + wrong + " of them wrong, and " + misses + " misses");
        }
      }
      connection.close();
    }

    private long select(String sql, int key) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setInt(1, key);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getLong(2);
        }
      }
    }

    private long update(int key) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
        statement.setInt(1, key);
        return statement.executeUpdate();
      }
    }

    private long next() throws SQLException {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      int die = random.nextInt(100);
      if (die < 85) {
        return select(lookups[random.nextInt(lookups.length)], skewed(random));
      }
      if (die < 94) {
        return select(SUM, random.nextInt(BRANCHES));
      }
      return die < 99 ? select(VOLATILE, skewed(random)) : update(PointLookup.key());
    }

    /** Returns a key of few that are asked for often and many that are not. */
    private static int skewed(ThreadLocalRandom random) {
      return (int) Math.pow(BenchmarkDatabase.KEYS, random.nextDouble());
    }
  }

  /** One statement of the mix. */
  @Benchmark
  public long mix(Client client) throws SQLException {
    return client.next();
  }
}
