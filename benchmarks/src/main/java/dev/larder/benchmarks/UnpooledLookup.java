package dev.larder.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LazyDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
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
 * A look-up that is a hit: on a connection that is open, and with a connection that is opened and
 * closed around it, of the pool and above it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@State(Scope.Benchmark)
public class UnpooledLookup {
  private static final String SQL = "SELECT id, branch, balance, filler FROM account WHERE id = ?";
  private static final int KEYS = 100;

  private BenchmarkDatabase database;
  private HikariDataSource pool;
  private LazyDataSource lazy;
  private Connection open;
  private int key;

  /** Starts the server, and asks everything often enough. */
  @Setup(Level.Trial)
  public void start() throws IOException, SQLException {
    database = new BenchmarkDatabase();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.larderUrl("&larder.admission=all&larder.lazyConnections=auto"));
    config.setMaximumPoolSize(2);
    pool = new HikariDataSource(config);
    lazy = new LazyDataSource(pool);
    open = database.larder("&larder.admission=all&larder.lazyConnections=auto");
    for (int i = 0; i < 20 * KEYS; i++) {
      PointLookup.lookup(open, SQL, next());
      around(pool);
      around(lazy);
    }
  }

  /** Says whether hits needed no connection, and stops the server. */
  @TearDown(Level.Trial)
  public void stop() throws IOException, SQLException {
    System.out.println("unpooled hits: " + BenchmarkDatabase.count(open, "unpooled_hits"));
    open.close();
    lazy.close();
    database.close();
  }

  private int next() {
    key = key == KEYS ? 1 : key + 1;
    return key;
  }

  private int around(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return PointLookup.lookup(connection, SQL, next());
    }
  }

  /** A hit on an open connection. */
  @Benchmark
  public int onAnOpenConnection() throws SQLException {
    return PointLookup.lookup(open, SQL, next());
  }

  /** A hit around which a connection is taken out of the pool. */
  @Benchmark
  public int withAConnectionOfThePool() throws SQLException {
    return around(pool);
  }

  /** A hit without a connection of the pool. */
  @Benchmark
  public int withoutAConnectionOfThePool() throws SQLException {
    return around(lazy);
  }
}
