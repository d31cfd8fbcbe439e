package dev.larder.jdbc;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.RemoteBackends;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.wrap.LarderConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.XAConnection;

/** Puts the cache in front of a physical connection: the driver and the data sources end here. */
final class ConnectionWrapper {
  private static final String TOO_MANY_CONNECTIONS = "53300";
  private static final int MAX_ATTEMPTS = 50;
  private static final long PAUSE_NANOS = 20_000_000;

  static {
    HeadStart.begin();
    CacheBeans.watch();
  }

  private ConnectionWrapper() {}

  /**
   * Checks what only the class path can tell.
   *
   * @throws SQLException if the settings need what is not there, with SQLState 22023
   */
  static void check(QueryCacheConfig config) throws SQLException {
    if (config.get(CacheOptions.WRITERS) == QueryCacheConfig.Writers.MEMCACHED
        && config.remote().isEmpty()) {
      boolean there = RemoteBackends.isThere(RemoteBackends.MEMCACHED);
      throw new SQLException(
          "LRD-040 "
              + CacheOptions.WRITERS.key()
              + " is memcached, but "
              + (there
                  ? "larder.backend is local. Set larder.backend=memcached"
                  : "the memcached backend is not on the class path. Add the artifact"
                      + " dev.larder:larder-memcached and set larder.backend=memcached")
              + ", or larder.writers=this-jvm if only this JVM writes.",
          LarderOptions.INVALID_PARAMETER_VALUE);
    }
  }

  /** What opens a connection of the application's. */
  interface Opening<T> {
    /** Opens it. */
    T open() throws SQLException;
  }

  /**
   * Opens a connection of the application's. Where the server has no slot left for it, Larder's own
   * connections make room.
   */
  static <T> T open(Opening<T> opening) throws SQLException {
    boolean roomMade = false;
    for (int attempt = 1; ; attempt++) {
      try {
        return opening.open();
      } catch (SQLException e) {
        boolean refused = TOO_MANY_CONNECTIONS.equals(e.getSQLState());
        roomMade |= refused && LarderConnections.makeRoom();
        if (!refused || !roomMade || attempt == MAX_ATTEMPTS) {
          throw e;
        }
        // A process of the server needs a moment to end.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
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
}
