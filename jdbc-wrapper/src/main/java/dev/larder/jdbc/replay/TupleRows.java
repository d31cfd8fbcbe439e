package dev.larder.jdbc.replay;

import dev.larder.result.HeapWeight;
import dev.larder.result.ResultRows;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Tuple;

/**
 * Rows in the form that the driver's result set reads: its own tuples in a list that nobody can
 * change. The tuples may be those of a live result; the driver writes into tuples of updatable
 * results only. Immutable and thread-safe.
 */
final class TupleRows extends AbstractList<Tuple> implements ResultRows, RandomAccess {
  private static final long OWN_BYTES =
      HeapWeight.align(HeapWeight.HEADER + 2 * Integer.BYTES + HeapWeight.REFERENCE);
  private static final long TUPLE_BYTES =
      HeapWeight.align(HeapWeight.HEADER + HeapWeight.REFERENCE + 1);

  private final Tuple[] tuples;
  private final int count;

  private TupleRows(Tuple[] tuples) {
    this.tuples = tuples;
    this.count = tuples.length;
  }

  /** Returns the rows of a live result, or null if they weigh more than {@code maxBytes}. */
  static @Nullable TupleRows upTo(long maxBytes, List<Tuple> live) {
    return weigh(live, maxBytes) > maxBytes ? null : new TupleRows(live.toArray(new Tuple[0]));
  }

  /** Returns {@code rows}, which have another form, in this one. */
  static TupleRows of(ResultRows rows, int columns) {
    Tuple[] tuples = new Tuple[rows.count()];
    for (int row = 0; row < tuples.length; row++) {
      byte[][] values = new byte[columns][];
      for (int column = 0; column < columns; column++) {
        setNullable(values, column, rows.value(row, column));
      }
      tuples[row] = new Tuple(values);
    }
    return new TupleRows(tuples);
  }

  /** Returns a tuple that shares no array with {@code tuple}. */
  static Tuple copyOf(Tuple tuple) {
    byte[][] values = new byte[tuple.fieldCount()][];
    for (int column = 0; column < values.length; column++) {
      byte @Nullable [] value = tuple.get(column);
      setNullable(values, column, value == null ? null : value.clone());
    }
    return new Tuple(values);
  }

  @SuppressWarnings("NullAway") // An element of the driver's rows is null for NULL.
  private static void setNullable(byte[][] values, int column, byte @Nullable [] value) {
    values[column] = value;
  }

  private static long weigh(List<Tuple> rows, long maxBytes) {
    long bytes = OWN_BYTES + HeapWeight.ofReferences(rows.size());
    for (int row = 0; row < rows.size() && bytes <= maxBytes; row++) {
      Tuple tuple = rows.get(row);
      bytes += TUPLE_BYTES + HeapWeight.ofReferences(tuple.fieldCount());
      for (int column = 0; column < tuple.fieldCount(); column++) {
        byte @Nullable [] value = tuple.get(column);
        bytes += value == null ? 0 : HeapWeight.ofBytes(value.length);
      }
    }
    return bytes;
  }

  @Override
  public Tuple get(int row) {
    return tuples[row];
  }

  @Override
  public int size() {
    return count;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public byte @Nullable [] value(int row, int column) {
    return tuples[row].get(column);
  }

  @Override
  public long weightBytes() {
    return weigh(this, Long.MAX_VALUE);
  }
}
