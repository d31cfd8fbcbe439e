package dev.larder.result;

import org.jspecify.annotations.Nullable;

/** Rows as plain arrays, the form that knows no driver: what is read from another memory. */
public final class RawRows implements ResultRows {
  private final byte[] @Nullable [][] rows;

  /**
   * Creates rows over {@code rows}, which the caller gives away.
   *
   * @param rows by row and column; null for NULL
   */
  public RawRows(byte[] @Nullable [][] rows) {
    this.rows = rows;
  }

  @Override
  public int count() {
    return rows.length;
  }

  @Override
  public byte @Nullable [] value(int row, int column) {
    return rows[row][column];
  }

  @Override
  public long weightBytes() {
    long bytes = HeapWeight.ofObject(1, 0) + HeapWeight.ofReferences(rows.length);
    for (byte[] @Nullable [] row : rows) {
      bytes += ofRow(row);
    }
    return bytes;
  }

  /** Returns the weight of one row: its array and its values. */
  public static long ofRow(byte[] @Nullable [] row) {
    long bytes = HeapWeight.ofReferences(row.length);
    for (byte @Nullable [] value : row) {
      bytes += value == null ? 0 : HeapWeight.ofBytes(value.length);
    }
    return bytes;
  }
}
