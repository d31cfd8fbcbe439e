package dev.larder.jdbc.wrap;

import dev.larder.CacheOptions;
import dev.larder.ConnectionOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.LazyConnections;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.engine.Route;
import dev.larder.jdbc.background.Refreshes;
import dev.larder.jdbc.background.WarmStarts;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.FurtherConnections;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.database.Companions;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.database.OwnConnections;
import dev.larder.jdbc.postgresql.Beginning;
import dev.larder.jdbc.postgresql.FirstFacts;
import dev.larder.jdbc.postgresql.PoolerQueries;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.session.CleanSettings;
import dev.larder.jdbc.session.Reach;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.log.CacheLog;
import dev.larder.log.MessageText;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;
import org.jspecify.annotations.Nullable;

/** Puts the cache in front of physical connections. Thread-safe. */
public final class LarderConnections {
  private LarderConnections() {}

  /**
   * Returns {@code physical} with the cache in front of it. Sends one query.
   *
   * @param physical a connection of the driver, or a foreign wrapper that unwraps to it; below any
   *     pool
   * @param own opens further connections like it, for Larder's own use
   */
  public static Connection wrap(Connection physical, QueryCacheConfig config, ConnectionFactory own)
      throws SQLException {
    PhysicalConnection opened = open(physical, config, further(config, own));
    Connection connection = new CachingConnection(physical, opened);
    begin(opened);
    return connection;
  }

  /**
   * Returns an XA connection whose handles cache, and whose branches invalidate. Sends one query.
   *
   * @param physical an XA connection that was just opened and that nobody else holds
   * @param own opens further connections
   */
  public static XAConnection wrapXa(
      XAConnection physical, QueryCacheConfig config, ConnectionFactory own) throws SQLException {
    try (Connection handle = physical.getConnection()) {
      PhysicalConnection opened = open(handle, config, further(config, own));
      XAConnection connection = new CachingXAConnection(physical, opened);
      begin(opened);
      return connection;
    }
  }

  /** Begins what asks in the background, on sessions that it sets something in. */
  private static void begin(PhysicalConnection opened) {
    if (opened.state().isDirect()) {
      WarmStarts.opened(opened);
      Refreshes.opened(opened);
      if (opened.cache().config().get(CacheOptions.LAZY_CONNECTIONS) != LazyConnections.OFF) {
        noteBeginning(opened);
      }
    }
  }

  /** Asks what the session began with; without an answer its hits need a connection. */
  private static void noteBeginning(PhysicalConnection opened) {
    try {
      opened.state().began(Beginning.of(opened.session()));
    } catch (SQLException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "asking what a session began with", e);
    }
  }

  /**
   * Closes Larder's own connections soon, because the server has no slot left for the application.
   *
   * @return whether there are any, so that it is worth trying again
   */
  public static boolean makeRoom() {
    boolean own = Companions.giveUpConnections();
    boolean background = BackgroundConnection.giveUp();
    return own || background;
  }

  private static FurtherConnections further(QueryCacheConfig config, ConnectionFactory own) {
    return new FurtherConnections(own, () -> openInBackground(config, own));
  }

  private static BackgroundConnection openInBackground(
      QueryCacheConfig config, ConnectionFactory own) throws SQLException {
    FurtherConnections none = new FurtherConnections(own, null);
    return Opened.orClose(
        own.connectUnattended(),
        Connection::close,
        driver -> {
          BackgroundConnection.restrict(driver);
          PhysicalConnection physical = open(driver, config, none);
          return new BackgroundConnection(new CachingConnection(driver, physical), physical);
        });
  }

  private static PhysicalConnection open(
      Connection physical, QueryCacheConfig config, FurtherConnections further)
      throws SQLException {
    PostgresSession session = new PostgresSession(physical);
    // Before the facts are read: a catalog that is current then is not newer than they are.
    Companions expected = Companions.behind(further.own().url());
    CatalogVersion before =
        expected == null ? null : expected.connections().database().catalog().current();
    SessionFacts facts = FirstFacts.read(session);
    Companions companions = Companions.of(facts.identity());
    companions.resolver().resume();
    OwnConnections connections = companions.connections();
    boolean direct = !session.isPooled(facts);
    if (direct && !facts.standby()) {
      connections.seen(further.own());
    }
    connections.reached(facts);
    QueryCache cache = acquire(connections.database(), config);
    if (facts.loginTriggers()) {
      connections.database().invalidateEverywhere(); // They may have written anything.
    }
    CatalogVersion openedWith = companions.equals(expected) ? before : null;
    Reach reach = reach(session, facts, cache, connections, further);
    PhysicalConnection opened =
        new PhysicalConnection(session, facts, cache, companions, openedWith, further, reach);
    if (direct) {
      connections.serves(facts.backend(), opened);
    }
    return opened;
  }

  private static Reach reach(
      PostgresSession session,
      SessionFacts facts,
      QueryCache cache,
      OwnConnections connections,
      FurtherConnections further)
      throws SQLException {
    boolean pooled = session.isPooled(facts);
    Route route =
        Route.of(
            PoolerQueries.route(session, further.own().url()),
            identity -> Companions.of(identity).connections().database());
    CleanSettings clean = pooled ? behindPooler(session, facts, cache, connections, further) : null;
    return new Reach(connections.database(), route, pooled, clean);
  }

  /**
   * Returns what the sessions behind a pooler have in common, where that is cached; or null. Asks
   * the pooler once what it is.
   */
  private static @Nullable CleanSettings behindPooler(
      PostgresSession session,
      SessionFacts facts,
      QueryCache cache,
      OwnConnections connections,
      FurtherConnections further)
      throws SQLException {
    QueryCacheConfig config = cache.config();
    boolean cached =
        config.get(ConnectionOptions.POOLER).equals("auto")
            && facts.identified()
            && !facts.standby()
            && config.remote().isEmpty()
            && !config.isFollowing()
            && !further.areOfBackground()
            && connections.keepsTransactions(further.own());
    String clients =
        String.join(
            "\n",
            further.own().url(),
            cache.namespace() + session.protocolOptions(),
            PoolerQueries.reported(session).toString(),
            facts.sessionUser());
    return cached
        ? connections.cleanSettings(clients, config.get(ConnectionOptions.POOLER_INTERVAL))
        : null;
  }

  private static QueryCache acquire(Database database, QueryCacheConfig config)
      throws SQLException {
    try {
      return QueryCaches.acquire(database, config);
    } catch (IllegalStateException e) {
      throw new SQLException("LRD-040 " + MessageText.of(e), "22023");
    }
  }
}
