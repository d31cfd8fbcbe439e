package dev.larder.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A complete result as the driver received it. Immutable and thread-safe, provided that nobody
 * changes the bytes: whoever hands out a value hands out a copy.
 *
 * <p>It may also remember decoded values for later replays. A replay {@linkplain #askForRoom asks}
 * for the room on the heap, and the store {@linkplain #giveRoom gives} it once it counts the
 * weight.
 */
public final class CachedResult {
  private static final ResultColumns NO_COLUMNS = new ResultColumns(List.of());
  private static final ResultRows NO_ROWS = new RawRows(new byte[0][][]);

  private final ResultColumns columns;
  private final ResultRows rows;
  private final long weightBytes;
  private final boolean mayBeCut;

  private volatile int roomBytes;

  private volatile boolean askingForRoom;

  /** By row and column. Threads may race: only objects whose fields are final are put there. */
  private volatile @Nullable Object @Nullable [] decoded;

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
   * Creates a result that shares equal columns with other results. Only the first of them counts
   * their weight, so that they are not counted once it is evicted: an error of at most one set of
   * columns for each statement.
   */
  public static CachedResult of(ResultColumns columns, ResultRows rows, boolean mayBeCut) {
    ResultColumns shared = columns.intern();
    long own = HeapWeight.ofObject(3, Long.BYTES + Integer.BYTES + 2);
    long bytes = own + rows.weightBytes() + shared.weightBytesOnce();
    return new CachedResult(shared, rows, bytes, mayBeCut);
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
   * Returns whether the statement's maxRows may have ended the result: there are as many rows as it
   * allowed. Such a result answers only a statement with the same maxRows.
   */
  public boolean mayBeCut() {
    return mayBeCut;
  }

  /**
   * Returns what the result occupies on the heap, in bytes, with the columns if it was the first to
   * have them, and with the room for decoded values.
   */
  public long weightBytes() {
    return decoded == null ? weightBytes : weightBytes + roomBytes;
  }

  /**
   * Asks for room for the decoded values. Only the first call counts; one that asks for nothing, or
   * for more than 2 GB, does not.
   *
   * @param bytes what the array and all values in it may occupy
   */
  public void askForRoom(long bytes) {
    if (roomBytes == 0 && bytes > 0 && bytes <= Integer.MAX_VALUE) {
      roomBytes = (int) bytes;
      askingForRoom = true;
    }
  }

  /** Returns true if room was asked for and has not been given. */
  public boolean isAskingForRoom() {
    return askingForRoom;
  }

  /**
   * Gives the room that was asked for. The store that keeps the result calls it, not from two
   * threads at once, and counts the growth of {@link #weightBytes}.
   */
  public void giveRoom() {
    if (askingForRoom) {
      decoded = new Object[rows.count() * columns.count()];
      askingForRoom = false;
    }
  }

  /**
   * Returns the decoded values by row and column; null without room. A value may be put there if
   * its class has final fields only, and everybody would decode the same.
   */
  public @Nullable Object @Nullable [] decoded() {
    return decoded;
  }
}
