package dev.larder.keys;

import dev.larder.result.CachedResult;
import dev.larder.result.ResultColumn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of some columns of one table in the rows of a result, as the server sent them. A
 * column of a result that is not a table's own column, as it is, does not count.
 */
final class RowValues {
  private final CachedResult result;
  private final List<KeyColumn> columns;
  private final int[] places;

  private RowValues(CachedResult result, List<KeyColumn> columns, int[] places) {
    this.result = result;
    this.columns = columns;
    this.places = places;
  }

  /** Returns the values, or null where not all of the columns are in the result. */
  static @Nullable RowValues of(CachedResult result, long table, List<KeyColumn> columns) {
    int[] places = new int[columns.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = place(result, table, columns.get(i).number());
      if (places[i] < 0) {
        return null;
      }
    }
    return new RowValues(result, columns, places);
  }

  private static int place(CachedResult result, long table, int number) {
    for (int i = 0; i < result.columns().count(); i++) {
      ResultColumn column = result.columns().get(i);
      if (Integer.toUnsignedLong(column.tableOid()) == table && column.columnNumber() == number) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the hash of a row's values: {@link KeyType#UNKNOWN} where one of them is not
   * understood, {@link Restriction#NULL} where one is NULL.
   */
  long hash(int row) {
    long hash = 0;
    for (int i = 0; i < places.length; i++) {
      byte[] bytes = result.rows().value(row, places[i]);
      if (bytes == null) {
        return Restriction.NULL;
      }
      KeyType type = columns.get(i).type();
      Object value = type == null ? null : value(type, bytes, result.columns().get(places[i]));
      long one = value == null || type == null ? KeyType.UNKNOWN : type.hash(value);
      if (one == KeyType.UNKNOWN) {
        return KeyType.UNKNOWN;
      }
      hash = i == 0 ? one : Restriction.combine(hash, one);
    }
    return Restriction.usable(hash);
  }

  private static @Nullable Object value(KeyType type, byte[] bytes, ResultColumn column) {
    if (!column.binary() || type == KeyType.TEXT) {
      return ofText(type, new String(bytes, StandardCharsets.UTF_8));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return switch (type) {
      case INTEGER ->
          switch (bytes.length) {
            case Short.BYTES -> (long) buffer.getShort();
            case Integer.BYTES -> (long) buffer.getInt();
            case Long.BYTES -> buffer.getLong();
            default -> null;
          };
      case UUID ->
          bytes.length == 16 ? new java.util.UUID(buffer.getLong(), buffer.getLong()) : null;
      case BOOLEAN -> bytes.length == 1 ? bytes[0] != 0 : null;
      case TEXT -> null;
    };
  }

  /** Returns the value that the server has written as {@code text}, or null if it is none. */
  static @Nullable Object ofText(KeyType type, String text) {
    return type == KeyType.BOOLEAN
        ? text.equals("t") ? Boolean.TRUE : text.equals("f") ? Boolean.FALSE : null
        : text;
  }
}
