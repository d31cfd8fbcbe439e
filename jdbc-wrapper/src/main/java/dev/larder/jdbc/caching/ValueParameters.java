package dev.larder.jdbc.caching;

import dev.larder.jdbc.postgresql.BindSnapshots;
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
abstract class ValueParameters extends StreamParameters {
  ValueParameters(CachingConnection connection, int parameters) {
    super(connection, parameters);
  }

  private void set(int index, Object value) throws SQLException {
    if (isParameter(index) && !isClosed()) {
      setValue(index, value);
    } else {
      // The driver says what is wrong.
      delegate().setObject(index, null);
    }
  }

  @Override
  public void setObject(int index, @Nullable Object x) throws SQLException {
    if (x == null) {
      setAbsent(index, Types.OTHER);
    } else if (ParameterizedStatement.isImmutable(x)) {
      set(index, x);
    } else if (x.getClass() == Timestamp.class) {
      setTimestamp(index, (Timestamp) x);
    } else if (x.getClass() == Date.class) {
      setDate(index, (Date) x);
    } else if (x.getClass() == Time.class) {
      setTime(index, (Time) x);
    } else if (x instanceof byte[] bytes) {
      setBytes(index, bytes);
    } else if (x instanceof Byte small) {
      setByte(index, small);
    } else {
      driverObject(index, x, s -> s.setObject(index, x));
    }
  }

  @Override
  public void setObject(int index, @Nullable Object x, int sqlType) throws SQLException {
    if (x == null) {
      setNull(index, sqlType);
    } else if (isItself(x, sqlType)) {
      set(index, x);
    } else if (ParameterizedStatement.isImmutable(x)) {
      given(index, s -> s.setObject(index, x, sqlType), Bind.OfTyped.of(x, sqlType, -1));
    } else {
      opaque(index, s -> s.setObject(index, x, sqlType));
      Weighed part = BindSnapshots.keyPart(x, connection.physical().session());
      if (part != null) {
        valueGiven(index, Bind.OfTyped.of(new Bind.OfDriver(part), sqlType, -1));
      }
    }
  }

  @Override
  public void setObject(int index, @Nullable Object x, int sqlType, int scale) throws SQLException {
    if (x == null) {
      setNull(index, sqlType);
    } else if (ParameterizedStatement.isImmutable(x)) {
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
  public void setArray(int index, @Nullable Array x) throws SQLException {
    if (x == null) {
      setAbsent(index, Types.ARRAY);
    } else {
      driverObject(index, x, s -> s.setArray(index, x));
    }
  }

  private void driverObject(int index, Object x, Setter setter) throws SQLException {
    opaque(index, setter);
    Weighed part = BindSnapshots.keyPart(x, connection.physical().session());
    if (part != null) {
      valueGiven(index, new Bind.OfDriver(part));
    }
  }

  @Override
  public void setNull(int index, int sqlType) throws SQLException {
    if (keepsType(index, sqlType)) {
      opaque(
          index,
          s -> {
            applyValue(s, index);
            s.setNull(index, sqlType);
          });
    } else {
      given(index, s -> s.setNull(index, sqlType), new Bind.OfNull(sqlType));
    }
  }

  /** Sets a NULL that the driver need not have before the statement runs. */
  private void setAbsent(int index, int sqlType) throws SQLException {
    if (keepsType(index, sqlType)) {
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
    Object before = isParameter(index) ? value(index) : null;
    if (before == null || (before instanceof Bind.OfNull other && other.sqlType() == sqlType)) {
      return false;
    }
    return switch (sqlType) {
      case Types.OTHER, Types.NULL, Types.ARRAY, Types.DISTINCT, Types.STRUCT -> true;
      // Values of these types are sent without a type wherever such a NULL is.
      case Types.VARCHAR, Types.LONGVARCHAR -> !(before instanceof String);
      case Types.TIME, Types.TIMESTAMP ->
          !(before instanceof Bind.OfTemporal temporal && temporal.kind() != 'd');
      case Types.TIME_WITH_TIMEZONE, Types.TIMESTAMP_WITH_TIMEZONE -> true;
      default -> false;
    };
  }

  @Override
  public void setBoolean(int index, boolean x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setByte(int index, byte x) throws SQLException {
    set(index, (short) x);
  }

  @Override
  public void setShort(int index, short x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setInt(int index, int x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setLong(int index, long x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setFloat(int index, float x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setDouble(int index, double x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setBigDecimal(int index, @Nullable BigDecimal x) throws SQLException {
    if (x == null) {
      setAbsent(index, Types.DECIMAL);
    } else if (x.getClass() == BigDecimal.class) {
      set(index, x);
    } else {
      opaque(index, s -> s.setBigDecimal(index, x));
    }
  }

  @Override
  public void setString(int index, @Nullable String x) throws SQLException {
    if (x == null) {
      setAbsent(index, Types.VARCHAR);
    } else {
      set(index, x);
    }
  }

  @Override
  public void setBytes(int index, byte @Nullable [] x) throws SQLException {
    if (x == null) {
      setAbsent(index, Types.VARBINARY);
    } else {
      set(index, new Bind.OfBytes(x.clone()));
    }
  }

  @Override
  public void setDate(int index, @Nullable Date x) throws SQLException {
    setDate(index, x, null);
  }

  @Override
  public void setDate(int index, @Nullable Date x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null) {
      setAbsent(index, Types.DATE);
    } else if (x.getClass() == Date.class) {
      set(index, Bind.OfTemporal.of(x, calendar));
    } else {
      opaque(index, s -> s.setDate(index, x, calendar));
    }
  }

  @Override
  public void setTime(int index, @Nullable Time x) throws SQLException {
    setTime(index, x, null);
  }

  @Override
  public void setTime(int index, @Nullable Time x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null) {
      setAbsent(index, Types.TIME);
    } else if (x.getClass() == Time.class) {
      set(index, Bind.OfTemporal.of(x, calendar));
    } else {
      opaque(index, s -> s.setTime(index, x, calendar));
    }
  }

  @Override
  public void setTimestamp(int index, @Nullable Timestamp x) throws SQLException {
    setTimestamp(index, x, null);
  }

  @Override
  public void setTimestamp(int index, @Nullable Timestamp x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null) {
      setAbsent(index, Types.TIMESTAMP);
    } else if (x.getClass() == Timestamp.class) {
      set(index, Bind.OfTemporal.of(x, calendar));
    } else {
      opaque(index, s -> s.setTimestamp(index, x, calendar));
    }
  }

  @Override
  public void setNull(int index, int sqlType, @Nullable String typeName) throws SQLException {
    if (typeName == null) {
      setNull(index, sqlType);
    } else {
      opaque(index, s -> s.setNull(index, sqlType, typeName));
    }
  }
}
