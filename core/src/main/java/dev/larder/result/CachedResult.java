package dev.larder.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A complete result as the driver received it. Immutable and thread-safe, provided that nobody
 * changes the bytes: whoever hands out a value hands out a copy.
 *
 * <p>Beside the bytes it may remember values that were decoded from them, so that later replays
 * need not. That takes room on the heap: a replay that wants it {@linkplain #askForRoom asks}, and
 * the store that keeps the result {@linkplain #giveRoom gives} it once it counts the weight; in a
 * store that never does, nothing is remembered.
 */
public final class CachedResult {
  private static final ResultColumns NO_COLUMNS = new ResultColumns(List.of());
  private static final ResultRows NO_ROWS = new RawRows(new byte[0][][]);

  private final ResultColumns columns;
  private final ResultRows rows;
  private final long weightBytes;
  private final boolean mayBeCut;

  /** What the decoded values may weigh; 0 while nobody has asked. */
  private volatile int roomBytes;

  private volatile boolean askingForRoom;

  /**
   * By row and column; null where nothing is remembered. The elements are written without order:
   * whoever sees one sees all of it, for only objects whose fields are final are put there.
   */
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
    return HeapWeight.align(
        HeapWeight.HEADER + 3 * HeapWeight.REFERENCE + Long.BYTES + Integer.BYTES + 2);
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
   * driver replays them, the columns if this result was the first to have them, and the room that
   * was given for decoded values.
   */
  public long weightBytes() {
    return decoded == null ? weightBytes : weightBytes + roomBytes;
  }

  /**
   * Asks for room for the decoded values of the result, with one element for each value. Only the
   * first call counts; one that asks for nothing, or for more than 2 GB, does not.
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
   * For the store that keeps this result, which must count the growth of {@link #weightBytes}:
   * gives the room that was asked for. Not to be called by two threads at once.
   */
  public void giveRoom() {
    if (askingForRoom) {
      decoded = new Object[rows.count() * columns.count()];
      askingForRoom = false;
    }
  }

  /**
   * Returns the decoded values by row and column, null where there is none yet; or null without
   * room. Whoever has decoded a value may put it there, provided that it is of a class whose fields
   * are final, and that everybody would decode the same.
   */
  public @Nullable Object @Nullable [] decoded() {
    return decoded;
  }
}
