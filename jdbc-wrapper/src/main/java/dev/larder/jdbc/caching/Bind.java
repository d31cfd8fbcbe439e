package dev.larder.jdbc.caching;

import dev.larder.jdbc.postgresql.BindSnapshots;
import dev.larder.sql.SqlLexer;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Calendar;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * A bind value whose own class does not say how it is sent. Values whose class does (Integer, Long,
 * String …) stand for themselves. Equal binds are sent as equal bytes and types. Immutable.
 */
sealed interface Bind {
  /** Hands the value to the driver as the application did. */
  void applyTo(PreparedStatement statement, int index) throws SQLException;

  /** A NULL of a type. */
  record OfNull(int sqlType) implements Bind {
    @Override
    public void applyTo(PreparedStatement statement, int index) throws SQLException {
      statement.setNull(index, sqlType);
    }
  }

  /** Bytes. */
  final class OfBytes implements Bind {
    private final byte[] bytes;

    /** Takes {@code bytes} over: nobody changes them from now on. */
    OfBytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void applyTo(PreparedStatement statement, int index) throws SQLException {
      statement.setBytes(index, bytes);
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

  /** A java.sql date, time or timestamp, which the driver renders in a time zone. */
  record OfTemporal(char kind, long millis, int nanos, TimeZone zone, @Nullable Calendar calendar)
      implements Bind {
    static Bind of(Date value, @Nullable Calendar calendar) {
      return new OfTemporal('d', value.getTime(), 0, zone(calendar), copy(calendar));
    }

    static Bind of(Time value, @Nullable Calendar calendar) {
      return new OfTemporal('t', value.getTime(), 0, zone(calendar), copy(calendar));
    }

    static Bind of(Timestamp value, @Nullable Calendar calendar) {
      return new OfTemporal('s', value.getTime(), value.getNanos(), zone(calendar), copy(calendar));
    }

    private static TimeZone zone(@Nullable Calendar calendar) {
      return calendar == null ? TimeZone.getDefault() : (TimeZone) calendar.getTimeZone().clone();
    }

    private static @Nullable Calendar copy(@Nullable Calendar calendar) {
      return calendar == null ? null : (Calendar) calendar.clone();
    }

    @Override
    public void applyTo(PreparedStatement statement, int index) throws SQLException {
      switch (kind) {
        case 'd' -> statement.setDate(index, new Date(millis), copy(calendar));
        case 't' -> statement.setTime(index, new Time(millis), copy(calendar));
        default -> {
          Timestamp value = new Timestamp(millis);
          value.setNanos(nanos);
          statement.setTimestamp(index, value, copy(calendar));
        }
      }
    }

    // The calendar's own time does not matter, only its zone does.
    @Override
    public boolean equals(Object other) {
      return other instanceof OfTemporal that
          && kind == that.kind
          && millis == that.millis
          && nanos == that.nanos
          && (calendar == null) == (that.calendar == null)
          && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(millis) * 31 + nanos + kind;
    }
  }

  /**
   * A value of an immutable class with an explicit type, already in the driver's hands.
   *
   * @param scale the scale, -1 for the call without one, which means the same to the driver
   */
  record OfTyped(Object value, int sqlType, int scale) implements Bind {
    @Override
    public void applyTo(PreparedStatement statement, int index) {
      // The driver was given the value when it was set.
    }
  }

  /**
   * A value of the driver's own classes, already in the driver's hands; only its part of the key is
   * kept.
   */
  record OfDriver(Object part) implements Bind {
    @Override
    public void applyTo(PreparedStatement statement, int index) {
      // The driver was given the value when it was set.
    }
  }

  /** Returns whether the server may read the clock when it parses this value. */
  static boolean mayReadClock(Object bind) {
    Object value = bind instanceof OfTyped typed ? typed.value() : bind;
    String text = null;
    if (value instanceof String string) {
      text = string;
    } else if (value instanceof OfDriver driver) {
      text = BindSnapshots.textOf(driver.part());
    }
    return text != null && SqlLexer.mayReadClock(text);
  }
}
