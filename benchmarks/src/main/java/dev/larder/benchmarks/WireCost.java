package dev.larder.benchmarks;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
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
 * What Larder costs where it saves nothing: misses, bypasses, writes and transactions, each beside
 * the same through the driver alone, over a {@link ReplaySocket}. Nothing blocks and no system call
 * is made: all is time of the processor, and {@link CpuTimeProfiler} tells it on a busy machine
 * too. Each state counts what it ran, and afterwards asks Larder whether it was that.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Benchmark)
public class WireCost {
  BenchmarkDatabase database;

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

  /** The driver alone. */
  @State(Scope.Thread)
  public static class Direct extends Wire {
    @Override
    Connection connect(BenchmarkDatabase database) throws SQLException {
      return database.directOverReplay();
    }
  }

  /** The driver alone, in transactions. */
  @State(Scope.Thread)
  public static class DirectTransactions extends Direct {
    @Override
    void begin() throws SQLException {
      connection.setAutoCommit(false);
    }
  }

  /** Larder, with a cache that is full, so that each admission evicts. */
  @State(Scope.Thread)
  public static class Cached extends Wire {
    private static final int MORE_THAN_FIT = 10_000;

    /** Whether a result depends on rows or on tables. */
    @Param({"key", "table"})
    public String invalidation = "";

    private long missesBefore;
    private long bypassesBefore;
    private long invalidationsBefore;
    private long evictionsBefore;

    String parameters() {
      return "&larder.admission=all&larder.maxBytes=1MB&larder.invalidation=" + invalidation;
    }

    @Override
    Connection connect(BenchmarkDatabase database) throws SQLException {
      return database.larderOverReplay(parameters());
    }

    @Override
    void begin() throws SQLException {
      for (int i = 0; i < MORE_THAN_FIT; i++) {
        read();
      }
      reads = 0;
      missesBefore = BenchmarkDatabase.count(connection, "misses");
      bypassesBefore = BenchmarkDatabase.count(connection, "bypasses");
      evictionsBefore = BenchmarkDatabase.count(connection, "evictions");
      invalidationsBefore = BenchmarkDatabase.invalidations(connection, "public.account");
    }

    @Override
    void check() throws SQLException {
      long misses = BenchmarkDatabase.count(connection, "misses") - missesBefore;
      long bypassed = BenchmarkDatabase.count(connection, "bypasses") - bypassesBefore;
      long evictions = BenchmarkDatabase.count(connection, "evictions") - evictionsBefore;
      long invalidations =
          BenchmarkDatabase.invalidations(connection, "public.account") - invalidationsBefore;
      if (misses != reads || bypassed != bypasses || (reads > 0 && evictions == 0)) {
        throw new IllegalStateException(
            String.format(
                "%d reads: %d misses, %d evictions; %d others: %d bypasses",
                reads, misses, evictions, bypasses, bypassed));
      }
      if (invalidations != expectedInvalidations()) {
        throw new IllegalStateException(
            writes + " writes: " + invalidations + " invalidations of the table");
      }
    }

    long expectedInvalidations() {
      return writes;
    }
  }

  /** Larder, in transactions. */
  @State(Scope.Thread)
  public static class CachedTransactions extends Cached {
    @Override
    void begin() throws SQLException {
      super.begin();
      connection.setAutoCommit(false);
    }

    @Override
    long expectedInvalidations() {
      return writes / 2; // Of the two tables that each transaction writes.
    }
  }

  /** Larder, where each key is new, so that the query is soon left alone. */
  @State(Scope.Thread)
  public static class LeftAlone extends Wire {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int READS = 10_000;

    private long bypassesBefore;

    @Override
    Connection connect(BenchmarkDatabase database) throws SQLException {
      return database.larderOverReplay("&larder.admission=profit");
    }

    @Override
    void begin() throws SQLException {
      long end = System.nanoTime() + LONGEST_NANOS;
      do {
        reads = 0;
        bypassesBefore = BenchmarkDatabase.count(connection, "bypasses");
        for (int i = 0; i < READS; i++) {
          read();
        }
      } while (!isLeftAlone() && System.nanoTime() < end);
      reads = 0;
      bypassesBefore = BenchmarkDatabase.count(connection, "bypasses");
    }

    @Override
    void check() throws SQLException {
      if (!isLeftAlone()) {
        throw new IllegalStateException("most reads were not left alone");
      }
    }

    private boolean isLeftAlone() throws SQLException {
      long bypassed = BenchmarkDatabase.count(connection, "bypasses") - bypassesBefore;
      return bypassed >= reads * 9 / 10;
    }
  }

  /** Larder, switched off. */
  @State(Scope.Thread)
  public static class Disabled extends Wire {
    private long bypassesBefore;

    @Override
    Connection connect(BenchmarkDatabase database) throws SQLException {
      return database.disabledOverReplay();
    }

    @Override
    void begin() throws SQLException {
      bypassesBefore = BenchmarkDatabase.count(connection, "bypasses");
    }

    @Override
    void check() throws SQLException {
      long bypassed = BenchmarkDatabase.count(connection, "bypasses") - bypassesBefore;
      if (bypassed != reads) {
        throw new IllegalStateException(reads + " reads: " + bypassed + " bypasses");
      }
    }
  }

  /** A read through the driver. */
  @Benchmark
  public int readDirect(Direct state) throws SQLException {
    return state.read();
  }

  /** A read that misses, is admitted and evicts another. */
  @Benchmark
  public int readMiss(Cached state) throws SQLException {
    return state.read();
  }

  /** A read that is never hit, and so is left alone. */
  @Benchmark
  public int readLeftAlone(LeftAlone state) throws SQLException {
    return state.read();
  }

  /** A read while the cache is switched off. */
  @Benchmark
  public int readDisabled(Disabled state) throws SQLException {
    return state.read();
  }

  /** A query that is never cached, through the driver. */
  @Benchmark
  public int volatileDirect(Direct state) throws SQLException {
    return state.bypass();
  }

  /** A query that is never cached, through Larder. */
  @Benchmark
  public int volatileBypass(Cached state) throws SQLException {
    return state.bypass();
  }

  /** A write in autocommit through the driver. */
  @Benchmark
  public int writeDirect(Direct state) throws SQLException {
    return state.write();
  }

  /** A write in autocommit through Larder. */
  @Benchmark
  public int writeAnnounced(Cached state) throws SQLException {
    return state.write();
  }

  /** A transaction of three statements and its commit through the driver. */
  @Benchmark
  public int transactionDirect(DirectTransactions state) throws SQLException {
    return state.transaction();
  }

  /** A transaction of three statements and its commit through Larder. */
  @Benchmark
  public int transactionAnnounced(CachedTransactions state) throws SQLException {
    return state.transaction();
  }
}
