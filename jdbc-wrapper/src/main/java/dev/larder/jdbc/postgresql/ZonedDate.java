package dev.larder.jdbc.postgresql;

import java.util.Date;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * A date or time as JDBC has it, kept for others. Thread-safe, as long as nobody changes {@code
 * value}.
 *
 * @param value nobody else's
 * @param zone the one for which the driver made it
 */
@SuppressWarnings("JavaUtilDate") // What JDBC returns.
record ZonedDate(Date value, TimeZone zone) {
  static ZonedDate ofCopy(Date value, TimeZone zone) {
    return new ZonedDate((Date) value.clone(), zone);
  }

  /** Returns whether it is of exactly the class {@code type}; null stands for any. */
  boolean is(@Nullable Class<?> type) {
    Object date = value;
    return type == null || type == date.getClass();
  }

  /** Returns a date of the caller's own, or null where it was made for another time zone. */
  @Nullable Date copyFor(TimeZone wanted) {
    return zone.equals(wanted) ? (Date) value.clone() : null;
  }
}
