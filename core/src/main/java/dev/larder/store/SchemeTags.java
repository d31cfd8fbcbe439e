package dev.larder.store;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * The tags of a <em>scheme</em>: a fixed set of columns of a table, by whose values its rows are
 * told apart. Values are hashed to a fixed number of <em>cells</em>: two values in one cell
 * invalidate each other needlessly and never wrongly. Thread-safe.
 *
 * <p>What keeps results right is that each change of a row bumps enough, whichever results exist.
 * For a change from row o to row n, o or n being absent for an INSERT or a DELETE:
 *
 * <ul>
 *   <li>the cell of o's value or {@link #unknownOld};
 *   <li>where there is no o, or its value differs from n's: the cell of n's value or {@link
 *       #unknownNew}.
 * </ul>
 *
 * A result that only rows with the value v can change depends on the cell of v and on both others.
 *
 * <p>A cell is made when it is first needed, by a reader or a writer, at the present epoch: so that
 * no earlier write can have been missed by who compares versions with an epoch. It lives as long as
 * its table's tag. A scheme with all cells in use takes some 115 kB.
 */
public final class SchemeTags {
  /** How many parts the values of a scheme have for JVMs that share results. */
  public static final int BUCKETS = 128;

  private static final int UNKNOWN_OLD = BUCKETS;
  private static final int UNKNOWN_NEW = BUCKETS + 1;

  /** How many buckets a scheme has, those of rows whose values are not known included. */
  public static final int ALL_BUCKETS = BUCKETS + 2;

  private static final int CHUNK_BITS = 6;
  private static final int CHUNK = 1 << CHUNK_BITS;

  /** How many cells a scheme gets that is made from now on; 0 for what it is made with. */
  private static volatile int forcedCells;

  private final TableTag table;
  private final int mask;
  private final LongSupplier epoch;
  private final long layout;
  private final int number;
  private final AtomicReferenceArray<AtomicReferenceArray<KeyTag>> chunks;
  private final KeyTag unknownOld;
  private final KeyTag unknownNew;
  private final List<KeyTag> onlyUnknownNew;

  SchemeTags(TableTag table, int wanted, LongSupplier epoch, long layout, int number) {
    int cells = forcedCells == 0 ? wanted : forcedCells;
    if (Integer.bitCount(cells) != 1) {
      throw new IllegalArgumentException(cells + " cells; it must be a power of two.");
    }
    this.table = table;
    this.mask = cells - 1;
    this.epoch = epoch;
    this.layout = layout;
    this.number = number;
    this.chunks = new AtomicReferenceArray<>(Math.max(1, cells >> CHUNK_BITS));
    this.unknownOld = new KeyTag.OfScheme(this, UNKNOWN_OLD, epoch.getAsLong());
    this.unknownNew = new KeyTag.OfScheme(this, UNKNOWN_NEW, epoch.getAsLong());
    this.onlyUnknownNew = List.of(unknownNew);
  }

  /**
   * Has schemes that are made from now on have so many cells, for tests of values that share a cell
   * and of values that never do; 0 ends that.
   */
  static void forceCells(int cells) {
    forcedCells = cells;
  }

  /** Returns the table that the rows belong to. */
  public TableTag table() {
    return table;
  }

  /** Returns the cell of the value with this hash; equal values have equal hashes. */
  public KeyTag cell(long hash) {
    long mixed = hash * 0x9E3779B97F4A7C15L;
    int index = (int) (mixed >>> 32) & mask;
    AtomicReferenceArray<KeyTag> chunk = chunks.get(index >> CHUNK_BITS);
    if (chunk == null) {
      AtomicReferenceArray<KeyTag> made = new AtomicReferenceArray<>(CHUNK);
      chunk = chunks.compareAndExchange(index >> CHUNK_BITS, null, made);
      chunk = chunk == null ? made : chunk;
    }
    int place = index & (CHUNK - 1);
    KeyTag cell = chunk.get(place);
    if (cell == null) {
      KeyTag made = new KeyTag.OfScheme(this, index & (BUCKETS - 1), epoch.getAsLong());
      cell = chunk.compareAndExchange(place, null, made);
      cell = cell == null ? made : cell;
    }
    return cell;
  }

  /** Returns the tag of rows that are changed, deleted or leave their value, which nobody knows. */
  public KeyTag unknownOld() {
    return unknownOld;
  }

  /** Returns the tag of rows that come to a value which nobody knows. */
  public KeyTag unknownNew() {
    return unknownNew;
  }

  /** Returns a list of {@link #unknownNew} alone. */
  public List<KeyTag> onlyUnknownNew() {
    return onlyUnknownNew;
  }

  /** See {@link KeyTag#layout}. */
  long layout() {
    return layout;
  }

  int bucket(int place) {
    return number < 0 ? -1 : number * ALL_BUCKETS + place;
  }

  /** Returns how many cells there are now, for tests and status displays. */
  public int used() {
    int used = 0;
    for (int i = 0; i < chunks.length(); i++) {
      AtomicReferenceArray<KeyTag> chunk = chunks.get(i);
      for (int j = 0; chunk != null && j < CHUNK; j++) {
        used += chunk.get(j) == null ? 0 : 1;
      }
    }
    return used;
  }
}
