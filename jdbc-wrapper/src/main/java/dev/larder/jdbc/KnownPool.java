package dev.larder.jdbc;

import java.lang.reflect.Method;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What can be found out about a pool without its classes at hand. Thread-safe. */
final class KnownPool {
  private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

  private final DataSource pool;
  private final @Nullable Method isClosed;
  private final @Nullable Method close;

  KnownPool(DataSource pool) {
    this.pool = pool;
    this.isClosed = method(pool, "isClosed", boolean.class);
    this.close = method(pool, "close", void.class);
  }

  private static @Nullable Method method(DataSource pool, String name, Class<?> type) {
    try {
      Method method = pool.getClass().getMethod(name);
      return method.getReturnType() == type && method.canAccess(pool) ? method : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Closes the pool, if it can be closed: not each that can is {@link AutoCloseable}. */
  void close() throws SQLException {
    try {
      if (pool instanceof AutoCloseable closeable) {
        closeable.close();
      } else if (close != null) {
        close.invoke(pool);
      }
    } catch (SQLException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new SQLException("The pool cannot be closed.", e);
    }
  }

  /** Returns whether the pool says that it is closed. */
  boolean isClosed() {
    try {
      return isClosed != null && (boolean) isClosed.invoke(pool);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /**
   * Returns whether nothing can set up a connection between Larder and whoever gets it from the
   * pool: HikariCP itself, no subclass nor wrapper, above Larder itself. Anything else may have a
   * hook, such as one that says whose rows the connection may see.
   */
  boolean isProvable() {
    if (!pool.getClass().getName().equals(HIKARI)) {
      return false;
    }
    try {
      Object source = get("getDataSource");
      return get("getConnectionTestQuery") == null
          && get("getDataSourceClassName") == null
          && (source == null ? isByUrl() : source instanceof LarderDataSource);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private boolean isByUrl() throws ReflectiveOperationException {
    Object driver = get("getDriverClassName");
    return get("getJdbcUrl") instanceof String url
        && url.startsWith(LarderDriver.PREFIX)
        && (driver == null || driver.equals(LarderDriver.class.getName()));
  }

  private @Nullable Object get(String property) throws ReflectiveOperationException {
    return pool.getClass().getMethod(property).invoke(pool);
  }
}
