package dev.larder.jdbc.bind;

import dev.larder.jdbc.delegate.DelegatingParameters;
import dev.larder.jdbc.gate.BindSnapshots;
import dev.larder.jdbc.postgresql.Decoding;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.store.Weighed;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/**
 * The setters of values that can be part of a key. Plain ones are kept until the statement runs at
 * the driver; others go to the driver at once, and what stands for them in the key is kept.
 */
public interface ValueParameters extends DelegatingParameters {
  /** Has {@code setter} set a value on the driver's statement for which {@code part} stands. */
  void given(int index, Setter setter, Object part) throws SQLException;

  /** Returns the value that was set last, or null where none was or there is no such parameter. */
  @Nullable Object valueSet(int index);

  /** Returns the connection's side of the driver. */
  PostgresSession session();

  @Override
  default void opaque(int index, Setter setter) throws SQLException {
    given(index, setter, Parameters.OPAQUE);
  }

  @Override
  default void setObject(int index, @Nullable Object x) throws SQLException {
    if (x == null || Parameters.isImmutable(x)) {
      setOrAbsent(index, x, Types.OTHER);
    } else if (x instanceof Timestamp timestamp) {
      setTimestamp(index, timestamp);
    } else if (x instanceof Date date) {
      setDate(index, date);
    } else if (x instanceof Time time) {
      setTime(index, time);
    } else if (x instanceof byte[] bytes) {
      setBytes(index, bytes);
    } else if (x instanceof Byte small) {
      setByte(index, small);
    } else {
      driverObject(index, x, s -> s.setObject(index, x));
    }
  }

  @Override
  default void setObject(int index, @Nullable Object x, int sqlType) throws SQLException {
    if (x == null) {
      setNull(index, sqlType);
    } else if (isItself(x, sqlType)) {
      set(index, x);
    } else if (Parameters.isImmutable(x)) {
      given(index, s -> s.setObject(index, x, sqlType), Bind.OfTyped.of(x, sqlType, -1));
    } else {
      Weighed part = BindSnapshots.keyPart(x, session());
      Object key =
          part == null ? Parameters.OPAQUE : Bind.OfTyped.of(new Bind.OfDriver(part), sqlType, -1);
      given(index, s -> s.setObject(index, x, sqlType), key);
    }
  }

  @Override
  default void setObject(int index, @Nullable Object x, int sqlType, int scale)
      throws SQLException {
    if (x == null) {
      setNull(index, sqlType);
    } else if (Parameters.isImmutable(x)) {
      given(index, s -> s.setObject(index, x, sqlType, scale), Bind.OfTyped.of(x, sqlType, scale));
    } else {
      opaque(index, s -> s.setObject(index, x, sqlType, scale));
    }
  }

  /** Returns whether the driver sends {@code x} with this type as it sends it without. */
  private static boolean isItself(Object x, int sqlType) {
    return switch (sqlType) {
      case Types.INTEGER -> x instanceof Integer;
      case Types.BIGINT -> x instanceof Long;
      case Types.VARCHAR -> x instanceof String;
      default -> false;
    };
  }

  @Override
  default void setArray(int index, @Nullable Array x) throws SQLException {
    if (x == null) {
      setOrAbsent(index, null, Types.ARRAY);
    } else {
      driverObject(index, x, s -> s.setArray(index, x));
    }
  }

  private void driverObject(int index, Object x, Setter setter) throws SQLException {
    Weighed part = BindSnapshots.keyPart(x, session());
    given(index, setter, part == null ? Parameters.OPAQUE : new Bind.OfDriver(part));
  }

  @Override
  default void setNull(int index, int sqlType) throws SQLException {
    if (keepsType(index, sqlType)) {
      nullOfTypeBefore(index, sqlType);
    } else {
      given(index, s -> s.setNull(index, sqlType), new Bind.OfNull(sqlType));
    }
  }

  /** Has the driver set a NULL after the value that was set before, whose type it may keep. */
  void nullOfTypeBefore(int index, int sqlType) throws SQLException;

  /** Sets a value or a NULL that the driver need not have before the statement runs. */
  private void setOrAbsent(int index, @Nullable Object x, int sqlType) throws SQLException {
    if (x != null) {
      set(index, x);
    } else if (keepsType(index, sqlType)) {
      setNull(index, sqlType);
    } else {
      set(index, new Bind.OfNull(sqlType));
    }
  }

  /**
   * Returns whether a NULL may be sent with another type than one of its own: the driver sends one
   * of no type with that of the value before.
   */
  private boolean keepsType(int index, int sqlType) {
    Object before = valueSet(index);
    if (before == null || (before instanceof Bind.OfNull other && other.sqlType() == sqlType)) {
      return false;
    }
    return switch (sqlType) {
      case Types.OTHER, Types.NULL, Types.ARRAY, Types.DISTINCT, Types.STRUCT -> true;
      // Values of these types are sent without a type wherever such a NULL is.
      case Types.VARCHAR, Types.LONGVARCHAR -> !(before instanceof String);
      case Types.TIME, Types.TIMESTAMP ->
          !(before instanceof Bind.OfTemporal temporal && temporal.kind() != Date.class);
      case Types.TIME_WITH_TIMEZONE, Types.TIMESTAMP_WITH_TIMEZONE -> true;
      default -> false;
    };
  }

  @Override
  default void setByte(int index, byte x) throws SQLException {
    set(index, (short) x);
  }

  @Override
  default void setBigDecimal(int index, @Nullable BigDecimal x) throws SQLException {
    if (x == null || x.getClass() == BigDecimal.class) {
      setOrAbsent(index, x, Types.DECIMAL);
    } else {
      opaque(index, s -> s.setBigDecimal(index, x));
    }
  }

  @Override
  default void setString(int index, @Nullable String x) throws SQLException {
    setOrAbsent(index, x, Types.VARCHAR);
  }

  @Override
  default void setBytes(int index, byte @Nullable [] x) throws SQLException {
    setOrAbsent(index, x == null ? null : new Bind.OfBytes(x.clone()), Types.VARBINARY);
  }

  @Override
  default void setDate(int index, @Nullable Date x) throws SQLException {
    setDate(index, x, null);
  }

  @Override
  default void setDate(int index, @Nullable Date x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null || x.getClass() == Date.class) {
      setOrAbsent(index, Bind.OfTemporal.of(x, calendar), Types.DATE);
    } else {
      opaque(index, s -> s.setDate(index, x, calendar));
    }
  }

  @Override
  default void setTime(int index, @Nullable Time x) throws SQLException {
    setTime(index, x, null);
  }

  @Override
  default void setTime(int index, @Nullable Time x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null || x.getClass() == Time.class) {
      setOrAbsent(index, Bind.OfTemporal.of(x, calendar), Types.TIME);
    } else {
      opaque(index, s -> s.setTime(index, x, calendar));
    }
  }

  @Override
  default void setTimestamp(int index, @Nullable Timestamp x) throws SQLException {
    setTimestamp(index, x, null);
  }

  @Override
  default void setTimestamp(int index, @Nullable Timestamp x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null || x.getClass() == Timestamp.class) {
      setOrAbsent(index, Bind.OfTemporal.of(x, calendar), Types.TIMESTAMP);
    } else {
      opaque(index, s -> s.setTimestamp(index, x, calendar));
    }
  }

  @Override
  default void setNull(int index, int sqlType, @Nullable String typeName) throws SQLException {
    if (typeName == null) {
      setNull(index, sqlType);
    } else {
      opaque(index, s -> s.setNull(index, sqlType, typeName));
      int oid = Decoding.typeNamed(session(), typeName);
      if (oid > 0 && oid < Bind.FIRST_USER_OID) {
        given(index, s -> {}, new Bind.OfNamedNull(oid, typeName));
      }
    }
  }
}
