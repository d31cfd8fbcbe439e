package dev.larder.jdbc.replay;

import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultLimits;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgResultSet;

/**
 * Proves once that the driver's result set can be taken apart and made again: one row goes from a
 * result set into a cached result and back, and is read. Asks no server. Thread-safe.
 */
final class DriverCheck {
  private static final int EXPECTED = 42;
  private static final byte[] TEXT = "larder".getBytes(StandardCharsets.UTF_8);

  private static volatile boolean checked;
  private static volatile @Nullable String failure;

  private DriverCheck() {}

  /**
   * Returns what this driver lacks, with its version; null if it lacks nothing.
   *
   * @param connection one of this driver's. One that is closed meanwhile proves nothing, and the
   *     next is asked.
   */
  static @Nullable String failure(Connection connection) {
    if (checked) {
      return failure;
    }
    String found = run(connection);
    if (found != null && isClosed(connection)) {
      return null; // It is of no use to anybody.
    }
    failure = found;
    checked = true;
    return found;
  }

  /** Returns whether no driver is known to lack anything. */
  static boolean isPassed() {
    return failure == null;
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  @SuppressWarnings("deprecation") // It says the version in every version.
  private static @Nullable String run(Connection connection) {
    try {
      roundTrip(new ReplayStatements(connection));
      return null;
    } catch (SQLException | RuntimeException | AssertionError | LinkageError e) {
      return "Results cannot be taken from "
          + org.postgresql.Driver.getVersion()
          + ", so nothing is cached ("
          + e
          + "). Use a version of the driver from 42.2 on that Larder was tested with.";
    }
  }

  private static void roundTrip(ReplayStatements statements) throws SQLException {
    ResultColumns columns =
        new ResultColumns(
            List.of(
                new ResultColumn("id", 1, 1, Oid.INT4, 4, -1, true),
                new ResultColumn("name", 1, 2, Oid.TEXT, -1, -1, false)));
    byte[] number = {0, 0, 0, EXPECTED};
    byte[][][] rows = {{number, "larder".getBytes(StandardCharsets.UTF_8)}};

    PgResultSet live = resultSet(statements, CachedResult.of(columns, new RawRows(rows), false));
    CachedResult taken = PostgresResults.take(live, ResultLimits.NONE, null);
    if (taken == null) {
      throw new AssertionError("no result is taken");
    }
    require(taken.columns().equals(columns), "columns are taken");
    PgResultSet replayed = resultSet(statements, taken);
    require(replayed.next() && replayed.getInt("id") == EXPECTED, "a number is read");
    require(replayed.getBytes("name") == taken.rows().value(0, 1), "text is read");
    PostgresResults.unshareRow(replayed);
    byte[] copy = replayed.getBytes(2);
    require(copy != taken.rows().value(0, 1) && Arrays.equals(copy, TEXT), "a row is copied");
    PostgresResults.unshareAll(replayed);
    require(replayed.getInt(1) == EXPECTED && !replayed.next(), "all rows are copied");
    require(live.next() && live.getInt(1) == EXPECTED, "the first result is left alone");
  }

  private static void require(boolean fact, String what) {
    if (!fact) {
      throw new AssertionError("not true: " + what);
    }
  }

  private static PgResultSet resultSet(ReplayStatements statements, CachedResult result)
      throws SQLException {
    return (PgResultSet) statements.replay(result, ReplayOptions.DEFAULT);
  }
}
