package dev.larder.benchmarks;

import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.local.LocalResultStore;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * The two parts that no hit can do without, alone: a look-up in the store as the product configures
 * it, with a key that is equal but not identical, and a bare replay of the driver's result set
 * (next, get by label, close). Both over the same results as a hit, at random, so that they wait
 * for memory as a hit does. {@link PointLookup#hit} is compared with their sum.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@State(Scope.Thread)
public class HitParts {
  private static final Object[] NO_LITERALS = {};

  /** How many results there are. */
  @Param({"1000", "20000"})
  public int keys;

  private BenchmarkDatabase database;
  private Connection connection;
  private ResultStore store;
  private StatementShape[] shapes;
  private SessionFingerprint session;
  private CachedResult[][] results;
  private ReplayStatements replay;
  private Script script;

  /** Takes all results from the driver, and fills a store. */
  @Setup(Level.Trial)
  public void fill() throws IOException, SQLException {
    database = new BenchmarkDatabase();
    connection = database.direct();
    replay = new ReplayStatements(connection);
    script = new Script(keys);
    results = new CachedResult[PointLookup.SHAPES][BenchmarkDatabase.KEYS + 1];
    session = new SessionFingerprint("", "u", "u", List.of(), new TreeMap<>()).intern();
    store = LocalResultStore.of(256 << 20, OptionalLong.empty());
    VersionVector versions = new TableVersions().capture(List.of());
    if (versions == null) {
      throw new IllegalStateException("nothing is being written");
    }
    shapes = new StatementShape[PointLookup.SHAPES];
    for (int i = 0; i < shapes.length; i++) {
      shapes[i] =
          SqlLexer.lex("SELECT c" + i + " FROM t WHERE id = ?", LexOptions.PREPARED).shape();
      for (int j = 0; j < script.keysOfAShape(); j++) {
        int account = script.account(i, j);
        CachedResult result = captured(i, account);
        results[i][account] = result;
        store.put(
            key(i, account),
            new CacheEntry(result, versions, Long.MAX_VALUE, UncountedEntries.OWNER));
      }
    }
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void stop() throws IOException, SQLException {
    connection.close();
    database.close();
  }

  private CachedResult captured(int shape, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PointLookup.sql(shape))) {
      statement.setInt(1, id);
      try (ResultSet live = statement.executeQuery()) {
        CachedResult captured = PostgresResults.capture(live, ResultLimits.NONE, null);
        if (captured == null) {
          throw new IllegalStateException("the result cannot be captured");
        }
        return captured;
      }
    }
  }

  private QueryKey key(int shape, int account) {
    return new QueryKey(shapes[shape], session, NO_LITERALS, new Object[] {account}, 0);
  }

  /** A look-up in the store. */
  @Benchmark
  public @Nullable CacheEntry get() {
    script.advance();
    return store.get(key(script.shape(), script.account()));
  }

  /** A replay. */
  @Benchmark
  public int replay() throws SQLException {
    script.advance();
    CachedResult result = results[script.shape()][script.account()];
    try (ResultSet row = replay.replay(result, ReplayOptions.DEFAULT)) {
      row.next();
      return row.getInt("balance");
    }
  }
}
