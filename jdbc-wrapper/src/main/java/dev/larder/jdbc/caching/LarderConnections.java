package dev.larder.jdbc.caching;

import dev.larder.QueryCacheConfig;
import dev.larder.catalog.CatalogSnapshot;
import dev.larder.engine.CacheLog;
import dev.larder.engine.Database;
import dev.larder.engine.DatabaseIdentity;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.jdbc.postgresql.PostgresCatalogLoader;
import dev.larder.jdbc.postgresql.PostgresResults;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.XAConnection;
import org.jspecify.annotations.Nullable;

/** Puts the cache in front of physical connections. Thread-safe. */
public final class LarderConnections {
  /** What one database needs of JDBC, beside what the engine keeps of it. */
  private record Companions(OwnConnections connections, OutcomeResolver resolver) {}

  private static final Map<DatabaseIdentity, Companions> COMPANIONS = new ConcurrentHashMap<>();

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
    return new CachingConnection(physical, open(physical, config, own));
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
      return new CachingXAConnection(physical, open(handle, config, own));
    }
  }

  static PhysicalConnection open(
      Connection physical, QueryCacheConfig config, ConnectionFactory own) throws SQLException {
    PostgresSession session = new PostgresSession(physical);
    // Before the facts are read: what is current then is not newer than they are.
    Expected expected = expected(own);
    SessionFacts facts = session.readFirstFacts();
    if (facts.systemIdentifier().isEmpty()) {
      return unidentified(session, facts, config, own);
    }
    DatabaseIdentity identity = new DatabaseIdentity(facts.systemIdentifier(), facts.databaseOid());
    Companions companions = COMPANIONS.computeIfAbsent(identity, key -> companions(key, own));
    OwnConnections connections = companions.connections();
    if (!facts.standby()) {
      connections.seen(own);
    }
    Database database = database(identity, connections);
    if (!facts.standby()) {
      database.incarnationSeen(facts.incarnation());
    }
    if (!PostgresResults.supported()) {
      CacheLog.trouble(
          CacheLog.Trouble.DRIVER, String.valueOf(PostgresResults.unsupportedReason()));
    }
    QueryCache cache = QueryCaches.of(database, config);
    CatalogSnapshot openedWith =
        expected != null && expected.identity().equals(identity) ? expected.snapshot() : null;
    return new PhysicalConnection(session, facts, cache, companions.resolver(), openedWith);
  }

  /** The database that a URL led to the last time, and its catalog as it is known now. */
  private record Expected(DatabaseIdentity identity, @Nullable CatalogSnapshot snapshot) {}

  private static @Nullable Expected expected(ConnectionFactory own) {
    for (Map.Entry<DatabaseIdentity, Companions> known : COMPANIONS.entrySet()) {
      OwnConnections connections = known.getValue().connections();
      if (connections.isTo(own.url())) {
        DatabaseIdentity identity = known.getKey();
        return new Expected(identity, database(identity, connections).catalog().current());
      }
    }
    return null;
  }

  /**
   * A server that does not say which database it is: nothing is cached, and whatever is written may
   * be in any database that this JVM knows.
   */
  private static PhysicalConnection unidentified(
      PostgresSession session, SessionFacts facts, QueryCacheConfig config, ConnectionFactory own) {
    CacheLog.trouble(
        CacheLog.Trouble.UNIDENTIFIED, "the query for the facts of the session was refused");
    OwnConnections connections = new OwnConnections(null, own);
    Database database = database(DatabaseIdentity.UNKNOWN, connections);
    return new PhysicalConnection(
        session,
        facts,
        QueryCaches.of(database, config),
        new OutcomeResolver(database, connections),
        null);
  }

  private static Companions companions(DatabaseIdentity identity, ConnectionFactory own) {
    OwnConnections connections = new OwnConnections(identity, own);
    return new Companions(
        connections, new OutcomeResolver(database(identity, connections), connections));
  }

  private static Database database(DatabaseIdentity identity, OwnConnections connections) {
    return Database.of(identity, () -> new PostgresCatalogLoader(connections::connect));
  }
}
