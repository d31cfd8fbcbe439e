package dev.larder.benchmarks;

import dev.larder.benchmarks.shapes.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.BinaryConnectionFactory;
import net.spy.memcached.MemcachedClient;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The point lookup of {@link PointLookup} with results that are shared over a memcached on this
 * machine, beside the driver and a bare memcached client; one connection a thread, 1,000 keys, one
 * shape. To be run with {@code -t 1}, 2, 8 and 32.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@State(Scope.Benchmark)
public class SharedLookup {
  private static final String SQL = PointLookup.sql(0);

  private BenchmarkDatabase database;
  private ServerProcess memcached;
  private int port;

  /** Starts the servers. */
  @Setup(Level.Trial)
  public void start() throws IOException, SQLException {
    database = new BenchmarkDatabase();
    port = ServerProcess.freePort();
    memcached = ServerProcess.memcached(port);
  }

  /** Stops them. */
  @TearDown(Level.Trial)
  public void stop() throws IOException {
    memcached.close();
    database.close();
  }

  /** A connection of the driver. */
  @State(Scope.Thread)
  public static class Direct {
    private Connection connection;

    /** Connects. */
    @Setup(Level.Trial)
    public void connect(SharedLookup benchmark) throws SQLException {
      connection = benchmark.database.direct();
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      connection.close();
    }
  }

  /** A connection through Larder, with every answer in the cache. */
  @State(Scope.Thread)
  public abstract static class Cached {
    private Connection connection;
    private long hits;
    private long others;

    abstract Connection connect(BenchmarkDatabase database, int port) throws SQLException;

    /** Returns which hits it is about. */
    abstract String kind();

    /** Connects, and asks everything twice. */
    @Setup(Level.Trial)
    public void connect(SharedLookup benchmark) throws SQLException {
      connection = connect(benchmark.database, benchmark.port);
      for (int i = 0; i < 2 * BenchmarkDatabase.KEYS; i++) {
        PointLookup.lookup(connection, SQL, 1 + i % BenchmarkDatabase.KEYS);
      }
      hits = BenchmarkDatabase.count(connection, kind());
      others = others();
    }

    private long others() throws SQLException {
      return BenchmarkDatabase.count(connection, "misses")
          + BenchmarkDatabase.count(connection, "bypasses")
          + BenchmarkDatabase.count(connection, "hits")
          - BenchmarkDatabase.count(connection, kind());
    }

    /** Disconnects, and fails if this was not about those hits. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      long moreHits = BenchmarkDatabase.count(connection, kind()) - hits;
      long moreOthers = others() - others;
      connection.close();
      if (moreHits < 20 * moreOthers) {
        throw new IllegalStateException(moreHits + " " + kind() + ", " + moreOthers + " others");
      }
    }
  }

  /** Every hit is fetched from memcached. */
  public static class Remote extends Cached {
    @Override
    Connection connect(BenchmarkDatabase database, int port) throws SQLException {
      return database.shared(port, "off");
    }

    @Override
    String kind() {
      return "remote_hits";
    }
  }

  /** Every hit asks memcached for the versions. */
  public static class Validated extends Cached {
    @Override
    Connection connect(BenchmarkDatabase database, int port) throws SQLException {
      return database.shared(port, "validated");
    }

    @Override
    String kind() {
      return "near_hits";
    }
  }

  /** The versions are asked for every 50 ms. */
  public static class Polled extends Cached {
    @Override
    Connection connect(BenchmarkDatabase database, int port) throws SQLException {
      return database.shared(port, "polled(50ms)");
    }

    @Override
    String kind() {
      return "near_hits";
    }
  }

  /** Nothing is shared. */
  public static class Local extends Cached {
    @Override
    Connection connect(BenchmarkDatabase database, int port) throws SQLException {
      return database.larder("&larder.maxBytes=256MB");
    }

    @Override
    String kind() {
      return "hits";
    }
  }

  /** A client for all threads, and values as large as versions and an entry of this look-up. */
  @State(Scope.Benchmark)
  public static class Bare {
    private static final List<String> VERSIONS =
        List.of(
            "larder:7000000000000000001:00005:V:C",
            "larder:7000000000000000001:00005:V:A",
            "larder:7000000000000000001:00005:V:R16385");

    private static final String ENTRY =
        "larder:7000000000000000001:00005:E1:0123456789012345678901234567890123456789012";

    private static final List<String> ALL =
        List.of(VERSIONS.get(0), VERSIONS.get(1), VERSIONS.get(2), ENTRY);

    private MemcachedClient client;

    /** Connects and stores the values. */
    @Setup(Level.Trial)
    public void connect(SharedLookup benchmark)
        throws IOException, InterruptedException, ExecutionException {
      client =
          new MemcachedClient(
              new BinaryConnectionFactory(),
              List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), benchmark.port)));
      for (String version : VERSIONS) {
        store(version, 50);
      }
      store(ENTRY, 700);
      store("hundred", 100);
    }

    private void store(String key, int length) throws InterruptedException, ExecutionException {
      if (!client.set(key, 0, new byte[length]).get()) {
        throw new IllegalStateException("not stored: " + key);
      }
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() {
      client.shutdown();
    }
  }

  /** What the driver takes. */
  @Benchmark
  public int direct(Direct state) throws SQLException {
    return PointLookup.lookup(state.connection, SQL, PointLookup.key());
  }

  /** What a hit takes where nothing is shared. */
  @Benchmark
  public int localHit(Local state) throws SQLException {
    return lookup(state);
  }

  /** What a hit takes that is used without asking. */
  @Benchmark
  public int polledNearHit(Polled state) throws SQLException {
    return lookup(state);
  }

  /** What a hit takes whose versions memcached confirms. */
  @Benchmark
  public int validatedNearHit(Validated state) throws SQLException {
    return lookup(state);
  }

  /** What a hit takes that is fetched. */
  @Benchmark
  public int remoteHit(Remote state) throws SQLException {
    return lookup(state);
  }

  /** What a bare client takes to fetch 100 bytes. */
  @Benchmark
  public Object bareGet(Bare state) {
    return state.client.get("hundred");
  }

  /** What a bare client takes to fetch what a remote hit fetches. */
  @Benchmark
  public Map<String, Object> bareMultiget(Bare state) {
    return state.client.getBulk(Bare.ALL);
  }

  private static int lookup(Cached state) throws SQLException {
    return PointLookup.lookup(state.connection, SQL, PointLookup.key());
  }
}
