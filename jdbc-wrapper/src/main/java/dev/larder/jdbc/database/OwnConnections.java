package dev.larder.jdbc.database;

import dev.larder.engine.Database;
import dev.larder.engine.DatabaseIdentity;
import dev.larder.feed.FeedSource;
import dev.larder.jdbc.catalog.PostgresCatalogLoader;
import dev.larder.jdbc.effects.KnownEffects;
import dev.larder.jdbc.feed.Refusal;
import dev.larder.jdbc.postgresql.Backend;
import dev.larder.jdbc.postgresql.FirstFacts;
import dev.larder.jdbc.postgresql.PoolerQueries;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.session.CleanSettings;
import dev.larder.jdbc.session.SearchPaths;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Larder's own connections to one database. They use the newest credentials seen, and a pooler only
 * where no other way is known: there they set nothing but for a transaction, as it would hand their
 * settings on to others. Thread-safe.
 */
public final class OwnConnections {
  private final Database database;
  private final Companions companions;
  private final OwnFeedConnections feed = new OwnFeedConnections(this);
  private volatile @Nullable ConnectionFactory newest;

  /** As {@link #newest}, behind a pooler. */
  private volatile @Nullable ConnectionFactory behindPooler;

  private final Poolers poolers = new Poolers();
  private final Map<String, CleanSettings> cleanSettings = new ConcurrentHashMap<>();

  /** The processes that serve sessions of this JVM and nobody else, by the session's owner. */
  private final Map<Object, Backend> direct = Collections.synchronizedMap(new WeakHashMap<>());

  /** Those that are open, and may have been closed since. */
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();

  OwnConnections(DatabaseIdentity identity) {
    this.database =
        Database.of(
            identity,
            () -> new PostgresCatalogLoader(new ForCatalog(this), this::isOwn),
            new Primary(identity, this),
            feed);
    this.companions =
        new Companions(this, new OutcomeResolver(this), new SearchPaths(), new KnownEffects());
  }

  /** Returns what else belongs to the database; lives as long as this. */
  Companions companions() {
    return companions;
  }

  /** Returns what starts to follow the log of the database. */
  public FeedSource feed() {
    return feed;
  }

  private boolean isOwn(int process) {
    return direct().stream().anyMatch(backend -> backend.pid() == process);
  }

  public Database database() {
    return database;
  }

  /** Notes a factory that has just made a connection past any pooler. */
  public void seen(ConnectionFactory factory) {
    newest = factory;
  }

  /**
   * Returns whether the pooler on the way of {@code factory} lets a transaction have one process of
   * the server; notes that way if so. Asks it once, over a connection of its own.
   */
  public boolean keepsTransactions(ConnectionFactory factory) {
    boolean keeps = poolers.keepsTransactions(factory);
    if (keeps) {
      behindPooler = factory;
    }
    return keeps;
  }

  /** Returns what the sessions behind a pooler have in common for one kind of clients. */
  public CleanSettings cleanSettings(String clients, Duration interval) {
    return cleanSettings.computeIfAbsent(clients, any -> new CleanSettings(interval));
  }

  /** Notes which server a connection has reached, unless that is a standby. */
  public void reached(SessionFacts facts) {
    if (facts.identified() && !facts.standby()) {
      database.serverGenerationSeen(facts.serverGeneration());
      database.markSeen(facts.databaseMark());
    }
  }

  /** Notes that {@code backend} serves nobody but {@code owner}, while that exists. */
  public void serves(Backend backend, Object owner) {
    direct.put(owner, backend);
  }

  /** Returns the processes that serve nobody but this JVM's sessions, and may be gone. */
  Collection<Backend> direct() {
    synchronized (direct) {
      return List.copyOf(direct.values());
    }
  }

  /** Returns whether the newest connection seen was opened with {@code url}. */
  boolean isTo(String url) {
    ConnectionFactory factory = newest;
    return factory != null && factory.url().equals(url);
  }

  /** Returns what has made a connection past any pooler last; null where nothing has. */
  @Nullable ConnectionFactory newest() {
    return newest;
  }

  /** Returns whether there is a way. */
  boolean arePossible() {
    return newest != null || behindPooler != null;
  }

  /** An own connection, and what it said when it was opened. */
  record Own(Connection connection, PostgresSession session, SessionFacts facts)
      implements AutoCloseable {
    /** Returns whether a pooler sits in between. */
    boolean isPooled() {
      return session.isPooled(facts);
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /**
   * Opens a connection. With several hosts in a URL it may end at another server, or at a standby,
   * whose catalog and list of sessions say nothing about the primary's: such a one is refused.
   */
  Own open() throws SQLException {
    ConnectionFactory direct = newest;
    ConnectionFactory factory = direct == null ? behindPooler : direct;
    if (factory == null) {
      throw new SQLException(
          "No connection of the application reaches the primary itself.", "08001");
    }
    return checked(factory.connectUnattended(), direct == null);
  }

  /** Returns {@code opened}, or closes it where it is to be refused, as {@link #open} does. */
  Own checked(Connection opened) throws SQLException {
    return checked(opened, false);
  }

  private Own checked(Connection opened, boolean mayBePooled) throws SQLException {
    open.removeIf(OwnConnections::isClosed);
    return Opened.orClose(
        opened, Connection::close, connection -> prepared(connection, mayBePooled));
  }

  private Own prepared(Connection connection, boolean mayBePooled) throws SQLException {
    PostgresCatalogLoader.waitBriefly(connection);
    PostgresSession session = new PostgresSession(connection);
    session.liftLimits();
    Own own = new Own(connection, session, FirstFacts.read(session));
    check(own, mayBePooled);
    if (!own.isPooled()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET search_path = pg_catalog");
      }
      serves(own.facts().backend(), connection);
    }
    open.add(connection);
    return own;
  }

  /**
   * Checks that a transaction behind the pooler is at the server that is known.
   *
   * @throws Refusal if it is not
   */
  void checkServer(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(PoolerQueries.SERVER)) {
      row.next();
      if (!row.getString(1).equals(database.identity().systemIdentifier())
          || row.getLong(2) != database.identity().databaseOid()) {
        throw new Refusal(Refusal.Reason.OTHER_DATABASE);
      } else if (row.getBoolean(4)) {
        throw new Refusal(Refusal.Reason.STANDBY);
      } else if (row.getLong(3) != database.serverGeneration().startedMicros()) {
        throw new Refusal(Refusal.Reason.REPLACED);
      }
    }
  }

  /**
   * Leaves the slots at the server to the application, and holds none longer than for a question
   * from now on.
   *
   * @return whether a connection is open
   */
  boolean giveUp() {
    open.removeIf(OwnConnections::isClosed);
    if (open.isEmpty()) {
      return false;
    }
    feed.giveUp();
    database.catalog().connectBriefly();
    return true;
  }

  static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  private void check(Own own, boolean mayBePooled) throws SQLException {
    SessionFacts facts = own.facts();
    if (facts.loginTriggers()) {
      // They may have written anything.
      database.invalidateEverywhere();
    }
    Refusal.Reason reached = null;
    if (!facts.identified() && !database.identity().isUnknown()) {
      reached = Refusal.Reason.UNIDENTIFIED;
    } else if (!facts.identity().equals(database.identity())) {
      reached = Refusal.Reason.OTHER_DATABASE;
    } else if (facts.standby()) {
      reached = Refusal.Reason.STANDBY;
    } else if (own.isPooled() && !mayBePooled) {
      reached = Refusal.Reason.POOLER;
    } else if (facts.identified()) {
      reached(facts);
      if (!facts.serverGeneration().equals(database.serverGeneration())) {
        reached = Refusal.Reason.REPLACED;
      }
    }
    if (reached != null) {
      throw new Refusal(reached);
    }
  }
}
