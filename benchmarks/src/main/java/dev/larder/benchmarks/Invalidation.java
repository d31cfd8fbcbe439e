package dev.larder.benchmarks;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.local.LocalResultStore;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumns;
import dev.larder.store.CacheEntry;
import dev.larder.store.PendingWrite;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
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
 * What it takes to invalidate a table: announce and publish of one write, with few and with many
 * results of the table in the store. The entries are not touched, so that their number must not
 * matter.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "-Xmx2g")
@State(Scope.Benchmark)
public class Invalidation {
  private static final Object[] NO_LITERALS = {};
  private static final long ENOUGH_BYTES = 1L << 30;

  /** How many results of the table are in the store. */
  @Param({"1000", "1000000"})
  public int entries;

  private final TableVersions versions = new TableVersions();
  private final TableTag table = versions.tag(TableTag.Scope.RELATION, 1);
  private final WriteSet write = new WriteSet(List.of(table), false);
  private ResultStore store;

  /** Fills the store. */
  @Setup(Level.Trial)
  public void fill() {
    store = LocalResultStore.of(ENOUGH_BYTES, OptionalLong.empty());
    StatementShape shape =
        SqlLexer.lex("SELECT a FROM t WHERE id = ?", LexOptions.PREPARED).shape();
    SessionFingerprint session =
        new SessionFingerprint("", "u", "u", List.of(), new TreeMap<>()).intern();
    CachedResult result =
        CachedResult.of(new ResultColumns(List.of()), new RawRows(new byte[0][][]), false);
    for (int id = 0; id < entries; id++) {
      VersionVector captured = versions.capture(List.of(table));
      if (captured == null) {
        throw new IllegalStateException("nothing is being written");
      }
      store.put(
          new QueryKey(shape, session, NO_LITERALS, new Object[] {id}, 0),
          new CacheEntry(result, captured, Long.MAX_VALUE, UncountedEntries.OWNER));
    }
    if (current() != entries) {
      throw new IllegalStateException(current() + " of " + entries + " results are in the store");
    }
  }

  /** Makes sure that everything was there, and is invalid. */
  @TearDown(Level.Trial)
  public void check() {
    long[] kept = {0};
    store.forEach(UncountedEntries.OWNER, (key, entry) -> kept[0]++);
    if (kept[0] != entries || current() != 0) {
      throw new IllegalStateException(kept[0] + " results, and " + current() + " of them valid");
    }
  }

  private long current() {
    long[] valid = {0};
    store.forEach(
        UncountedEntries.OWNER, (key, entry) -> valid[0] += versions.isCurrent(entry) ? 1 : 0);
    return valid[0];
  }

  /** Announces and publishes one write of the table. */
  @Benchmark
  public PendingWrite invalidate() {
    PendingWrite pending = versions.announce(write);
    versions.publish(pending);
    return pending;
  }
}
