package dev.larder.result;

import com.github.benmanes.caffeine.cache.Interner;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a result. Immutable and thread-safe, compared by value, and meant to be shared:
 * the results of one statement refer to the same instance once it went through {@link #intern}.
 */
public final class ResultColumns {
  private static final Interner<ResultColumns> SHARED = Interner.newWeakInterner();

  /** What the interner spends on an instance: a node, a weak reference and a table slot. */
  private static final long INTERNER_BYTES = 104;

  private final ResultColumn[] columns;
  private final int hash;
  private volatile boolean counted;

  /** Racy: who does not see it asks the interner, which answers the same. */
  private boolean interned;

  /** Creates columns, in the order of the result. */
  public ResultColumns(List<ResultColumn> columns) {
    this.columns = columns.toArray(ResultColumn[]::new);
    this.hash = Arrays.hashCode(this.columns);
  }

  /**
   * Returns the one instance of the JVM that equals this one: this one if there is none yet. The
   * instance is forgotten when nothing refers to it any more.
   */
  public ResultColumns intern() {
    if (interned) {
      return this;
    }
    ResultColumns shared = SHARED.intern(this);
    shared.interned = true;
    return shared;
  }

  /** Returns {@link #weightBytes()} to the first caller, and 0 to all others. */
  long weightBytesOnce() {
    return counted ? 0 : weightBytesOfTheFirst();
  }

  private synchronized long weightBytesOfTheFirst() {
    long bytes = counted ? 0 : weightBytes();
    counted = true;
    return bytes;
  }

  /** Returns how many columns there are; may be 0. */
  public int count() {
    return columns.length;
  }

  /** Returns the column at {@code index}, counted from 0. */
  public ResultColumn get(int index) {
    return columns[index];
  }

  /** Returns what the columns occupy on the heap, in bytes, as if nothing of it were shared. */
  public long weightBytes() {
    long bytes =
        INTERNER_BYTES
            + HeapWeight.ofObject(1, Integer.BYTES + 2)
            + HeapWeight.ofReferences(columns.length);
    for (ResultColumn column : columns) {
      bytes += column.weightBytes();
    }
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ResultColumns that
            && hash == that.hash
            && Arrays.equals(columns, that.columns));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Arrays.toString(columns);
  }
}
