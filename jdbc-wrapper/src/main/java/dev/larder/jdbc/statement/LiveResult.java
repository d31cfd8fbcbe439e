package dev.larder.jdbc.statement;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds the live result set of a run. */
@FunctionalInterface
interface LiveResult<T> {
  @Nullable ResultSet of(T answer) throws SQLException;
}
