package dev.larder.jdbc.statement;

import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.connection.SqlCall;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints of JDBC, which the driver names by itself: they are followed by these names, as if
 * a text had had them. Stateless.
 */
final class Savepoints {
  private Savepoints() {}

  /** Has the driver set one. */
  static Savepoint set(PhysicalConnection physical, SqlCall<Savepoint> call) throws SQLException {
    Savepoint made = send(physical, "SAVEPOINT s", null, call);
    String name = nameOf(made);
    if (name != null) {
      physical.state().tracker().named(name);
    }
    return made;
  }

  /** Has the driver roll back to {@code savepoint}. */
  static void rollBackTo(
      PhysicalConnection physical, @Nullable Savepoint savepoint, SqlCall.Action action)
      throws SQLException {
    send(physical, "ROLLBACK TO SAVEPOINT s", nameOf(savepoint), SqlCall.of(action));
  }

  /** Has the driver release {@code savepoint}. */
  static void release(
      PhysicalConnection physical, @Nullable Savepoint savepoint, SqlCall.Action action)
      throws SQLException {
    send(physical, "RELEASE SAVEPOINT s", nameOf(savepoint), SqlCall.of(action));
  }

  private static <T extends @Nullable Object> T send(
      PhysicalConnection physical, String sql, @Nullable String name, SqlCall<T> call)
      throws SQLException {
    return physical
        .sender()
        .send(physical.effects().of(physical.plan(sql, false), true).naming(name), call);
  }

  /** Returns the name that the driver sends, as the server has it; null where it is unknown. */
  private static @Nullable String nameOf(@Nullable Savepoint savepoint) {
    if (savepoint == null) {
      return null;
    }
    try {
      return "jdbc_savepoint_" + savepoint.getSavepointId();
    } catch (SQLException named) {
      try {
        return savepoint.getSavepointName();
      } catch (SQLException invalid) {
        return null;
      }
    }
  }
}
