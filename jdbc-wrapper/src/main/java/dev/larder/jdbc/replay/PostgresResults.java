package dev.larder.jdbc.replay;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultLimits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Field;
import org.postgresql.core.Oid;
import org.postgresql.core.Tuple;
import org.postgresql.jdbc.PgArray;
import org.postgresql.jdbc.PgResultSet;
import org.postgresql.util.PGBinaryObject;

/**
 * Takes results from the driver; {@link ReplayStatements} gives them back. The rows of a live
 * result are shared with the cache, not copied: call {@link #unshareRow} before handing out what
 * may hold a value's own array. Stateless.
 */
public final class PostgresResults {
  /** The attribute number of {@code tableoid}, the one system column that may be cached. */
  private static final int TABLEOID = -6;

  private PostgresResults() {}

  /**
   * Returns what the driver lacks that {@link #capture} and replay need, with its version; null if
   * it is supported. Asks no server.
   *
   * @param connection one of the driver's
   */
  public static @Nullable String unsupportedReason(Connection connection) {
    return DriverCheck.failure(connection);
  }

  /**
   * Returns what {@code live} holds, without consuming or disturbing it; call it before the
   * statement is executed again. Afterwards its rows are shared with the returned result.
   *
   * <p>Returns null for what cannot be replayed exactly, for the reasons of {@link #refusal}. A
   * result that maxRows may have cut is returned and {@linkplain CachedResult#mayBeCut() says so}.
   *
   * @param live the driver's result set, or a foreign wrapper that unwraps to it
   * @param likely the columns of an earlier result of the same query, which makes this faster where
   *     they are the same, or null
   */
  public static @Nullable CachedResult capture(
      ResultSet live, ResultLimits limits, @Nullable ResultColumns likely) throws SQLException {
    PgResultSet result = supportedResult(live);
    return result == null ? null : take(result, limits, likely);
  }

  /** Returns how many rows {@code live} has, if all of them are there; otherwise -1. */
  public static long rowCount(ResultSet live) throws SQLException {
    PgResultSet result = supportedResult(live);
    List<Tuple> rows =
        result != null && DriverInternals.holdsAllRows(result)
            ? DriverInternals.rows(result)
            : null;
    return rows == null ? -1 : rows.size();
  }

  /** Returns how many rows {@code live} may have at most; 0 for no limit. */
  public static long maxRows(ResultSet live) throws SQLException {
    PgResultSet result = supportedResult(live);
    return result == null ? 0 : DriverInternals.maxRows(result);
  }

  /** Returns whether the driver fetches further rows of {@code live} as they are asked for. */
  public static boolean hasMoreAtServer(ResultSet live) throws SQLException {
    PgResultSet result = supportedResult(live);
    return result != null && DriverInternals.hasCursor(result);
  }

  /** Returns why {@link #capture} returned null for {@code live}. */
  public static BypassReason refusal(ResultSet live) throws SQLException {
    PgResultSet result = supportedResult(live);
    BypassReason refusal = result == null ? BypassReason.DRIVER : refusal(result);
    return refusal == null ? BypassReason.TOO_LARGE : refusal;
  }

  private static @Nullable PgResultSet supportedResult(ResultSet live) throws SQLException {
    return DriverCheck.isPassed() ? driverResult(live) : null;
  }

  /** Returns {@code result}, of whatever origin, with its rows in the form that is replayed. */
  public static CachedResult forReplay(CachedResult result) {
    TupleRows rows = TupleRows.of(result.rows(), result.columns().count());
    return CachedResult.of(result.columns(), rows, result.mayBeCut());
  }

  static @Nullable CachedResult take(
      PgResultSet result, ResultLimits limits, @Nullable ResultColumns likely) throws SQLException {
    List<Tuple> rows = DriverInternals.rows(result);
    if (rows == null || rows.size() > limits.maxResultRows() || refusal(result) != null) {
      return null;
    }
    TupleRows kept = TupleRows.upTo(limits.maxResultBytes(), rows);
    if (kept == null) {
      return null;
    }
    int maxRows = DriverInternals.maxRows(result);
    boolean mayBeCut = maxRows > 0 && rows.size() >= maxRows;
    ResultColumns columns = columns(DriverInternals.fields(result), likely);
    CachedResult captured = CachedResult.of(columns, kept, mayBeCut);
    return captured.weightBytes() <= limits.maxResultBytes() ? captured : null;
  }

  /** Returns why a result of any size cannot be replayed, or null where it can. */
  private static @Nullable BypassReason refusal(PgResultSet result) throws SQLException {
    if (result.getClass() != PgResultSet.class) {
      return BypassReason.DRIVER;
    }
    if (DriverInternals.rows(result) == null) {
      return BypassReason.CLOSED;
    }
    if (!DriverInternals.holdsAllRows(result)) {
      return BypassReason.STREAMING;
    }
    if (result.getConcurrency() != ResultSet.CONCUR_READ_ONLY) {
      return BypassReason.UPDATABLE;
    }
    return DriverInternals.hasWarnings(result)
        ? BypassReason.WARNINGS
        : refusal(DriverInternals.fields(result));
  }

  private static @Nullable BypassReason refusal(@Nullable Field[] fields) {
    for (Field field : fields) {
      if (field == null) {
        return BypassReason.DRIVER;
      }
      if (field.getOID() == Oid.REF_CURSOR) {
        return BypassReason.CURSOR;
      }
      if (field.getOID() == Oid.OID && field.getPositionInTable() != TABLEOID) {
        return BypassReason.LARGE_OBJECT;
      }
    }
    return null;
  }

  private static ResultColumns columns(Field[] fields, @Nullable ResultColumns likely) {
    if (likely != null && areOf(likely, fields)) {
      return likely;
    }
    return new ResultColumns(Stream.of(fields).map(DriverInternals::column).toList());
  }

  private static boolean areOf(ResultColumns columns, Field[] fields) {
    if (columns.count() != fields.length) {
      return false;
    }
    for (int i = 0; i < fields.length; i++) { // Each miss comes here: a stream costs it 150 bytes.
      if (!DriverInternals.isOf(columns.get(i), fields[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true if {@code value}, which a getter of a driver's result set returned, may be or keep
   * the array that holds the value in its row. Input streams are not looked at.
   */
  public static boolean mayKeepBytes(@Nullable Object value) {
    return value instanceof byte[]
        || (value instanceof PgArray array && array.isBinary())
        || (value instanceof PGBinaryObject && !isDriverType(value));
  }

  /** The driver's own binary types decode what they are given. */
  private static boolean isDriverType(Object value) {
    return value.getClass().getClassLoader() == PGBinaryObject.class.getClassLoader()
        && value.getClass().getName().startsWith("org.postgresql.");
  }

  /**
   * Gives {@code shared} copies of its current row's values, once a row, so that what its getters
   * hand out from now on is nobody else's.
   */
  public static void unshareRow(ResultSet shared) throws SQLException {
    PgResultSet result = driverResult(shared);
    if (result != null) {
      copyRow(result);
    }
  }

  private static void copyRow(PgResultSet result) {
    List<Tuple> rows = DriverInternals.rows(result);
    Tuple row = DriverInternals.thisRow(result);
    int number = DriverInternals.currentRow(result);
    boolean shared = rows != null && number >= 0 && number < rows.size() && rows.get(number) == row;
    if (row != null && shared) {
      DriverInternals.setThisRow(result, TupleRows.copyOf(row));
    }
  }

  /** Gives {@code shared} copies of all rows, so that it may leave Larder's hands. */
  public static void unshareAll(ResultSet shared) throws SQLException {
    PgResultSet result = driverResult(shared);
    List<Tuple> rows = result == null ? null : DriverInternals.rows(result);
    if (result == null || rows == null) {
      return;
    }
    copyRow(result);
    List<Tuple> copies = new ArrayList<>();
    rows.forEach(row -> copies.add(TupleRows.copyOf(row)));
    DriverInternals.setRows(result, copies);
  }

  private static @Nullable PgResultSet driverResult(ResultSet result) throws SQLException {
    if (result instanceof PgResultSet driver) {
      return driver;
    }
    return result.isWrapperFor(PgResultSet.class) ? result.unwrap(PgResultSet.class) : null;
  }
}
