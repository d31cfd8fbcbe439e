package dev.larder.jdbc.lazy;

import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.engine.UnpooledHits;
import dev.larder.engine.UnpooledHits.Borrow;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.postgresql.Decoding;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.log.CacheLog;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of connections through Larder, seen from above: what session they have, and whether all
 * have the same. While one differs from the others, or from what it was when it was first handed
 * out, every execution needs a connection of the pool. Thread-safe.
 */
public final class LazyPool implements AutoCloseable {
  /** How long no connection is opened for decoding after one was in vain. */
  private static final long RETRY_NANOS = 5_000_000_000L;

  private final Opened.Opening<Connection> source;
  private final BooleanSupplier provable;

  /** Null while every execution needs a connection. */
  private volatile @Nullable UsualSession usual;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<PhysicalConnection, Seen> seen = new WeakHashMap<>();
  private @Nullable UsualSession agreed;
  private @Nullable QueryCache retained;
  private boolean closed;
  private long learnAgainNanos = System.nanoTime();
  private String notLearned = "no connection was opened yet to decode with";

  /** What is known of one connection of the pool. */
  private static final class Seen {
    /** The settings with which the pool has handed it out first. */
    @Nullable SessionFingerprint first;

    /** Why it may not be left out, or null. */
    @Nullable String deviation;
  }

  /**
   * Creates the view of a pool.
   *
   * @param source hands out connections of the pool
   * @param provable whether it is provable that these are as Larder has made them, but for what the
   *     application has done with them
   */
  public LazyPool(Opened.Opening<Connection> source, BooleanSupplier provable) {
    this.source = source;
    this.provable = provable;
  }

  /** Returns a connection that borrows one of the pool when it needs it. */
  public Connection open() throws SQLException {
    UsualSession session = usual;
    if (session != null) {
      return new LazyConnection(this, session, null);
    }
    Borrowed borrowed = borrow();
    borrowed.count(Borrow.AT_ONCE);
    return borrowed.caching() == null
        ? borrowed.pooled()
        : new LazyConnection(this, null, borrowed);
  }

  /** Returns the session that all connections have, or null. */
  @Nullable UsualSession usual() {
    return usual;
  }

  /** Takes a connection out of the pool, and looks whether it is like the others. */
  Borrowed borrow() throws SQLException {
    return Opened.orClose(source.open(), Connection::close, this::handedOut);
  }

  private Borrowed handedOut(Connection pooled) throws SQLException {
    if (!pooled.isWrapperFor(CachingConnection.class)) {
      usual = null; // Not all are Larder's.
      return new Borrowed(pooled, null, null);
    }
    CachingConnection caching = pooled.unwrap(CachingConnection.class);
    PhysicalConnection physical = caching.physical();
    QueryCache cache = physical.cache();
    String refusal = PooledSession.refusal(cache.config(), provable.getAsBoolean());
    SessionFingerprint before = physical.state().tracker().current();
    Object found = refusal == null ? found(pooled, caching) : refusal;
    lock.lock();
    try {
      Seen known = seen.computeIfAbsent(physical, each -> new Seen());
      known.deviation = judge(known, before, found, caching);
      decide(cache);
      return new Borrowed(pooled, caching, known.first);
    } finally {
      lock.unlock();
    }
  }

  /** Returns why a connection may not be left out, or null. */
  @SuppressWarnings("ReferenceEquality") // Equal settings are the same.
  private @Nullable String judge(
      Seen known, @Nullable SessionFingerprint before, Object found, CachingConnection caching) {
    if (known.first == null) {
      known.first = before;
    }
    if (!(found instanceof PooledSession session)) {
      // What it is like is compared when it comes back, and with what the others agree on.
      return found.equals(PooledSession.NO_CATALOG) ? null : (String) found;
    }
    if (known.first == null) {
      known.first = session.settings();
    }
    return known.first == session.settings()
        ? agree(session, caching)
        : "settings of a connection have changed";
  }

  private static Object found(Connection pooled, CachingConnection caching) {
    try {
      return PooledSession.of(pooled, caching);
    } catch (SQLException e) {
      return "a connection does not answer"; // The application's statement is told why.
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking at a connection of the pool", e);
      return "a connection cannot be read";
    }
  }

  /** Compares a session with the one that the others have; returns why it differs, or null. */
  private @Nullable String agree(PooledSession session, CachingConnection caching) {
    UsualSession known = agreed;
    if (known != null && known.like().isLike(session)) {
      if (!known.like().equals(session)) {
        agreed = known.in(session);
      }
      return null;
    }
    if (known != null && isSharedBut(caching.physical())) {
      return "connections of the pool differ";
    }
    agreed = isLearning() ? learn(session, caching) : null;
    return agreed == null ? notLearned : null;
  }

  private boolean isLearning() {
    return !closed && System.nanoTime() - learnAgainNanos >= 0;
  }

  /** Returns whether another connection is open that is as was agreed. */
  private boolean isSharedBut(PhysicalConnection one) {
    return seen.entrySet().stream()
        .anyMatch(
            each ->
                each.getKey() != one
                    && each.getValue().deviation == null
                    && !each.getKey().isFoundClosed());
  }

  private @Nullable UsualSession learn(PooledSession session, CachingConnection caching) {
    learnAgainNanos = System.nanoTime() + RETRY_NANOS;
    try {
      ReplayStatements decoder = closedLike(caching.physical(), session.options());
      if (decoder == null) {
        notLearned = "another connection would decode differently";
        return null;
      }
      if (retained != session.cache()) {
        release();
        retained = QueryCaches.acquire(session.cache().database(), session.cache().config());
      }
      return new UsualSession(session, decoder, KnownDatabase.of(caching.getMetaData()));
    } catch (SQLException e) {
      notLearned =
          "no connection could be opened to decode with, SQLState %s".formatted(e.getSQLState());
      return null;
    } catch (RuntimeException e) {
      notLearned = "the session of the pool cannot be read";
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "learning the session of a pool", e);
      return null;
    }
  }

  /** Opens and closes a connection that decodes as {@code physical} does; null if none does. */
  private static @Nullable ReplayStatements closedLike(
      PhysicalConnection physical, ReplayOptions options) throws SQLException {
    try (Connection decoding = physical.further().own().connect()) {
      if (!Decoding.isMadeAlike(new PostgresSession(decoding), physical.session())) {
        return null;
      }
      ReplayStatements statements = new ReplayStatements(decoding);
      statements.prepareForClose(options);
      return statements;
    }
  }

  private void decide(QueryCache cache) {
    seen.keySet().removeIf(PhysicalConnection::isFoundClosed);
    UsualSession session = agreed;
    String reason = session == null ? PooledSession.NO_CATALOG : null;
    for (Seen each : seen.values()) {
      reason = each.deviation == null ? reason : each.deviation;
    }
    if (reason == null
        && session != null
        && !seen.values().stream().allMatch(each -> isOf(session, each))) {
      reason = "connections of the pool differ";
    }
    usual = reason == null ? session : null;
    say(cache.unpooled(), reason);
  }

  private static void say(UnpooledHits hits, @Nullable String reason) {
    if (reason == null) {
      hits.on();
    } else if (reason.equals(PooledSession.NO_CATALOG) || reason.equals(PooledSession.OFF)) {
      hits.off(reason);
    } else {
      hits.trouble(reason);
    }
  }

  @SuppressWarnings("ReferenceEquality") // Equal settings are the same.
  private static boolean isOf(UsualSession session, Seen each) {
    return each.first == null || each.first == session.like().settings();
  }

  /** Looks at a connection that is about to go back to the pool, and gives it back. */
  void giveBack(Borrowed borrowed) throws SQLException {
    try {
      CachingConnection caching = borrowed.caching();
      if (caching != null && !isAsFirst(caching.physical(), borrowed.first())) {
        deviates(caching.physical());
      }
    } finally {
      borrowed.pooled().close();
    }
  }

  /**
   * Returns whether the application has set nothing that stays in the pool. What JDBC has setters
   * for the pool sets back, or the next look at the connection finds it.
   */
  @SuppressWarnings("ReferenceEquality") // Equal settings are the same.
  private static boolean isAsFirst(
      PhysicalConnection physical, @Nullable SessionFingerprint first) {
    try {
      SessionFingerprint settings =
          physical.isIdleAtServer() ? physical.settings() : physical.view().settings();
      return settings != null
          && settings == first
          && physical.view().bypass() == null
          && physical.reads().staleness() == null
          && (physical.followed() == null || physical.followed().position() == null)
          && !physical.state().tracker().isTouched();
    } catch (SQLException e) {
      return false; // A connection that is dead is no connection of the pool.
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking at a connection that is given back", e);
      return false;
    }
  }

  private void deviates(PhysicalConnection physical) {
    lock.lock();
    try {
      Seen known = seen.computeIfAbsent(physical, each -> new Seen());
      known.deviation = "the application has set something on a connection";
      decide(physical.cache());
    } finally {
      lock.unlock();
    }
  }

  private void release() {
    QueryCache cache = retained;
    retained = null;
    if (cache != null) {
      cache.unpooled().off("the data source is closed");
      QueryCaches.release(cache);
    }
  }

  /** Lets the cache go: from now on every execution needs a connection. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      usual = null;
      agreed = null;
      release();
    } finally {
      lock.unlock();
    }
  }
}
