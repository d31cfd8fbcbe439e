package dev.larder.jdbc.bind;

import dev.larder.jdbc.gate.BindOids;
import dev.larder.jdbc.gate.BindSnapshots;
import dev.larder.keys.BoundValue;
import dev.larder.keys.KeyType;
import dev.larder.lexer.SqlLexer;
import dev.larder.result.HeapWeight;
import dev.larder.store.Weighed;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Arrays;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A bind value whose own class does not say how it is sent. Values whose class does (Integer, Long,
 * String …) stand for themselves. Equal binds are sent as equal bytes and types. Immutable.
 */
public sealed interface Bind extends Weighed, BoundValue {
  /** A time zone, without the tables that all copies of it share. */
  long ZONE_BYTES = 72;

  /** The first object identifier that the server gives to what users make. */
  int FIRST_USER_OID = 16384;

  /** Returns a number that differs where the driver declares another type to the server. */
  int type();

  @Override
  default @Nullable Object boundValue() {
    return null;
  }

  @Override
  default @Nullable List<Object> boundElements() {
    return null;
  }

  @Override
  default boolean mayBeFloat() {
    return false;
  }

  /** Hands the value to the driver as the application did, unless the driver has it already. */
  default void applyTo(PreparedStatement statement, int index) throws SQLException {}

  /** A NULL of a type. */
  record OfNull(int sqlType) implements Bind {
    @Override
    public Object boundValue() {
      return BoundValue.NULL;
    }

    @Override
    public long weightBytes() {
      return HeapWeight.align(HeapWeight.HEADER + Integer.BYTES);
    }

    @Override
    public void applyTo(PreparedStatement statement, int index) throws SQLException {
      statement.setNull(index, sqlType);
    }

    @Override
    public int type() {
      return BindOids.ofNull(sqlType);
    }
  }

  /** A NULL of one of the server's own types, as the driver has found it by its name. */
  record OfNamedNull(int oid, String typeName) implements Bind {
    @Override
    public Object boundValue() {
      return BoundValue.NULL;
    }

    @Override
    public long weightBytes() {
      return HeapWeight.align(HeapWeight.HEADER + HeapWeight.REFERENCE + Integer.BYTES)
          + Weighed.weightOf(typeName);
    }

    @Override
    public void applyTo(PreparedStatement statement, int index) throws SQLException {
      statement.setNull(index, Types.OTHER, typeName);
    }

    @Override
    public int type() {
      return oid;
    }
  }

  /** Bytes, which nobody changes from now on. */
  @SuppressWarnings("ArrayRecordComponent") // Compared below.
  record OfBytes(byte[] bytes) implements Bind {
    @Override
    public void applyTo(PreparedStatement statement, int index) throws SQLException {
      statement.setBytes(index, bytes);
    }

    @Override
    public int type() {
      return BindOids.ofNull(Types.BINARY);
    }

    @Override
    public long weightBytes() {
      return HeapWeight.align(HeapWeight.HEADER + HeapWeight.REFERENCE)
          + HeapWeight.ofBytes(bytes.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof OfBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /**
   * A java.sql date, time or timestamp, which the driver renders in a time zone: of its calendar,
   * or the default one at the time of the setter. Nothing else of a calendar matters to it.
   */
  record OfTemporal(Class<?> kind, long millis, int nanos, TimeZone zone) implements Bind {
    @SuppressWarnings("JavaUtilDate") // What the three have in common.
    static @Nullable OfTemporal of(java.util.@Nullable Date value, @Nullable Calendar calendar) {
      if (value == null) {
        return null;
      }
      int nanos = value instanceof Timestamp timestamp ? timestamp.getNanos() : 0;
      TimeZone zone =
          calendar == null ? TimeZone.getDefault() : (TimeZone) calendar.getTimeZone().clone();
      return new OfTemporal(value.getClass(), value.getTime(), nanos, zone);
    }

    @Override
    public void applyTo(PreparedStatement statement, int index) throws SQLException {
      Calendar calendar = new GregorianCalendar((TimeZone) zone.clone(), Locale.ROOT);
      if (kind == Date.class) {
        statement.setDate(index, new Date(millis), calendar);
      } else if (kind == Time.class) {
        statement.setTime(index, new Time(millis), calendar);
      } else {
        Timestamp value = new Timestamp(millis);
        value.setNanos(nanos);
        statement.setTimestamp(index, value, calendar);
      }
    }

    @Override
    public long weightBytes() {
      return HeapWeight.align(
              HeapWeight.HEADER + 2 * HeapWeight.REFERENCE + Long.BYTES + Integer.BYTES)
          + ZONE_BYTES;
    }

    /** None: whether it has a zone is left to the server. */
    @Override
    public int type() {
      return 0;
    }

    /** Without the zone, whose hash would cost more than it tells apart. */
    @Override
    public int hashCode() {
      return (Long.hashCode(millis) * 31 + nanos) * 31 + kind.hashCode();
    }
  }

  /**
   * A value with an explicit type, already in the driver's hands.
   *
   * @param value of an immutable class, or the part of the key of a value of the driver's own
   * @param scale the scale, -1 for the call without one, which means the same to the driver
   * @param zone the default zone where the driver may have parsed or rendered the value in it
   */
  record OfTyped(Object value, int sqlType, int scale, @Nullable TimeZone zone) implements Bind {
    static OfTyped of(Object value, int sqlType, int scale) {
      boolean temporal =
          sqlType == Types.DATE || sqlType == Types.TIME || sqlType == Types.TIMESTAMP;
      return new OfTyped(value, sqlType, scale, temporal ? TimeZone.getDefault() : null);
    }

    @Override
    public int type() {
      if (value instanceof OfDriver driver) {
        return driver.type();
      }
      return zone == null ? BindOids.ofTyped(sqlType, value) : 0;
    }

    @Override
    public @Nullable Object boundValue() {
      boolean same =
          switch (sqlType) {
            // What is too large for its type the driver cuts.
            case Types.SMALLINT -> isWhole() && number() == (short) number();
            case Types.INTEGER -> isWhole() && number() == (int) number();
            case Types.BIGINT -> isWhole();
            case Types.VARCHAR, Types.LONGVARCHAR -> value instanceof String;
            case Types.BOOLEAN, Types.BIT -> value instanceof Boolean;
            case Types.OTHER -> value instanceof UUID;
            default -> false;
          };
      return same ? value : null;
    }

    private boolean isWhole() {
      return value instanceof Short || value instanceof Integer || value instanceof Long;
    }

    private long number() {
      return ((Number) value).longValue();
    }

    @Override
    public @Nullable List<Object> boundElements() {
      return value instanceof OfDriver driver ? driver.boundElements() : null;
    }

    @Override
    public boolean mayBeFloat() {
      if (value instanceof OfDriver driver) {
        return driver.mayBeFloat();
      }
      return switch (sqlType) {
        case Types.REAL, Types.FLOAT, Types.DOUBLE, Types.OTHER -> !(value instanceof UUID);
        default -> false;
      };
    }

    @Override
    public long weightBytes() {
      return HeapWeight.align(HeapWeight.HEADER + 2 * HeapWeight.REFERENCE + 2 * Integer.BYTES)
          + Weighed.weightOf(value)
          + (zone == null ? 0 : ZONE_BYTES);
    }
  }

  /** The part of the key of a value of the driver's own classes, which the driver has already. */
  record OfDriver(Weighed part) implements Bind {
    @Override
    public @Nullable List<Object> boundElements() {
      KeyType type = BindSnapshots.typeOfElements(part);
      String text = BindSnapshots.textOf(part);
      return type == null || text == null ? null : ArrayText.elements(text, type);
    }

    @Override
    public boolean mayBeFloat() {
      return BindSnapshots.typeOfElements(part) == null;
    }

    @Override
    public int type() {
      return BindSnapshots.typeOf(part);
    }

    @Override
    public long weightBytes() {
      return HeapWeight.align(HeapWeight.HEADER + HeapWeight.REFERENCE) + part.weightBytes();
    }
  }

  /** Returns whether it is a value of the driver's own classes. */
  static boolean isOfDriver(@Nullable Object bind) {
    return bind instanceof OfDriver
        || (bind instanceof OfTyped typed && typed.value() instanceof OfDriver);
  }

  /** Returns whether the server may read the clock when it parses this value. */
  static boolean mayReadClock(Object bind) {
    Object value = bind instanceof OfTyped typed ? typed.value() : bind;
    if (value instanceof OfDriver driver) {
      value = BindSnapshots.textOf(driver.part());
    }
    return value instanceof String text && SqlLexer.mayReadClock(text);
  }
}
