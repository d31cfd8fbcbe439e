package dev.larder.jdbc.connection;

import dev.larder.engine.Lookup;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An ordinary connection of Larder's own, for queries that nobody waits for. {@link
 * FurtherConnections#background()} opens one with the URL, the properties, the user and the cache
 * of an application's connection, on the calling thread: never call it on one of the application's.
 *
 * <p>What it misses is kept as the application's misses are, under the settings that a new session
 * of that user has. Compare {@link PhysicalConnection#settings()} first: what a session asked that
 * has set something, or has taken another role, is not asked here. Its misses are not counted as
 * such (they are {@code Count.BACKGROUND}), as nobody waited for them.
 *
 * <p>It sends no query but misses, which write nothing: see {@link #REFUSED}. The server refuses
 * whatever it would write, and ends what takes longer than {@value #STATEMENT_TIMEOUT} or waits
 * {@value #LOCK_TIMEOUT} for a lock; no key depends on these settings. Do not use it for anything
 * but queries.
 *
 * <p>Have one open at most for each user of a cache, ask {@link #isWanted} before each query, and
 * while there is nothing to ask at least once in a second, and close it as soon as it says no. Like
 * any connection it is for one thread at a time; {@link #isWanted} is thread-safe.
 */
public final class BackgroundConnection implements AutoCloseable {
  private static final String STATEMENT_TIMEOUT = "30s";
  private static final String LOCK_TIMEOUT = "1s";

  /** The SQLState where a query was not sent: feature_not_supported. */
  public static final String REFUSED = "0A000";

  private static final Set<BackgroundConnection> OPEN = ConcurrentHashMap.newKeySet();

  private final Connection connection;
  private final PhysicalConnection physical;
  private volatile boolean givenUp;

  /**
   * Takes what {@link #restrict} was called for before it got its cache.
   *
   * @param connection with the cache in front of {@code physical}
   */
  public BackgroundConnection(Connection connection, PhysicalConnection physical) {
    this.connection = connection;
    this.physical = physical;
    OPEN.add(this);
  }

  /** Has the server refuse writes and long waits, before anything is known of the session. */
  public static void restrict(Connection driver) throws SQLException {
    try (Statement statement = driver.createStatement()) {
      statement.execute("SET default_transaction_read_only = on");
      statement.execute("SET statement_timeout = '" + STATEMENT_TIMEOUT + "'");
      statement.execute("SET lock_timeout = '" + LOCK_TIMEOUT + "'");
    }
  }

  /**
   * Checks what was decided about a query of such a connection.
   *
   * @throws SQLException with the SQLState {@link #REFUSED} unless it is a miss
   */
  public static void check(@Nullable Lookup lookup) throws SQLException {
    if (!(lookup instanceof Lookup.Miss || lookup instanceof Lookup.Leading)) {
      throw new SQLException("In the background Larder sends misses and nothing else.", REFUSED);
    }
  }

  /** Has all of them closed soon: the application has need of their slots at the server. */
  public static boolean giveUp() {
    boolean open = false;
    for (BackgroundConnection each : OPEN) {
      each.givenUp = true;
      open = true;
    }
    return open;
  }

  /** Returns the connection, in autocommit; close this instead of it. */
  public Connection connection() {
    return connection;
  }

  /** Returns what is known of it. */
  public PhysicalConnection physical() {
    return physical;
  }

  /**
   * Returns whether the application still uses the cache, and leaves this connection its slot at
   * the server. Once it is false it stays so for the latter.
   */
  public boolean isWanted() {
    return !givenUp && isUsedByOthers(physical.cache());
  }

  /** Returns whether a connection of the application's uses {@code cache}. */
  public static boolean isUsedByOthers(QueryCache cache) {
    long own = OPEN.stream().filter(each -> each.physical.cache() == cache).count();
    return QueryCaches.connections(cache) > own;
  }

  @Override
  public void close() throws SQLException {
    try {
      connection.close();
    } finally {
      OPEN.remove(this);
    }
  }
}
