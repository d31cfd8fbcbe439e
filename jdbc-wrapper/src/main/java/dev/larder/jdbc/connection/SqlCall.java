package dev.larder.jdbc.connection;

import java.sql.SQLException;

/** A call of the driver. */
@FunctionalInterface
public interface SqlCall<T extends @org.jspecify.annotations.Nullable Object> {
  T call() throws SQLException;
}
