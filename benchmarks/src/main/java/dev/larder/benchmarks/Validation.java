package dev.larder.benchmarks;

import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumns;
import dev.larder.store.CacheEntry;
import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.Tag;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a hit costs more where something was written since the last one: its entry must be validated
 * again. {@code writeAndValidate} less {@code write} is that cost. Rows of the entry's own table
 * are written, but none that it depends on, so that it stays current and all of its versions are
 * looked at.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Benchmark)
public class Validation {
  private static final int CELLS = 4_096;

  /** A row that is written, and in no list. */
  private static final int OTHER = 4_000;

  /** What the entry is of: 0 for a look-up by key, else a list of so many rows. */
  @Param({"0", "20", "100"})
  public int rows;

  private final TableVersions versions = new TableVersions();
  private final TableTag table = versions.tag(TableTag.Scope.RELATION, 1);
  private final SchemeTags keys = table.scheme("id", CELLS, 1, 0);
  private final SchemeTags lists = table.scheme("list", CELLS, 1, 1);
  private final WriteSet write =
      new WriteSet(List.of(table), false)
          .withRows(table, List.of(keys.cell(OTHER), lists.cell(OTHER), lists.unknownOld()));
  private CacheEntry entry;

  /** Captures what an entry of a look-up, or of a list, depends on. */
  @Setup
  public void capture() {
    List<Tag> tags = new ArrayList<>();
    SchemeTags restricted = rows == 0 ? keys : lists;
    tags.add(table.rows());
    tags.add(restricted.cell(1));
    tags.add(rows == 0 ? keys.unknownOld() : lists.unknownNew());
    for (int row = 0; row < rows; row++) {
      tags.add(keys.cell(row));
    }
    if (rows > 0) {
      tags.add(keys.unknownOld());
    }
    VersionVector captured = versions.capture(tags);
    if (captured == null) {
      throw new IllegalStateException("nothing is being written");
    }
    CachedResult result =
        CachedResult.of(new ResultColumns(List.of()), new RawRows(new byte[0][][]), false);
    entry = new CacheEntry(result, captured, Long.MAX_VALUE, UncountedEntries.OWNER);
  }

  /** Writes one row by its key. */
  @Benchmark
  public void write() {
    versions.publish(versions.announce(write));
  }

  /** Writes one row by its key, and validates the entry. */
  @Benchmark
  public boolean writeAndValidate() {
    versions.publish(versions.announce(write));
    if (!versions.isCurrent(entry)) {
      throw new IllegalStateException("the entry depends on what was written");
    }
    return true;
  }
}
