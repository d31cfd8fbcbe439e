package dev.larder.jdbc.postgresql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.PGStream;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.QueryExecutorBase;
import org.postgresql.jdbc.PgConnection;

/**
 * The driver's {@code maxResultBuffer}: how long a result may be. It is the application's limit and
 * not one for what Larder asks. No API of the driver; where it cannot be had there is no limit.
 */
final class ResultBuffer {
  private static final long NONE = -1;

  private static final @Nullable VarHandle STREAM =
      find(QueryExecutorBase.class, "pgStream", PGStream.class);

  /** The field, since drivers of 42.2 have no getter for it. */
  private static final @Nullable VarHandle LIMIT =
      find(PGStream.class, "maxResultBuffer", long.class);

  private ResultBuffer() {}

  private static @Nullable VarHandle find(Class<?> owner, String field, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, field, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static @Nullable PGStream stream(PgConnection driver) {
    VarHandle handle = STREAM;
    QueryExecutor executor = driver.getQueryExecutor();
    return handle != null && executor instanceof QueryExecutorBase base
        ? (PGStream) handle.get(base)
        : null;
  }

  /** Returns the limit in bytes, or −1 for none. */
  static long limit(PgConnection driver) {
    VarHandle handle = LIMIT;
    PGStream stream = stream(driver);
    return handle == null || stream == null ? NONE : (long) handle.get(stream);
  }

  /** Takes the limit away. */
  static void lift(PgConnection driver) {
    restore(driver, NONE);
  }

  /** Sets the limit to what {@link #limit} has returned. */
  static void restore(PgConnection driver, long limit) {
    VarHandle handle = LIMIT;
    PGStream stream = stream(driver);
    if (handle != null && stream != null) {
      handle.set(stream, limit);
    }
  }
}
