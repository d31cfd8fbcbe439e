package dev.larder.jdbc.connection;

import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.jdbc.database.OutcomeResolver;
import dev.larder.jdbc.postgresql.Origin;
import dev.larder.radar.OwnRows;
import dev.larder.store.PendingWrite;
import dev.larder.store.RowAccount;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What ends with a physical connection: its use of the cache, and what is under way on it. The
 * application may close Larder's connection, or the driver's behind its back, or forget both. So
 * this refers to neither, nor to anything that does. It may run more than once. Thread-safe.
 */
final class ConnectionEnd implements Runnable {
  private final QueryCache cache;
  private final OutcomeResolver resolver;
  private final OwnRows.Session rows;
  private final Set<Sending> passages = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile Origin origin;
  private volatile @Nullable Unseen unseen;

  ConnectionEnd(QueryCache cache, OutcomeResolver resolver, Origin origin) {
    this.cache = cache;
    this.resolver = resolver;
    this.rows = cache.database().radar().own().session();
    this.origin = origin;
  }

  /**
   * The writes of an application that has an object of the driver's; empty where these are
   * followed.
   */
  record Unseen(@Nullable PendingWrite write, SharedWrites.@Nullable Told told) {}

  /** Returns the account of the rows that are written on the connection. */
  OwnRows.Session rows() {
    return rows;
  }

  /** Returns what is under way that is no JDBC statement. */
  Set<Sending> passages() {
    return passages;
  }

  /** Notes who runs what is under way. */
  void servedBy(Origin server) {
    origin = server;
  }

  /** Notes that the application has an object of the driver's from now on. */
  void unwrapped(@Nullable PendingWrite write, SharedWrites.@Nullable Told told) {
    unseen = new Unseen(write, told);
  }

  /** Returns the writes of an application that has an object of the driver's, or null. */
  @Nullable Unseen unseen() {
    return unseen;
  }

  @Override
  public void run() {
    if (released.compareAndSet(false, true)) {
      QueryCaches.release(cache);
    }
    Unseen writes = noLongerUnseen();
    if (writes != null) {
      rows.wrote(RowAccount.UNKNOWN, -1);
      leave(writes.write(), writes.told());
    }
    rows.gone(System.nanoTime());
    for (Sending sending : Set.copyOf(passages)) {
      if (passages.remove(sending)) {
        leave(sending.pending(), sending.told());
      }
    }
  }

  private synchronized @Nullable Unseen noLongerUnseen() {
    Unseen writes = unseen;
    unseen = null;
    return writes;
  }

  /** Leaves a write to whoever finds out its outcome: the server may still be at it. */
  private void leave(@Nullable PendingWrite write, SharedWrites.@Nullable Told told) {
    SharedWrites.lost(told);
    if (write != null) {
      resolver.resolve(write, origin);
    }
  }
}
