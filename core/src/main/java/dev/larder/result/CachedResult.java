package dev.larder.result;

import java.util.List;

/**
 * A complete result as the driver received it. Immutable and thread-safe, provided that nobody
 * changes the bytes: whoever hands out a value hands out a copy.
 */
public final class CachedResult {
  private static final ResultColumns NO_COLUMNS = new ResultColumns(List.of());
  private static final ResultRows NO_ROWS = new RawRows(new byte[0][][]);

  private final ResultColumns columns;
  private final ResultRows rows;
  private final long weightBytes;
  private final boolean mayBeCut;

  private CachedResult(ResultColumns columns, ResultRows rows, long weightBytes, boolean mayBeCut) {
    this.columns = columns;
    this.rows = rows;
    this.weightBytes = weightBytes;
    this.mayBeCut = mayBeCut;
  }

  /** Creates a result without columns and rows that weighs {@code weightBytes}. */
  public CachedResult(long weightBytes) {
    this(NO_COLUMNS, NO_ROWS, weightBytes, false);
  }

  /**
   * Creates a result that shares equal columns with the other results of the JVM.
   *
   * <p>The columns' weight is counted by the result that brought them first, and by no other. When
   * that result is evicted before the others, theirs are kept but not counted: the error is at most
   * one set of columns for each statement that still has results.
   *
   * @param mayBeCut see {@link #mayBeCut()}
   */
  public static CachedResult of(ResultColumns columns, ResultRows rows, boolean mayBeCut) {
    ResultColumns shared = columns.intern();
    long bytes = ownBytes() + rows.weightBytes() + shared.weightBytesOnce();
    return new CachedResult(shared, rows, bytes, mayBeCut);
  }

  private static long ownBytes() {
    return HeapWeight.align(HeapWeight.HEADER + 2 * HeapWeight.REFERENCE + Long.BYTES + 1);
  }

  /** Returns the columns, which other results may share. */
  public ResultColumns columns() {
    return columns;
  }

  /** Returns the rows. */
  public ResultRows rows() {
    return rows;
  }

  /**
   * Returns true if the statement's maxRows ended the result, or may have: there are exactly as
   * many rows as it allowed. Such a result answers only a statement with the same maxRows.
   */
  public boolean mayBeCut() {
    return mayBeCut;
  }

  /**
   * Returns what the result occupies on the heap, in bytes: values, rows, the form in which the
   * driver replays them, and the columns if this result was the first to have them.
   */
  public long weightBytes() {
    return weightBytes;
  }
}
