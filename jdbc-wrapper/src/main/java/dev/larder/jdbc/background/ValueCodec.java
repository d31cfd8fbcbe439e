package dev.larder.jdbc.background;

import dev.larder.jdbc.bind.Bind;
import dev.larder.jdbc.bind.Parameters;
import dev.larder.jdbc.gate.BindSnapshots;
import dev.larder.jdbc.postgresql.PostgresSession;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Bind values as bytes, and back to a statement, so that the same part of a key stands for them. A
 * value of the driver's own classes is read as its {@link BindSnapshots.Form}, because to make one
 * takes a connection. Stateless.
 */
final class ValueCodec {
  private static final int NULL = 1;
  private static final int BYTES = 2;
  private static final int TEMPORAL = 3;
  private static final int TYPED = 4;
  private static final int DRIVER = 5;
  private static final int DECIMAL = 6;
  private static final int FIRST_BY_TEXT = 16;

  private static final List<Class<?>> KINDS = List.of(Date.class, Time.class, Timestamp.class);

  /** Makes a value of the text of one. */
  private interface Parser {
    Object parse(String text);
  }

  /** Values of a class whose text says all; the place in the list is in the file. */
  private record ByText(Class<?> type, Parser parser) {}

  private static final List<ByText> BY_TEXT =
      List.of(
          new ByText(String.class, text -> text),
          new ByText(Integer.class, Integer::valueOf),
          new ByText(Long.class, Long::valueOf),
          new ByText(Short.class, Short::valueOf),
          new ByText(Boolean.class, Boolean::valueOf),
          new ByText(Character.class, text -> text.charAt(0)),
          new ByText(Float.class, Float::valueOf),
          new ByText(Double.class, Double::valueOf),
          new ByText(BigInteger.class, BigInteger::new),
          new ByText(UUID.class, UUID::fromString),
          new ByText(LocalDate.class, LocalDate::parse),
          new ByText(LocalTime.class, LocalTime::parse),
          new ByText(LocalDateTime.class, LocalDateTime::parse),
          new ByText(OffsetTime.class, OffsetTime::parse),
          new ByText(OffsetDateTime.class, OffsetDateTime::parse));

  private ValueCodec() {}

  /** A typed value whose own is one of the driver's. */
  record TypedForm(BindSnapshots.Form form, int sqlType, @Nullable TimeZone zone) {}

  /** Writes a part of a key; returns false where it cannot be read again. */
  static boolean write(Object part, DataOutputStream out) throws IOException {
    if (part instanceof Bind.OfNull none) {
      out.writeByte(NULL);
      out.writeInt(none.sqlType());
    } else if (part instanceof Bind.OfBytes value) {
      out.writeByte(BYTES);
      writeBytes(value.bytes(), out);
    } else if (part instanceof Bind.OfTemporal value) {
      return writeTemporal(value, out);
    } else if (part instanceof Bind.OfTyped value) {
      out.writeByte(TYPED);
      out.writeInt(value.sqlType());
      out.writeInt(value.scale());
      return writeZone(value.zone(), out) && write(value.value(), out);
    } else if (part instanceof Bind.OfDriver value) {
      return writeForm(BindSnapshots.form(value.part()), out);
    } else if (part instanceof BigDecimal value) {
      out.writeByte(DECIMAL);
      writeBytes(value.unscaledValue().toByteArray(), out);
      out.writeInt(value.scale());
    } else {
      return writeByText(part, out);
    }
    return true;
  }

  private static boolean writeByText(Object part, DataOutputStream out) throws IOException {
    for (int i = 0; i < BY_TEXT.size(); i++) {
      if (BY_TEXT.get(i).type == part.getClass()) {
        out.writeByte(FIRST_BY_TEXT + i);
        writeText(part.toString(), out);
        return true;
      }
    }
    return false;
  }

  private static boolean writeTemporal(Bind.OfTemporal value, DataOutputStream out)
      throws IOException {
    out.writeByte(TEMPORAL);
    out.writeByte(KINDS.indexOf(value.kind()));
    out.writeLong(value.millis());
    out.writeInt(value.nanos());
    return writeZone(value.zone(), out);
  }

  private static boolean writeForm(BindSnapshots.@Nullable Form form, DataOutputStream out)
      throws IOException {
    if (form == null) {
      return false;
    }
    out.writeByte(DRIVER);
    out.writeInt(form.oid());
    out.writeBoolean(form.text() != null);
    writeText(form.text() == null ? "" : form.text(), out);
    out.writeBoolean(form.bytes() != null);
    writeBytes(form.bytes() == null ? new byte[0] : form.bytes(), out);
    return true;
  }

  /** A time zone that is known by its name; an empty name stands for none. */
  private static boolean writeZone(@Nullable TimeZone zone, DataOutputStream out)
      throws IOException {
    writeText(zone == null ? "" : zone.getID(), out);
    return zone == null || TimeZone.getTimeZone(zone.getID()).equals(zone);
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IOException if it is anything else
   */
  static Object read(DataInputStream in) throws IOException {
    return read(in.readUnsignedByte(), in);
  }

  private static Object read(int tag, DataInputStream in) throws IOException {
    try {
      return switch (tag) {
        case NULL -> new Bind.OfNull(in.readInt());
        case BYTES -> new Bind.OfBytes(readBytes(in));
        case TEMPORAL -> readTemporal(in);
        case TYPED -> readTyped(in);
        case DRIVER -> readForm(in);
        case DECIMAL -> new BigDecimal(new BigInteger(readBytes(in)), in.readInt());
        default -> BY_TEXT.get(tag - FIRST_BY_TEXT).parser.parse(readText(in));
      };
    } catch (RuntimeException e) {
      throw new IOException("no value", e);
    }
  }

  private static Bind.OfTemporal readTemporal(DataInputStream in) throws IOException {
    Class<?> kind = KINDS.get(in.readUnsignedByte());
    long millis = in.readLong();
    int nanos = in.readInt();
    TimeZone zone = readZone(in);
    if (zone == null) {
      throw new IOException("no time zone");
    }
    return new Bind.OfTemporal(kind, millis, nanos, zone);
  }

  private static Object readTyped(DataInputStream in) throws IOException {
    int sqlType = in.readInt();
    int scale = in.readInt();
    TimeZone zone = readZone(in);
    int tag = in.readUnsignedByte();
    if (tag == TYPED) {
      throw new IOException("a type of a type");
    }
    Object value = read(tag, in);
    if (value instanceof BindSnapshots.Form form) {
      return new TypedForm(form, sqlType, zone);
    }
    return new Bind.OfTyped(value, sqlType, scale, zone);
  }

  private static BindSnapshots.Form readForm(DataInputStream in) throws IOException {
    int oid = in.readInt();
    boolean hasText = in.readBoolean();
    String text = readText(in);
    boolean hasBytes = in.readBoolean();
    byte[] bytes = readBytes(in);
    return new BindSnapshots.Form(oid, hasText ? text : null, hasBytes ? bytes : null);
  }

  private static @Nullable TimeZone readZone(DataInputStream in) throws IOException {
    String id = readText(in);
    return id.isEmpty() ? null : TimeZone.getTimeZone(id);
  }

  static void writeText(String text, DataOutputStream out) throws IOException {
    writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
  }

  static String readText(DataInputStream in) throws IOException {
    return new String(readBytes(in), StandardCharsets.UTF_8);
  }

  static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a length beyond the end");
    }
    return in.readNBytes(length);
  }

  /**
   * Sets a value that was read.
   *
   * @return false where the same part of a key would not stand for it here
   */
  static boolean set(PreparedStatement statement, int index, Object value, PostgresSession session)
      throws SQLException {
    if (value instanceof BindSnapshots.Form form) {
      statement.setObject(index, BindSnapshots.value(form, session));
    } else if (value instanceof TypedForm typed) {
      if (!isDefault(typed.zone)) {
        return false;
      }
      statement.setObject(index, BindSnapshots.value(typed.form, session), typed.sqlType);
    } else if (value instanceof Bind.OfTyped typed) {
      if (!isDefault(typed.zone())) {
        return false;
      }
      setTyped(statement, index, typed);
    } else {
      Parameters.apply(statement, index, value);
    }
    return true;
  }

  private static void setTyped(PreparedStatement statement, int index, Bind.OfTyped typed)
      throws SQLException {
    if (typed.scale() < 0) {
      statement.setObject(index, typed.value(), typed.sqlType());
    } else {
      statement.setObject(index, typed.value(), typed.sqlType(), typed.scale());
    }
  }

  private static boolean isDefault(@Nullable TimeZone zone) {
    return zone == null || zone.equals(TimeZone.getDefault());
  }
}
