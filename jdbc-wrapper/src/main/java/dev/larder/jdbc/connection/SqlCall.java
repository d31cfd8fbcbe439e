package dev.larder.jdbc.connection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A call of the driver. */
@FunctionalInterface
public interface SqlCall<T extends @Nullable Object> {
  T call() throws SQLException;

  /** A call that returns nothing. */
  @FunctionalInterface
  interface Action {
    void run() throws SQLException;
  }

  /** Returns a call that returns true. */
  static SqlCall<Boolean> of(Action action) {
    return () -> {
      action.run();
      return true;
    };
  }
}
