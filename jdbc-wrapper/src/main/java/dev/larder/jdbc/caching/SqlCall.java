package dev.larder.jdbc.caching;

import java.sql.SQLException;

/** A call of the driver. */
@FunctionalInterface
interface SqlCall<T extends @org.jspecify.annotations.Nullable Object> {
  T call() throws SQLException;
}
