package dev.larder.jdbc.driver;

import java.io.Closeable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.PGStream;
import org.postgresql.jdbc.PgConnection;

/**
 * The fields of the driver's connections that are no API: whether a connection is closed, whether
 * it is in autocommit, and {@code maxResultBuffer}. Each is null where this version of the driver
 * lacks it. Stateless.
 */
public final class ConnectionInternals {
  private static final @Nullable VarHandle AUTO_COMMIT =
      find(PgConnection.class.getName(), "autoCommit", boolean.class);

  private static final @Nullable VarHandle STREAM =
      find("org.postgresql.core.QueryExecutorBase", "pgStream", PGStream.class);

  /** Drivers of 42.2 have no getter for it. */
  private static final @Nullable VarHandle MAX_RESULT_BUFFER =
      find(PGStream.class.getName(), "maxResultBuffer", long.class);

  /** Gets the stream that a close action closes. Null for drivers before 42.6, which have none. */
  private static final @Nullable MethodHandle CLOSED_STREAM = closedStream();

  private ConnectionInternals() {}

  private static @Nullable VarHandle find(String owner, String field, Class<?> type) {
    try {
      return DriverFields.find(owner, field, type);
    } catch (LinkageError e) {
      return null;
    }
  }

  private static @Nullable MethodHandle closedStream() {
    VarHandle stream =
        find("org.postgresql.core.QueryExecutorCloseAction", "pgStream", PGStream.class);
    return stream == null || AUTO_COMMIT == null
        ? null
        : stream
            .toMethodHandle(VarHandle.AccessMode.GET_VOLATILE)
            .asType(MethodType.methodType(Object.class, Closeable.class));
  }

  /** Returns what {@link #isClosed} looks at, or null where the driver must be asked. */
  public static @Nullable Closeable closeAction(PgConnection connection) {
    try {
      return CLOSED_STREAM == null ? null : connection.getQueryExecutor().getCloseAction();
    } catch (NoSuchMethodError e) {
      return null; // An older driver is on the class path, too, and comes first.
    }
  }

  /** Returns whether the driver has closed a connection, whoever made it do so, without a lock. */
  public static boolean isClosed(Closeable closeAction) {
    MethodHandle stream = CLOSED_STREAM;
    try {
      // The driver forgets the stream when it closes the connection, and at no other time.
      return stream != null && (Object) stream.invokeExact(closeAction) == null;
    } catch (Throwable e) {
      throw new LinkageError("The driver's stream cannot be read.", e);
    }
  }

  /** Returns what getAutoCommit answers, of a closed connection, too. Needs a close action. */
  public static boolean isAutoCommit(PgConnection connection) {
    VarHandle handle = AUTO_COMMIT;
    return handle != null && (boolean) handle.get(connection);
  }

  /** Returns how many bytes a result may have, or −1 for any number. */
  public static long maxResultBuffer(PgConnection driver) {
    VarHandle limit = MAX_RESULT_BUFFER;
    VarHandle stream = STREAM;
    return limit == null || stream == null
        ? -1
        : (long) limit.get(stream.get(driver.getQueryExecutor()));
  }

  /** Sets what {@link #maxResultBuffer} returns. It is the application's limit, not Larder's. */
  public static void setMaxResultBuffer(PgConnection driver, long bytes) {
    VarHandle limit = MAX_RESULT_BUFFER;
    VarHandle stream = STREAM;
    if (limit != null && stream != null) {
      limit.set(stream.get(driver.getQueryExecutor()), bytes);
    }
  }

  /** Returns whether a connection is closed, or was collected. */
  public static boolean isClosed(@Nullable PgConnection connection) {
    try {
      return connection == null || connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }
}
