package dev.larder.jdbc.postgresql;

import java.sql.Array;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgArray;
import org.postgresql.util.PGobject;

/** Bind values of the driver's own classes as immutable parts of a key. Stateless. */
public final class BindSnapshots {
  /** An array: equal ones are sent as equal bytes. */
  private record ArrayPart(String type, boolean binary, String text) {}

  /** A value with a type name. */
  private record ObjectPart(String type, @Nullable String value) {}

  private BindSnapshots() {}

  /**
   * Returns what stands for {@code value} in a key, or null where that cannot be told; the value
   * may change afterwards.
   */
  public static @Nullable Object keyPart(Object value) {
    try {
      if (value instanceof PgArray array) {
        String text = array.toString();
        return text == null ? null : new ArrayPart(typeOf(array), array.isBinary(), text);
      }
      return value.getClass() == PGobject.class ? objectPart((PGobject) value) : null;
    } catch (SQLException e) {
      return null;
    }
  }

  private static String typeOf(Array array) throws SQLException {
    return array.getBaseTypeName();
  }

  private static ObjectPart objectPart(PGobject value) {
    return new ObjectPart(value.getType(), value.getValue());
  }

  /** Returns the text that the server will parse, where {@code part} has one. */
  public static @Nullable String textOf(Object part) {
    if (part instanceof ArrayPart array) {
      return array.text();
    }
    return part instanceof ObjectPart object ? object.value() : null;
  }
}
