package dev.larder.jdbc;

import java.lang.reflect.Method;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What can be found out about a pool without its classes at hand. Thread-safe. */
final class KnownPool {
  private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

  private final DataSource pool;
  private final @Nullable Method isClosed;

  KnownPool(DataSource pool) {
    this.pool = pool;
    this.isClosed = closedMethod(pool);
  }

  private static @Nullable Method closedMethod(DataSource pool) {
    try {
      Method method = pool.getClass().getMethod("isClosed");
      return method.getReturnType() == boolean.class && method.canAccess(pool) ? method : null;
    } catch (NoSuchMethodException e) {
      return null;
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
