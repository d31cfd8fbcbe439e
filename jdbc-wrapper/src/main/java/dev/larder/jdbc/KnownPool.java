package dev.larder.jdbc;

import dev.larder.jdbc.lazy.PoolOwner;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What can be found out about a pool without its classes at hand. Thread-safe. */
final class KnownPool implements PoolOwner {
  private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";
  private static final String DRIVERS_OWN = "org.postgresql.ds.PGSimpleDataSource";

  private final DataSource pool;
  private final @Nullable Method isClosed;
  private final @Nullable Method close;
  private final boolean hikari;
  private volatile PoolProperties properties;

  KnownPool(DataSource pool) {
    this.pool = pool;
    this.isClosed = method(pool, "isClosed", boolean.class);
    this.close = method(pool, "close", void.class);
    this.hikari = pool.getClass().getName().equals(HIKARI);
    this.properties = properties();
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
   * hook, such as one that says whose rows the connection may see. Nor may it ask for the user anew
   * each time.
   */
  @Override
  public boolean isProvable() {
    if (!hikari) {
      return false;
    }
    try {
      Object source = get("getDataSource");
      return get("getConnectionTestQuery") == null
          && get("getDataSourceClassName") == null
          && isAbsent("getCredentialsProvider")
          && isAbsent("getCredentialsProviderClassName")
          && (!Boolean.TRUE.equals(get("isAllowPoolSuspension")) || state() != null)
          && (source == null
              ? isByUrl()
              : source instanceof LarderDataSource larder && isDriversOwn(larder.wrapped()));
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private static boolean isDriversOwn(@Nullable DataSource wrapped) {
    return wrapped == null || wrapped.getClass().getName().equals(DRIVERS_OWN);
  }

  private boolean isAbsent(String property) throws ReflectiveOperationException {
    try {
      return get(property) == null;
    } catch (NoSuchMethodException e) {
      return true; // An older one.
    }
  }

  // ---- as whom it opens connections

  private PoolProperties properties() {
    PoolProperties own = PoolProperties.of(pool, hikari);
    try {
      Object source = hikari ? get("getDataSource") : null;
      if (source != null) {
        own = own.and(PoolProperties.of(source, false));
      }
      if (source instanceof LarderDataSource larder && larder.wrapped() != null) {
        own = own.and(PoolProperties.of(larder.wrapped(), false));
      }
      MethodHandle state =
          hikari && Boolean.TRUE.equals(get("isAllowPoolSuspension")) ? state() : null;
      return state == null ? own : own.and(state);
    } catch (ReflectiveOperationException e) {
      return own;
    }
  }

  /** Returns what tells whether HikariCP's pool is suspended, or null. */
  private @Nullable MethodHandle state() {
    try {
      Object running = get("getHikariPoolMXBean");
      return running == null
          ? null
          : MethodHandles.publicLookup()
              .findGetter(running.getClass(), "poolState", int.class)
              .bindTo(running)
              .asType(MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  @Override
  public boolean isAsSeen() {
    return properties.areAsSeen();
  }

  @Override
  public void see() {
    properties = properties();
  }

  @Override
  public @Nullable String user() {
    return properties.user();
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
