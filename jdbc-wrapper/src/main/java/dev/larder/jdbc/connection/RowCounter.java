package dev.larder.jdbc.connection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells how many rows a statement has written, by what the driver has answered. */
@FunctionalInterface
public interface RowCounter {
  /** Returns the number; negative where the answer does not tell. Disturbs nothing. */
  long written(@Nullable Object answer) throws SQLException;
}
