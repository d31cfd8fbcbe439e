package dev.larder.jdbc.replay;

import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultColumn;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;
import org.postgresql.core.Tuple;
import org.postgresql.jdbc.PgResultSet;

/**
 * The values of a cached result that a replay's getters have decoded, for later replays. Only those
 * are kept that every session decodes alike: booleans, numbers, text, UUIDs, dates and times as
 * {@code getObject} returns them; nothing that knows a calendar or a connection. What its user may
 * change is handed out as a copy. They belong to one replay, and like it to one thread; the values
 * behind them are shared.
 */
@SuppressWarnings("JavaUtilDate") // What JDBC returns.
public final class DecodedValues {
  /** A copy of a date or time that the driver has made for {@code zone}. */
  private record ZonedDate(Date value, TimeZone zone) {}

  /** Below this many values in a result, decoding costs less than a hit does. */
  private static final int WORTHWHILE = 32;

  private final CachedResult cached;
  private final PgResultSet replayed;
  private final long maxResultBytes;
  private final int columns;
  private final @Nullable Object @Nullable [] values;
  private boolean asked;

  private DecodedValues(CachedResult cached, PgResultSet replayed, long maxResultBytes) {
    this.cached = cached;
    this.replayed = replayed;
    this.maxResultBytes = maxResultBytes;
    this.columns = cached.columns().count();
    this.values = cached.decoded();
  }

  /**
   * Returns the decoded values for {@code replayed}, or null where they are not worth remembering,
   * or not the same for everybody.
   *
   * @param replayed the replay of {@code cached} by {@code options}
   * @param maxResultBytes how much the result may weigh with its decoded values
   */
  public static @Nullable DecodedValues of(
      CachedResult cached, ResultSet replayed, ReplayOptions options, long maxResultBytes) {
    return cached.rows().count() * (long) cached.columns().count() >= WORTHWHILE
            && options.maxFieldSize() == 0
            && replayed instanceof PgResultSet driver
        ? new DecodedValues(cached, driver, maxResultBytes)
        : null;
  }

  /**
   * Returns what {@code getObject} of the current row and {@code column} would, and makes {@code
   * wasNull} answer accordingly; or returns null, and does nothing, where that is not known, or not
   * of the class {@code type}.
   */
  public @Nullable Object find(int column, @Nullable Class<?> type) {
    @Nullable Object[] known = values;
    if (known == null || column < 1 || column > columns || !isOnRow()) {
      return null;
    }
    Object value = known[DriverInternals.currentRow(replayed) * columns + column - 1];
    if (value instanceof ZonedDate date) {
      value = copyOf(date, type);
    } else if (value != null
        && (type == null ? isTemporal(value.getClass()) : value.getClass() != type)) {
      value = null;
    }
    if (value != null) {
      DriverInternals.setWasNotNull(replayed);
    }
    return value;
  }

  /** Returns a date of the caller's own, or null where another zone or class is wanted. */
  private @Nullable Object copyOf(ZonedDate date, @Nullable Class<?> type) {
    Object value = date.value;
    boolean wanted =
        (type == null || type == value.getClass())
            && date.zone.equals(DriverInternals.zone(replayed));
    return wanted ? date.value.clone() : null;
  }

  private boolean isOnRow() {
    return DriverInternals.thisRow(replayed) != null && DriverInternals.hasRows(replayed);
  }

  /**
   * Returns whether values of a class are what {@code getObject} returns only if it is asked for
   * it. That they are not {@code instanceof} an interface would take the JVM longer to find out
   * than all else of a getter.
   */
  private static boolean isTemporal(Class<?> kept) {
    return kept == LocalDate.class
        || kept == LocalTime.class
        || kept == LocalDateTime.class
        || kept == OffsetDateTime.class;
  }

  /**
   * Remembers {@code value}, which a getter has just returned for the current row and {@code
   * column}, if it is what {@code getObject} returns, without a class or with one of {@code
   * java.time}, and may be shared.
   */
  public void keep(int column, @Nullable Object value) {
    if (value == null || !isShared(cached.columns().get(column - 1), value)) {
      return;
    }
    @Nullable Object[] known = values;
    if (known == null) {
      ask();
      return;
    }
    int row = DriverInternals.currentRow(replayed);
    Tuple current = DriverInternals.thisRow(replayed);
    List<Tuple> rows = DriverInternals.rows(replayed);
    // A row of the replay's own may have been changed by its user.
    if (current != null && rows != null && rows.get(row) == current) {
      known[row * columns + column - 1] =
          value instanceof Date date
              ? new ZonedDate((Date) date.clone(), DriverInternals.zone(replayed))
              : value;
    }
  }

  private static boolean isShared(ResultColumn column, Object value) {
    return switch (column.typeOid()) {
      case Oid.BOOL -> value.getClass() == Boolean.class;
      case Oid.INT2, Oid.INT4 -> value.getClass() == Integer.class;
      case Oid.INT8 -> value.getClass() == Long.class;
      case Oid.FLOAT4 -> value.getClass() == Float.class;
      case Oid.FLOAT8 -> value.getClass() == Double.class;
      case Oid.NUMERIC -> value.getClass() == BigDecimal.class;
      case Oid.TEXT, Oid.VARCHAR, Oid.BPCHAR -> value.getClass() == String.class;
      case Oid.UUID -> value.getClass() == UUID.class;
      case Oid.DATE -> value.getClass() == java.sql.Date.class || value instanceof LocalDate;
      case Oid.TIME -> value.getClass() == Time.class || value instanceof LocalTime;
      case Oid.TIMETZ -> value.getClass() == Time.class;
      case Oid.TIMESTAMP -> value.getClass() == Timestamp.class || value instanceof LocalDateTime;
      case Oid.TIMESTAMPTZ ->
          value.getClass() == Timestamp.class || value instanceof OffsetDateTime;
      default -> false;
    };
  }

  private void ask() {
    if (!asked) {
      asked = true;
      long room = DecodedWeight.of(cached);
      if (cached.weightBytes() + room <= maxResultBytes) {
        cached.askForRoom(room);
      }
    }
  }
}
