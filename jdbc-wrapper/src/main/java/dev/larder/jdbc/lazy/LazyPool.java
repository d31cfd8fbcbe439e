package dev.larder.jdbc.lazy;

import dev.larder.QueryCacheConfig;
import dev.larder.engine.CacheCount;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.log.CacheLog;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A pool of connections through Larder, seen from above: what session they have, and whether all
 * have the same. While one differs from the others, or from what it was when it was first handed
 * out, every execution needs a connection of the pool. Thread-safe.
 */
public final class LazyPool implements AutoCloseable {
  /** How long no connection is opened for decoding after one was in vain. */
  private static final long RETRY_NANOS = 5_000_000_000L;

  private static final String DIFFER = "connections of the pool differ";

  private final Opened.Opening<Connection> source;
  private final PoolOwner owner;
  private final LocalNames names = new LocalNames();

  /** Null while every execution needs a connection. */
  private volatile @Nullable UsualSession usual;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<PhysicalConnection, Seen> seen = new WeakHashMap<>();
  private @Nullable UsualSession agreed;
  private @Nullable QueryCache retained;
  private boolean closed;
  private long learnAgainNanos = System.nanoTime();
  private String notLearned = PooledSession.LEARNING;

  /**
   * Creates the view of a pool.
   *
   * @param source hands out connections of the pool
   * @param owner says as whom
   */
  public LazyPool(Opened.Opening<Connection> source, PoolOwner owner) {
    this.source = source;
    this.owner = owner;
  }

  /** Returns a connection that borrows one of the pool when it needs it. */
  public Connection open() throws SQLException {
    UsualSession session = usual;
    if (session != null && owner.isAsSeen()) {
      return new LazyConnection(this, session, null);
    }
    seeOwner();
    Borrowed borrowed = borrow();
    borrowed.count(CacheCount.BORROWS_AT_ONCE);
    return borrowed.caching() == null
        ? borrowed.pooled()
        : new LazyConnection(this, null, borrowed);
  }

  /** Learns anew what connections are like, if the pool opens them as somebody else. */
  private void seeOwner() {
    lock.lock();
    try {
      if (!owner.isAsSeen()) {
        owner.see();
        agreed = null;
        usual = null;
        learnAgainNanos = System.nanoTime();
      }
    } finally {
      lock.unlock();
    }
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
    QueryCacheConfig config = caching.physical().cache().config();
    String refusal = PooledSession.refusal(config, owner.isProvable());
    Object found = refusal == null ? PooledSession.found(pooled, caching, names) : refusal;
    if (!isToLearn(caching.physical(), found)) {
      return borrowed(pooled, caching, null);
    }
    return borrowed(pooled, caching, learn((PooledSession) found, caching, names));
  }

  /** Judges a connection, and returns whether this thread is to learn its session. */
  private boolean isToLearn(PhysicalConnection physical, Object found) {
    SessionFingerprint settings =
        names.withoutIfKnown(physical.state().tracker().current(), physical);
    lock.lock();
    try {
      Seen known = seen.computeIfAbsent(physical, each -> new Seen());
      known.deviation = judge(known, settings, found);
      decide(physical.cache());
      boolean learns =
          known.unlearned != null && !closed && System.nanoTime() - learnAgainNanos >= 0;
      if (learns) {
        learnAgainNanos = System.nanoTime() + RETRY_NANOS;
      }
      return learns;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns a connection that was judged.
   *
   * @param learned see {@link #learn}; null if this thread has learned nothing
   */
  private Borrowed borrowed(
      Connection pooled, CachingConnection caching, @Nullable Object learned) {
    PhysicalConnection physical = caching.physical();
    lock.lock();
    try {
      Seen known = seen.computeIfAbsent(physical, each -> new Seen());
      if (learned instanceof String reason) {
        notLearned = reason;
        known.deviation = reason;
      } else if (learned != null && !closed && agreed == null) {
        agreeOn(((UsualSession) learned).withoutLocal());
      }
      if (learned != null) {
        decide(physical.cache());
      }
      boolean isCompared = known.deviation == null || known.unlearned != null;
      return new Borrowed(pooled, caching, isCompared ? known.first : null);
    } finally {
      lock.unlock();
    }
  }

  /** Returns why a connection may not be left out, or null. */
  private @Nullable String judge(Seen known, @Nullable SessionFingerprint settings, Object found) {
    boolean asAtFirst = known.isAsAtFirst(settings);
    if (found instanceof String reason && !reason.equals(PooledSession.NO_CATALOG)) {
      return reason;
    }
    if (!asAtFirst) {
      return "settings of a connection have changed";
    }
    return found instanceof PooledSession session ? agree(known, session) : null;
  }

  /** Compares a session with the one that the others have; returns why it differs, or null. */
  private @Nullable String agree(Seen seen, PooledSession session) {
    if (session.isOfAnother(owner.user())) {
      return PooledSession.OTHER_USER;
    }
    UsualSession known = agreed;
    if (known != null && known.like().isLike(session)) {
      if (!known.like().equals(session)) {
        agreed = known.in(session);
      }
      return null;
    }
    if (known != null && isSharedBut(seen)) {
      return DIFFER;
    }
    agreed = null;
    seen.unlearned = session;
    return notLearned;
  }

  /** Returns whether another connection is open that is as was agreed. */
  private boolean isSharedBut(Seen one) {
    return seen.entrySet().stream()
        .anyMatch(
            each ->
                each.getValue() != one
                    && each.getValue().deviation == null
                    && !each.getKey().isFoundClosed());
  }

  /**
   * Returns what answers hits as such a session does, or why there is none, as a text. Call without
   * the lock: to open a connection takes a while.
   */
  private static Object learn(PooledSession session, CachingConnection caching, LocalNames names) {
    try {
      ReplayStatements decoder = ClosedDecoder.like(caching.physical(), session.options());
      return decoder == null
          ? "another connection would decode differently"
          : new UsualSession(session, decoder, KnownDatabase.of(caching.getMetaData()), names);
    } catch (SQLException e) {
      return "no connection could be opened to decode with, SQLState " + e.getSQLState();
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "learning the session of a pool", e);
      return "the session of the pool cannot be read";
    }
  }

  /** Takes a session that is learned for the usual one, and compares those with it that waited. */
  private void agreeOn(UsualSession learned) {
    QueryCache cache = learned.like().cache();
    if (retained != cache) {
      release();
      retained = QueryCaches.acquire(cache.database(), cache.config());
    }
    agreed = learned;
    for (Seen each : seen.values()) {
      PooledSession session = each.unlearned;
      if (session != null) {
        each.deviation = learned.like().isLike(session) ? null : DIFFER;
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // Equal settings are the same.
  private void decide(QueryCache cache) {
    seen.keySet().removeIf(PhysicalConnection::isFoundClosed);
    UsualSession session = agreed;
    String reason = session == null ? PooledSession.NO_CATALOG : null;
    for (Seen each : seen.values()) {
      if (each.deviation != null && (reason == null || PooledSession.isExpected(reason))) {
        reason = each.deviation;
      }
    }
    if (reason == null
        && session != null
        && !seen.values().stream().allMatch(each -> each.first == session.like().settings())) {
      reason = DIFFER;
    }
    usual = reason == null ? session : null;
    PooledSession.say(cache.unpooled(), reason);
  }

  /** Looks at a connection that is about to go back to the pool, and gives it back. */
  void giveBack(Borrowed borrowed) throws SQLException {
    try {
      CachingConnection caching = borrowed.caching();
      if (caching != null) {
        learnNames(caching.physical());
        String change = PooledSession.change(caching.physical(), borrowed.first(), names);
        if (change != null) {
          deviates(caching.physical(), change);
        }
      }
    } finally {
      borrowed.pooled().close();
    }
  }

  /** Takes settings that have become those of transactions out of what is compared. */
  private void learnNames(PhysicalConnection physical) {
    if (!PooledSession.learn(physical, names)) {
      return;
    }
    lock.lock();
    try {
      seen.values().forEach(each -> each.without(names));
      UsualSession known = agreed;
      if (known != null) {
        agreed = known.withoutLocal();
        decide(known.like().cache());
      }
    } finally {
      lock.unlock();
    }
  }

  private void deviates(PhysicalConnection physical, String reason) {
    lock.lock();
    try {
      Seen known = seen.computeIfAbsent(physical, each -> new Seen());
      known.deviation = reason;
      known.unlearned = null;
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
