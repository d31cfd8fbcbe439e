package dev.larder.jdbc.lazy;

import dev.larder.CacheOptions;
import dev.larder.FeedOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.FeedOrder;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.QueryCache;
import dev.larder.engine.ServerGeneration;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.postgresql.Decoding;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.session.Isolation;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of the pool is like as the pool hands it out. Two that are alike answer every
 * look-up alike. Immutable.
 *
 * @param settings the settings, in the catalog of {@code catalogMark}
 * @param options of a new statement
 * @param binaryThreshold after how many executions of a text the driver asks for binary values
 * @param queryTimeout of a new statement, in seconds
 * @param standardStrings whether a backslash is an ordinary character in a string
 */
record PooledSession(
    QueryCache cache,
    SessionFingerprint settings,
    Object catalogMark,
    ServerGeneration serverGeneration,
    ReplayOptions options,
    int binaryThreshold,
    int queryTimeout,
    boolean standardStrings,
    boolean autoCommit,
    boolean readOnly,
    Isolation isolation) {

  /** Why nothing is known of a session while the catalog is being read. */
  static final String NO_CATALOG = "the catalog is not read yet";

  /** Why nobody is left out where nobody has asked for it. */
  static final String OFF = "larder.lazyConnections is off";

  /** Returns why no connection of this cache is left out, or null. */
  static @Nullable String refusal(QueryCacheConfig config, boolean provable) {
    QueryCacheConfig.LazyConnections wanted = config.get(CacheOptions.LAZY_CONNECTIONS);
    if (wanted == QueryCacheConfig.LazyConnections.OFF) {
      return OFF;
    }
    if (wanted == QueryCacheConfig.LazyConnections.AUTO && !provable) {
      return "it is not provable that nothing sets up the pool's connections as they are handed"
          + " out";
    }
    if (config.remote().isPresent()) {
      return "results are shared with other JVMs";
    }
    if (config.isFollowing() && config.get(FeedOptions.ORDER) != FeedOrder.NONE) {
      return "larder.feed.order is session";
    }
    return config.get(CacheOptions.MODE) == QueryCacheConfig.Mode.OBSERVE
            || config.get(CacheOptions.VERIFY) > 0
        ? "the database answers hits, too"
        : null;
  }

  /**
   * Returns what the session is, or why its look-ups may not stand for those of others, as a text.
   *
   * @param pooled as the pool has just handed it out
   */
  static Object of(Connection pooled, CachingConnection connection) throws SQLException {
    PhysicalConnection physical = connection.physical();
    SessionView view = physical.view();
    if (view.settings() == null && view.bypass() == null) {
      physical.settings(); // The next statement would ask, too.
      view = physical.view();
    }
    CatalogVersion catalog = physical.cache().database().catalog().current();
    SessionFingerprint settings = view.settings();
    String refusal = view.bypass() == null ? refusal(physical) : view.bypass().description();
    if (refusal != null || catalog == null || settings == null) {
      return refusal != null ? refusal : catalog == null ? NO_CATALOG : "settings are not known";
    }
    return new PooledSession(
        physical.cache(),
        settings,
        catalog.mark(),
        view.serverGeneration(),
        connection.replayOptions(),
        Decoding.binaryThreshold(physical.session()),
        Decoding.queryTimeout(physical.session()),
        physical.session().standardConformingStrings(),
        pooled.getAutoCommit(),
        pooled.isReadOnly(),
        physical.isolation());
  }

  private static @Nullable String refusal(PhysicalConnection physical) {
    if (physical.endsWhenIdle()) {
      return "the server ends idle sessions";
    }
    if (Decoding.binaryThreshold(physical.session()) < 0) {
      return "preferQueryMode or prepareThreshold is not the usual one";
    }
    return physical.isIdleAtServer() && physical.isolation().isOfEachStatement()
        ? null
        : "transactions have another isolation level than READ COMMITTED";
  }

  /** Returns whether look-ups of both find the same, in the same catalog and life of the server. */
  boolean isLike(PooledSession other) {
    return equals(other.in(catalogMark, serverGeneration));
  }

  private PooledSession in(Object mark, ServerGeneration generation) {
    return new PooledSession(
        cache,
        settings,
        mark,
        generation,
        options,
        binaryThreshold,
        queryTimeout,
        standardStrings,
        autoCommit,
        readOnly,
        isolation);
  }
}
