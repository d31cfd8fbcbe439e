package dev.larder.benchmarks;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
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
  private static final String SELECT =
      "SELECT id, branch, balance, filler FROM account WHERE id = ?";
  private static final String VOLATILE =
      "SELECT id, balance, clock_timestamp() AS at FROM account WHERE id = ?";
  private static final String UPDATE = "UPDATE account SET balance = ? WHERE id = ?";
  private static final String UPDATE_LEDGER = "UPDATE ledger SET amount = ? WHERE id = ?";

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

  /** One text in many copies, so that no two executions in a row share a string. */
  private static final class Text {
    private static final int COPIES = 16;

    private final String[] copies = new String[COPIES];
    private int round;

    Text(String sql) {
      Arrays.setAll(copies, i -> new String(sql.toCharArray()));
    }

    String next() {
      return copies[round++ % COPIES];
    }
  }

  /** A connection whose socket has seen everything that will be asked. */
  public abstract static class Wire {
    /** As often as it takes the driver to settle on a named statement and binary results. */
    private static final int REHEARSALS = 20;

    private final Text select = new Text(SELECT);
    private final Text volatileSelect = new Text(VOLATILE);
    private final Text update = new Text(UPDATE);
    private final Text updateLedger = new Text(UPDATE_LEDGER);

    Connection connection;
    ReplaySocket socket;
    int key;
    long reads;
    long bypasses;
    long writes;

    abstract Connection connect(BenchmarkDatabase database) throws SQLException;

    /** Called after the rehearsal, when nothing reaches the server any more. */
    void begin() throws SQLException {}

    /** Throws unless everything since {@link #begin} was what it should have been. */
    void check() throws SQLException {}

    /** Connects, and has the server answer everything that will be asked. */
    @Setup(Level.Trial)
    public void prepare(WireCost benchmark) throws SQLException {
      connection = connect(benchmark.database);
      socket = ReplaySocketFactory.socketOf(connection);
      socket.record();
      for (int i = 0; i < REHEARSALS; i++) {
        read();
        bypass();
        write();
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < REHEARSALS; i++) {
        transaction();
      }
      connection.setAutoCommit(true);
      reportWrites();
      socket.answerFromRecording();
      reads = 0;
      bypasses = 0;
      writes = 0;
      begin();
    }

    /** Later the server would do it late, for it hears of nothing more, and the radar wonder. */
    private void reportWrites() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT pg_stat_force_next_flush()");
      }
    }

    /** Checks, and disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      if (socket.answered() < reads + bypasses + writes) {
        throw new IllegalStateException(
            socket.answered() + " answers to " + (reads + bypasses + writes) + " executions");
      }
      check();
      socket.passThrough();
      connection.close();
    }

    /** Reads one row by a key that was never asked for. */
    int read() throws SQLException {
      reads++;
      return select(select, ++key);
    }

    /** Reads one row by a query that is never cached. */
    int bypass() throws SQLException {
      bypasses++;
      return select(volatileSelect, 1);
    }

    private int select(Text text, int id) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(text.next())) {
        statement.setInt(1, id);
        try (ResultSet row = statement.executeQuery()) {
          return row.next() ? row.getInt("balance") : 0;
        }
      }
    }

    /** Updates one row. */
    int write() throws SQLException {
      return update(update);
    }

    private int update(Text text) throws SQLException {
      writes++;
      try (PreparedStatement statement = connection.prepareStatement(text.next())) {
        statement.setInt(1, ++key);
        statement.setInt(2, 1);
        return statement.executeUpdate();
      }
    }

    /** Updates, reads its own write, updates another table, and commits. */
    int transaction() throws SQLException {
      int changed = update(update);
      bypasses++;
      changed += select(select, 1);
      changed += update(updateLedger);
      connection.commit();
      return changed;
    }
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
