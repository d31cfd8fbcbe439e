package dev.larder.jdbc.postgresql;

import dev.larder.result.HeapWeight;
import dev.larder.store.Weighed;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;
import org.postgresql.core.TypeInfo;
import org.postgresql.jdbc.PgArray;
import org.postgresql.util.PGobject;

/** Bind values of the driver's own classes as immutable parts of a key. Stateless. */
public final class BindSnapshots {
  /** An array that is sent as its text. */
  private record ArrayPart(int oid, String text) implements Weighed {
    @Override
    public long weightBytes() {
      return ofTyped(1) + HeapWeight.ofString(text);
    }
  }

  /**
   * An array that is sent as it was received. Its text does not tell all: arrays whose subscripts
   * begin elsewhere read the same.
   */
  private record BinaryArrayPart(int oid, ByteBuffer bytes, String text) implements Weighed {
    private static final int BUFFER = 48;

    @Override
    public long weightBytes() {
      return ofTyped(2) + BUFFER + HeapWeight.ofBytes(bytes.capacity()) + HeapWeight.ofString(text);
    }
  }

  /** A value with a type. */
  private record ObjectPart(int oid, @Nullable String value) implements Weighed {
    @Override
    public long weightBytes() {
      return ofTyped(1) + (value == null ? 0 : HeapWeight.ofString(value));
    }
  }

  private static long ofTyped(int references) {
    return HeapWeight.align(
        HeapWeight.HEADER + Integer.BYTES + (long) references * HeapWeight.REFERENCE);
  }

  private BindSnapshots() {}

  /**
   * Returns what stands for {@code value} in a key, or null where that cannot be told; the value
   * may change afterwards. To be called once the driver has it: what a type name means is what it
   * meant to this connection when it was first used there.
   */
  public static @Nullable Weighed keyPart(Object value, PostgresSession session) {
    try {
      TypeInfo types = session.driver().getTypeInfo();
      if (value instanceof PgArray array) {
        return arrayPart(array, types.getPGArrayType(array.getBaseTypeName()));
      }
      return value.getClass() == PGobject.class
          ? objectPart((PGobject) value, types.getPGType(((PGobject) value).getType()))
          : null;
    } catch (SQLException e) {
      return null;
    }
  }

  private static @Nullable Weighed arrayPart(PgArray array, int oid) throws SQLException {
    String text = array.toString();
    byte[] bytes = array.toBytes();
    // NULL is the driver's word for an array that it cannot read.
    if (oid == Oid.UNSPECIFIED || text == null || (bytes != null && text.equals("NULL"))) {
      return null;
    }
    return bytes == null
        ? new ArrayPart(oid, text)
        : new BinaryArrayPart(oid, ByteBuffer.wrap(bytes.clone()), text);
  }

  private static @Nullable Weighed objectPart(PGobject value, int oid) {
    return oid == Oid.UNSPECIFIED ? null : new ObjectPart(oid, value.getValue());
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
