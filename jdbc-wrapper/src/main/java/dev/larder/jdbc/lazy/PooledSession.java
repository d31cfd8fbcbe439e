package dev.larder.jdbc.lazy;

import dev.larder.CacheOptions;
import dev.larder.FeedOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.FeedOrder;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.QueryCache;
import dev.larder.engine.ServerGeneration;
import dev.larder.engine.SessionView;
import dev.larder.engine.UnpooledHits;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.Beginning;
import dev.larder.jdbc.postgresql.Decoding;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.session.Isolation;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.log.CacheLog;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
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
 * @param singleByte whether the database's encoding has characters of one byte only
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
    boolean singleByte,
    boolean autoCommit,
    boolean readOnly,
    Isolation isolation) {

  /** Why nothing is known of a session while the catalog is being read. */
  static final String NO_CATALOG = "the catalog is not read yet";

  /** Why nothing is known while a connection is opened to decode with. */
  static final String LEARNING = "the session of the pool is being learned";

  /** Why nothing is known of a session which the server cannot be asked for now. */
  static final String UNSETTLED = "what is set on a connection shows when it is used again";

  /** Why nothing is known of a session that is broken. The application's statement is told more. */
  static final String NO_ANSWER = "a connection does not answer";

  /** Why nobody is left out where nobody has asked for it. */
  static final String OFF = "larder.lazyConnections is off";

  /** Why nothing is known of a connection of before the pool got another user. */
  static final String OTHER_USER = "the pool opens its connections as another user";

  private static final Set<String> EXPECTED = Set.of(NO_CATALOG, LEARNING, UNSETTLED, OFF);

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
   * @param names what transactions set for themselves: no part of what it is
   */
  static Object found(Connection pooled, CachingConnection connection, LocalNames names) {
    try {
      Object session = of(pooled, connection);
      return session instanceof PooledSession known
          ? known.with(names.without(known.settings, connection.physical()))
          : session;
    } catch (SQLException e) {
      return NO_ANSWER;
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking at a connection of the pool", e);
      return "a connection cannot be read";
    }
  }

  @SuppressWarnings("ReferenceEquality") // Equal settings are the same.
  private static Object of(Connection pooled, CachingConnection connection) throws SQLException {
    PhysicalConnection physical = connection.physical();
    CatalogVersion catalog = physical.cache().database().catalog().current();
    SessionFingerprint settings = settings(physical);
    SessionView view = physical.view();
    if (view.bypass() != null) {
      return view.bypass().description();
    }
    if (settings == null || settings != view.settings()) {
      return catalog == null ? UNSETTLED : "settings are not known";
    }
    String refusal = refusal(physical);
    if (refusal != null || catalog == null) {
      return refusal == null ? NO_CATALOG : refusal;
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
        physical.session().isSingleByte(),
        pooled.getAutoCommit(),
        pooled.isReadOnly(),
        physical.isolation());
  }

  /** Returns the settings, also while there is no catalog to look anything up with. */
  private static @Nullable SessionFingerprint settings(PhysicalConnection physical)
      throws SQLException {
    SessionFingerprint known = physical.view().settings();
    return known == null ? physical.knownSettings(false, StatementKinds.NONE) : known;
  }

  /** Adds to {@code names} what a connection accepts; returns whether any of it is new. */
  static boolean learn(PhysicalConnection physical, LocalNames names) {
    try {
      QueryCacheConfig config = physical.cache().config();
      if (refusal(config, true) == null && physical.isIdleAtServer()) {
        settings(physical); // Known from now on.
      }
      return names.add(physical);
    } catch (SQLException e) {
      return false; // The next look at the connection finds it, too.
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking at a connection that is given back", e);
      return false;
    }
  }

  /**
   * Returns what the application may have set that stays in the pool, or null. What JDBC has
   * setters for the pool sets back, or the next look at the connection finds it.
   */
  @SuppressWarnings("ReferenceEquality") // Equal settings are the same.
  static @Nullable String change(
      PhysicalConnection physical, @Nullable SessionFingerprint first, LocalNames names) {
    if (first == null) {
      return null; // It is known already that it is not as the others are.
    }
    try {
      SessionFingerprint settings =
          names.withoutIfKnown(
              physical.isIdleAtServer() ? settings(physical) : physical.view().settings(),
              physical);
      if (settings == null) {
        return UNSETTLED;
      }
      return settings == names.without(first)
              && physical.view().bypass() == null
              && physical.reads().staleness() == null
              && (physical.followed() == null || physical.followed().position() == null)
              && !physical.state().tracker().isTouched()
          ? null
          : "the application has set something on a connection";
    } catch (SQLException e) {
      return NO_ANSWER;
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking at a connection that is given back", e);
      return "a connection cannot be read";
    }
  }

  private static @Nullable String refusal(PhysicalConnection physical) throws SQLException {
    if (physical.endsWhenIdle()) {
      return "the server ends idle sessions";
    }
    if (Decoding.binaryThreshold(physical.session()) < 0) {
      return "preferQueryMode or prepareThreshold is not the usual one";
    }
    if (!physical.isIdleAtServer()) {
      return "the pool hands out a connection in a transaction";
    }
    CatalogVersion catalog = physical.cache().database().catalog().current();
    Beginning beginning = physical.state().beginning();
    if (catalog != null && (beginning == null || !beginning.isAsNow(catalog.mark()))) {
      return "a connection is older than what ALTER ROLE or ALTER DATABASE has set";
    }
    return physical.isolation().isOfEachStatement()
        ? null
        : "transactions have another isolation level than READ COMMITTED";
  }

  /** Returns whether a reason is as it should be: it passes, or somebody wants it so. */
  static boolean isExpected(String reason) {
    return EXPECTED.contains(reason);
  }

  /** Returns whether {@code user}, null if that is not known, opens other sessions now. */
  boolean isOfAnother(@Nullable String user) {
    return user != null && !user.equals(settings.sessionUser());
  }

  /** Says why hits need a connection; null where they need none. */
  static void say(UnpooledHits hits, @Nullable String reason) {
    if (reason == null) {
      hits.on();
    } else if (isExpected(reason)) {
      hits.off(reason);
    } else {
      hits.trouble(reason);
    }
  }

  /** Returns the same session with other settings. */
  PooledSession with(SessionFingerprint others) {
    return in(others, catalogMark, serverGeneration);
  }

  /** Returns whether look-ups of both find the same, in the same catalog and life of the server. */
  boolean isLike(PooledSession other) {
    return equals(other.in(other.settings, catalogMark, serverGeneration));
  }

  private PooledSession in(SessionFingerprint others, Object mark, ServerGeneration generation) {
    return new PooledSession(
        cache,
        others,
        mark,
        generation,
        options,
        binaryThreshold,
        queryTimeout,
        standardStrings,
        singleByte,
        autoCommit,
        readOnly,
        isolation);
  }
}
