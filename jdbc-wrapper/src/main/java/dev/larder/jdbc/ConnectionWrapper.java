package dev.larder.jdbc;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.RemoteBackends;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.wrap.LarderConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/** Opens connections of the application's: the driver and the data sources end here. Stateless. */
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
      String trouble =
          RemoteBackends.isThere(RemoteBackends.MEMCACHED)
              ? "larder.backend is local. Set larder.backend=memcached"
              : "the memcached backend is not on the class path. Add the artifact"
                  + " dev.larder:larder-memcached and set larder.backend=memcached";
      throw new SQLException(
          "LRD-040 %s is memcached, but %s, or larder.writers=this-jvm if only this JVM writes."
              .formatted(CacheOptions.WRITERS.key(), trouble),
          LarderOptions.INVALID_PARAMETER_VALUE);
    }
  }

  /** Opens a connection by a URL, with the cache in front. */
  static Connection connect(LarderOptions options, QueryCacheConfig config) throws SQLException {
    ConnectionFactory own = options.factory();
    return Opened.orClose(
        open(own::connect),
        Connection::close,
        physical -> LarderConnections.wrap(physical, config, own));
  }

  /** Opens a connection. Where the server has no slot left, Larder's own connections make room. */
  static <T> T open(Opened.Opening<T> opening) throws SQLException {
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
}
