package dev.larder.jdbc;

import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.caching.ConnectionFactory;
import dev.larder.jdbc.caching.LarderConnections;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;

/** Puts the cache in front of a physical connection: the driver and the data sources end here. */
final class ConnectionWrapper {
  private static final String MEMCACHED_BACKEND = "dev.larder.memcached.MemcachedBackend";

  private ConnectionWrapper() {}

  /**
   * Checks what only the class path can tell.
   *
   * @throws SQLException if the settings need what is not there, with SQLState 22023
   */
  static void check(QueryCacheConfig config) throws SQLException {
    if (config.writers() == QueryCacheConfig.Writers.MEMCACHED && !isLoadable(MEMCACHED_BACKEND)) {
      throw new SQLException(
          LarderProperty.WRITERS.key()
              + " is memcached, but the memcached backend is not on the class path. Add the"
              + " artifact dev.larder:larder-memcached, or set larder.writers=this-jvm if only this"
              + " JVM writes.",
          LarderOptions.INVALID_PARAMETER_VALUE);
    }
  }

  /** Wraps the connection, or closes it if that fails. */
  static Connection wrap(Connection physical, QueryCacheConfig config, ConnectionFactory own)
      throws SQLException {
    try {
      return LarderConnections.wrap(physical, config, own);
    } catch (SQLException | RuntimeException | Error e) {
      closeAfter(e, physical::close);
      throw e;
    }
  }

  /** Wraps the XA connection, or closes it if that fails. */
  static XAConnection wrapXa(XAConnection physical, QueryCacheConfig config, ConnectionFactory own)
      throws SQLException {
    try {
      return LarderConnections.wrapXa(physical, config, own);
    } catch (SQLException | RuntimeException | Error e) {
      closeAfter(e, physical::close);
      throw e;
    }
  }

  /** What closes a connection. */
  interface Closing {
    /** Closes it. */
    void close() throws SQLException;
  }

  /** Closes what the failure leaves behind. */
  static void closeAfter(Throwable failure, Closing physical) {
    try {
      physical.close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static boolean isLoadable(String className) {
    try {
      Class.forName(className, false, ConnectionWrapper.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
