package dev.larder.benchmarks.locks;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumns;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * An access to a cache of {@link #entries} results over {@value #TABLES} tables: a look-up that
 * puts the result where it misses, or a write of a table. There is no database: a miss costs only
 * what the cache itself does. All entries share 64 results, so that a million large ones fit the
 * memory; the reader touches every value of the result that it gets, after the look-up.
 */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
@State(Scope.Benchmark)
public class LockStrategies {
  static final int TABLES = 16;

  private static final Object[] NO_LITERALS = {};
  private static final int RESULTS = 64;
  private static final int VALUES_OF_A_ROW = 4;
  private static final int VALUE_BYTES = 100;

  /** What is measured. */
  @Param public Strategy strategy = Strategy.LARDER;

  /** Who writes. */
  @Param public Writes writes = Writes.NONE;

  /** The size of a result: one row of four small values, or rows of 400 bytes. */
  @Param({"32", "10000"})
  public int resultBytes;

  /** How many different queries there are. */
  @Param({"1000", "1000000"})
  public int entries;

  private ResultCache cache;
  private StatementShape shape;
  private SessionFingerprint session;
  private CachedResult[] results;
  private @Nullable ScheduledExecutorService writer;

  /** What a thread did. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Counts {
    /** Look-ups that found a result. */
    public long hits;

    /** Look-ups that did not. */
    public long misses;

    /** Writes of a table. */
    public long invalidations;
  }

  /** Fills the cache, and starts the writer. */
  @Setup(Level.Trial)
  public void fill() {
    shape = SqlLexer.lex("SELECT a FROM t WHERE id = ?", LexOptions.PREPARED).shape();
    session = new SessionFingerprint("", "u", "u", List.of(), new TreeMap<>()).intern();
    results = new CachedResult[RESULTS];
    for (int i = 0; i < RESULTS; i++) {
      results[i] = CachedResult.of(new ResultColumns(List.of()), rows(), false);
    }
    cache = strategy.create(TABLES, entries);
    for (int id = 0; id < entries; id++) {
      cache.put(key(id), results[id % RESULTS], id % TABLES);
    }
    if (writes.perSecond() > 0) {
      writer = Executors.newSingleThreadScheduledExecutor();
      long period = TimeUnit.SECONDS.toNanos(1) / writes.perSecond();
      var unused = writer.scheduleAtFixedRate(this::write, period, period, TimeUnit.NANOSECONDS);
    }
  }

  /** Stops the writer. */
  @TearDown(Level.Trial)
  public void stop() throws InterruptedException {
    if (writer != null) {
      writer.shutdown();
      if (!writer.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("a write has not ended for 10 s");
      }
    }
  }

  private void write() {
    cache.invalidate(ThreadLocalRandom.current().nextInt(TABLES));
  }

  private RawRows rows() {
    int rows = Math.max(1, resultBytes / (VALUES_OF_A_ROW * VALUE_BYTES));
    int length = Math.min(VALUE_BYTES, resultBytes / VALUES_OF_A_ROW);
    return new RawRows(new byte[rows][VALUES_OF_A_ROW][length]);
  }

  private QueryKey key(int id) {
    return new QueryKey(shape, session, NO_LITERALS, new Object[] {id}, 0);
  }

  /** One access. */
  @Benchmark
  public int access(Counts counts) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (writes.perMille() > 0 && random.nextInt(1_000) < writes.perMille()) {
      counts.invalidations++;
      write();
      return 0;
    }
    int id = random.nextInt(entries);
    CachedResult result = cache.get(key(id));
    if (result == null) {
      counts.misses++;
      result = results[id % RESULTS];
      cache.put(key(id), result, id % TABLES);
    } else {
      counts.hits++;
    }
    return touch(result);
  }

  private static int touch(CachedResult result) {
    int sum = 0;
    for (int row = 0; row < result.rows().count(); row++) {
      for (int column = 0; column < VALUES_OF_A_ROW; column++) {
        byte @Nullable [] value = result.rows().value(row, column);
        sum += value == null ? 0 : value[0];
      }
    }
    return sum;
  }
}
