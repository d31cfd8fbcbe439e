package dev.larder.jdbc.gate;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgArray;

/** Makes values of the driver that would lead to its own connection lead to Larder's. */
@FunctionalInterface
public interface Leading {
  /** Returns {@code rows} with Larder's statement and connection behind them. */
  ResultSet leadRows(ResultSet rows) throws SQLException;

  /** Returns whether {@link #lead} has anything to do for {@code value}. */
  static boolean concerns(@Nullable Object value) {
    return value instanceof PgArray || value instanceof ResultSet;
  }

  /**
   * Returns a value that a getter of the driver's returned: rows and arrays so that what is reached
   * through them is Larder's, arrays still of the driver's class; anything else as it is.
   */
  default @Nullable Object lead(@Nullable Object value) throws SQLException {
    if (value instanceof PgArray array) {
      return new LedArray(array, this);
    }
    return value instanceof ResultSet rows ? leadRows(rows) : value;
  }
}
