package dev.larder.jdbc.gate;

import java.sql.ResultSet;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGRefCursorResultSet;

/** The driver's extension of a result set, for the application. As thread-safe as the driver's. */
@SuppressWarnings("deprecation") // The driver deprecates it, applications still use it.
public interface GatedPgResultSet extends PGRefCursorResultSet {
  /** Returns the driver's result set, or a wrapper of it. */
  ResultSet driverResult();

  @Override
  default @Nullable String getRefCursor() {
    return driverResult() instanceof PGRefCursorResultSet driver ? driver.getRefCursor() : null;
  }
}
