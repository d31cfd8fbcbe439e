package dev.larder.memcached.format;

import dev.larder.remote.RemoteTokens;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultRows;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key, tokens and a result as bytes, neither compressed nor checked. Stateless. */
final class EntryBody {
  private static final int NULL = -1;
  private static final int COLUMN_BYTES = 6 * Integer.BYTES + 1;

  private EntryBody() {}

  /** Returns the bytes, or null if there are more than {@code maxBytes}, or no columns. */
  static byte @Nullable [] write(byte[] key, RemoteEntry entry, int maxBytes) {
    List<byte[]> labels = labels(entry.result().columns());
    long size = size(key, entry, labels);
    if (labels.isEmpty() || size > maxBytes) {
      return null;
    }
    ByteBuffer out = ByteBuffer.allocate((int) size);
    put(out, key);
    out.putInt(entry.tokens().size());
    for (int i = 0; i < entry.tokens().size(); i++) {
      out.putLong(entry.tokens().word(i));
    }
    out.put((byte) (entry.result().mayBeCut() ? 1 : 0));
    writeColumns(out, entry.result().columns(), labels);
    writeRows(out, entry.result().rows(), labels.size());
    return out.array();
  }

  private static List<byte[]> labels(ResultColumns columns) {
    List<byte[]> labels = new ArrayList<>();
    for (int i = 0; i < columns.count(); i++) {
      labels.add(columns.get(i).label().getBytes(StandardCharsets.UTF_16BE));
    }
    return labels;
  }

  private static long size(byte[] key, RemoteEntry entry, List<byte[]> labels) {
    long size = 4L * Integer.BYTES + 1 + key.length + 8L * entry.tokens().size();
    for (byte[] label : labels) {
      size += COLUMN_BYTES + label.length;
    }
    ResultRows rows = entry.result().rows();
    for (int row = 0; row < rows.count(); row++) {
      for (int column = 0; column < labels.size(); column++) {
        byte[] value = rows.value(row, column);
        size += Integer.BYTES + (value == null ? 0 : value.length);
      }
    }
    return size;
  }

  private static void writeColumns(ByteBuffer out, ResultColumns columns, List<byte[]> labels) {
    out.putInt(labels.size());
    for (int i = 0; i < labels.size(); i++) {
      ResultColumn column = columns.get(i);
      put(out, labels.get(i));
      out.putInt(column.tableOid()).putInt(column.columnNumber()).putInt(column.typeOid());
      out.putInt(column.typeLength()).putInt(column.typeModifier());
      out.put((byte) (column.binary() ? 1 : 0));
    }
  }

  private static void writeRows(ByteBuffer out, ResultRows rows, int columns) {
    out.putInt(rows.count());
    for (int row = 0; row < rows.count(); row++) {
      for (int column = 0; column < columns; column++) {
        put(out, rows.value(row, column));
      }
    }
  }

  private static void put(ByteBuffer out, byte @Nullable [] value) {
    if (value == null) {
      out.putInt(NULL);
    } else {
      out.putInt(value.length).put(value);
    }
  }

  /**
   * Returns the entry in {@code plain}, or null if it is not one of {@code key}, from end to end.
   */
  static @Nullable RemoteEntry read(byte[] key, byte[] plain) {
    ByteBuffer in = ByteBuffer.wrap(plain);
    try {
      if (in.getInt() != key.length || !in.slice(in.position(), key.length).equals(wrap(key))) {
        return null;
      }
      in.position(in.position() + key.length);
      long[] tokens = new long[count(in, Long.BYTES)];
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] = in.getLong();
      }
      boolean mayBeCut = in.get() == 1;
      ResultColumns columns = readColumns(in);
      RawRows rows = readRows(in, columns.count());
      return in.hasRemaining()
          ? null
          : new RemoteEntry(RemoteTokens.of(tokens), CachedResult.of(columns, rows, mayBeCut));
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes);
  }

  private static ResultColumns readColumns(ByteBuffer in) {
    List<ResultColumn> columns = new ArrayList<>();
    for (int left = count(in, COLUMN_BYTES); left > 0; left--) {
      byte[] label = take(in, in.getInt());
      columns.add(
          new ResultColumn(
              new String(label, StandardCharsets.UTF_16BE),
              in.getInt(),
              in.getInt(),
              in.getInt(),
              in.getInt(),
              in.getInt(),
              in.get() == 1));
    }
    return new ResultColumns(columns);
  }

  private static RawRows readRows(ByteBuffer in, int columns) {
    byte[][][] rows = new byte[count(in, Math.max(1, columns) * Integer.BYTES)][columns][];
    for (byte[][] row : rows) {
      for (int column = 0; column < columns; column++) {
        readValue(in, row, column);
      }
    }
    return new RawRows(rows);
  }

  @SuppressWarnings("NullAway") // An element of the rows is null for NULL.
  private static void readValue(ByteBuffer in, byte[][] row, int column) {
    int length = in.getInt();
    row[column] = length == NULL ? null : take(in, length);
  }

  /**
   * Returns a number of things that have at least {@code bytes} each, so that they may be there.
   */
  private static int count(ByteBuffer in, int bytes) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / bytes) {
      throw new BufferUnderflowException();
    }
    return count;
  }

  private static byte[] take(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] value = new byte[length];
    in.get(value);
    return value;
  }
}
