package dev.larder.jdbc.gate;

import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.keys.KeyType;
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
  private static final int BUFFER_BYTES = 48;

  /**
   * A value with a type.
   *
   * @param bytes an array as it was received, if it is sent so: arrays whose subscripts begin
   *     elsewhere have the same text
   */
  private record Part(int oid, @Nullable String text, @Nullable ByteBuffer bytes)
      implements Weighed {
    @Override
    public long weightBytes() {
      return HeapWeight.align(HeapWeight.HEADER + Integer.BYTES + 2L * HeapWeight.REFERENCE)
          + (text == null ? 0 : HeapWeight.ofString(text))
          + (bytes == null ? 0 : BUFFER_BYTES + HeapWeight.ofBytes(bytes.capacity()));
    }
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
          ? part(types.getPGType(((PGobject) value).getType()), ((PGobject) value).getValue(), null)
          : null;
    } catch (SQLException e) {
      return null;
    }
  }

  private static @Nullable Part arrayPart(PgArray array, int oid) throws SQLException {
    String text = array.toString();
    byte[] bytes = array.toBytes();
    if (text == null || (bytes != null && text.equals("NULL"))) {
      return null; // NULL is the driver's word for an array that it cannot read.
    }
    return part(oid, text, bytes == null ? null : ByteBuffer.wrap(bytes.clone()));
  }

  private static @Nullable Part part(int oid, @Nullable String text, @Nullable ByteBuffer bytes) {
    return oid == Oid.UNSPECIFIED ? null : new Part(oid, text, bytes);
  }

  /** Returns the type of the elements if {@code part} is an array of one that keys may have. */
  public static @Nullable KeyType typeOfElements(Weighed part) {
    return part instanceof Part own
        ? switch (own.oid()) {
          case Oid.INT2_ARRAY, Oid.INT4_ARRAY, Oid.INT8_ARRAY -> KeyType.INTEGER;
          case Oid.UUID_ARRAY -> KeyType.UUID;
          case Oid.TEXT_ARRAY, Oid.VARCHAR_ARRAY -> KeyType.TEXT;
          default -> null;
        }
        : null;
  }

  /**
   * What a value of the driver's own classes is made of.
   *
   * @param oid the type
   * @param bytes an array as it was received, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  public record Form(int oid, @Nullable String text, byte @Nullable [] bytes) {}

  /** Returns what the value is made of for which {@code part} stands, or null if it is unknown. */
  public static @Nullable Form form(Weighed part) {
    return part instanceof Part own
        ? new Form(own.oid(), own.text(), own.bytes() == null ? null : own.bytes().array().clone())
        : null;
  }

  /** Returns a value for which an equal part stands. */
  public static Object value(Form form, PostgresSession session) throws SQLException {
    if (form.bytes() != null) {
      return new PgArray(session.driver(), form.oid(), form.bytes());
    }
    PGobject value = new PGobject();
    value.setType(session.driver().getTypeInfo().getPGType(form.oid()));
    value.setValue(form.text());
    return value;
  }

  /** Returns the type that the driver declares for the value, or a number of its own. */
  public static int typeOf(Weighed part) {
    return part instanceof Part own ? own.oid() : part.getClass().hashCode();
  }

  /** Returns the text that the server will parse, where {@code part} has one. */
  public static @Nullable String textOf(Weighed part) {
    return part instanceof Part own ? own.text() : null;
  }
}
