package dev.larder.benchmarks;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * 100 rows × 10 columns of one type, read whole by {@code getObject}: prepare, execute, read,
 * close. What a reader then does with the values is not in it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class WideResult {
  private static final int COLUMNS = 10;

  /** A miss, a hit that asks for room, and one that remembers what the driver decodes. */
  private static final int EXECUTIONS_BEFORE = 3;

  /** After a pause longer than the catalog is trusted for, which a busy machine may make. */
  private static final int MOST_MISSES = 3;

  /** The type of every column, and its value in row {@code i}. */
  public enum ColumnType {
    INT("i"),
    NUMERIC("(i * 1.25)::numeric(12, 2)"),
    TEXT("'some text ' || 100000 + i"),
    UUID("md5(i::text)::uuid");

    private final String value;

    ColumnType(String value) {
      this.value = value;
    }
  }

  /** The type of every column. */
  @Param public ColumnType type = ColumnType.INT;

  private BenchmarkDatabase database;
  private String sql;

  /** Starts the server with the rows. */
  @Setup(Level.Trial)
  public void start() throws IOException, SQLException {
    database = new BenchmarkDatabase();
    try (Connection connection = database.direct();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE wide AS SELECT " + type.value + " AS c FROM generate_series(1, 100) i");
      statement.execute("ANALYZE wide");
    }
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < COLUMNS; i++) {
      columns.append(i == 0 ? "" : ", ").append("c AS c").append(i);
    }
    sql = "SELECT " + columns + " FROM wide";
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void stop() throws IOException {
    database.close();
  }

  /** A connection of the driver. */
  @State(Scope.Thread)
  public static class Direct {
    Connection connection;

    /** Connects. */
    @Setup(Level.Trial)
    public void connect(WideResult benchmark) throws SQLException {
      connection = benchmark.database.direct();
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      connection.close();
    }
  }

  /** A connection through Larder, with the result in the cache. */
  @State(Scope.Thread)
  public static class Cached {
    Connection connection;

    /** Connects, and reads until the values are decoded. */
    @Setup(Level.Trial)
    public void connect(WideResult benchmark, Blackhole values) throws SQLException {
      connection = benchmark.database.larder("");
      for (int i = 0; i < EXECUTIONS_BEFORE; i++) {
        benchmark.read(connection, values);
      }
    }

    /** Says how the run went, and disconnects. */
    @TearDown(Level.Trial)
    public void disconnect() throws SQLException {
      long misses = BenchmarkDatabase.count(connection, "misses");
      long hits = BenchmarkDatabase.count(connection, "hits");
      if (misses > MOST_MISSES + hits / 1_000) {
        throw new IllegalStateException(misses + " misses: this was no benchmark of hits");
      }
      connection.close();
    }
  }

  /** What the driver takes. */
  @Benchmark
  public void direct(Direct state, Blackhole values) throws SQLException {
    read(state.connection, values);
  }

  /** What a hit takes. */
  @Benchmark
  public void hit(Cached state, Blackhole values) throws SQLException {
    read(state.connection, values);
  }

  private void read(Connection connection, Blackhole values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        for (int column = 1; column <= COLUMNS; column++) {
          values.consume(rows.getObject(column));
        }
      }
    }
  }
}
