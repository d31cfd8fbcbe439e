package dev.larder.jdbc.postgresql;

import dev.larder.result.HeapWeight;
import dev.larder.store.Weighed;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgArray;
import org.postgresql.util.PGobject;

/** Bind values of the driver's own classes as immutable parts of a key. Stateless. */
public final class BindSnapshots {
  /** An array that is sent as its text. */
  private record ArrayPart(String type, String text) implements Weighed {
    @Override
    public long weightBytes() {
      return ofReferences(2) + HeapWeight.ofString(type) + HeapWeight.ofString(text);
    }
  }

  /**
   * An array that is sent as it was received. Its text does not tell all: arrays whose subscripts
   * begin elsewhere read the same.
   */
  private record BinaryArrayPart(String type, ByteBuffer bytes, String text) implements Weighed {
    private static final int BUFFER = 48;

    @Override
    public long weightBytes() {
      return ofReferences(3)
          + HeapWeight.ofString(type)
          + BUFFER
          + HeapWeight.ofBytes(bytes.capacity())
          + HeapWeight.ofString(text);
    }
  }

  /** A value with a type name. */
  private record ObjectPart(String type, @Nullable String value) implements Weighed {
    @Override
    public long weightBytes() {
      return ofReferences(2)
          + HeapWeight.ofString(type)
          + (value == null ? 0 : HeapWeight.ofString(value));
    }
  }

  private static long ofReferences(int count) {
    return HeapWeight.align(HeapWeight.HEADER + (long) count * HeapWeight.REFERENCE);
  }

  private BindSnapshots() {}

  /**
   * Returns what stands for {@code value} in a key, or null where that cannot be told; the value
   * may change afterwards.
   */
  public static @Nullable Weighed keyPart(Object value) {
    try {
      if (value instanceof PgArray array) {
        return arrayPart(array);
      }
      return value.getClass() == PGobject.class ? objectPart((PGobject) value) : null;
    } catch (SQLException e) {
      return null;
    }
  }

  private static @Nullable Weighed arrayPart(PgArray array) throws SQLException {
    String type = array.getBaseTypeName();
    String text = array.toString();
    byte[] bytes = array.toBytes();
    // NULL is the driver's word for an array that it cannot read.
    if (text == null || (bytes != null && text.equals("NULL"))) {
      return null;
    }
    return bytes == null
        ? new ArrayPart(type, text)
        : new BinaryArrayPart(type, ByteBuffer.wrap(bytes.clone()), text);
  }

  private static ObjectPart objectPart(PGobject value) {
    return new ObjectPart(value.getType(), value.getValue());
  }

  /** Returns the text that the server will parse, where {@code part} has one. */
  public static @Nullable String textOf(Weighed part) {
    if (part instanceof ArrayPart array) {
      return array.text();
    }
    if (part instanceof BinaryArrayPart array) {
      return array.text();
    }
    return part instanceof ObjectPart object ? object.value() : null;
  }
}
