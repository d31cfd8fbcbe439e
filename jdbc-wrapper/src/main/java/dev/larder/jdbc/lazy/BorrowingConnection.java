package dev.larder.jdbc.lazy;

import dev.larder.engine.CacheCount;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.delegate.DelegatingConnection;
import dev.larder.jdbc.session.Isolation;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.sql.SessionCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The connection of the pool behind one of ours, borrowed when something is first asked of it, and
 * what the application has set until then. From then on it does everything until this one is
 * closed. Threads that share it find that each setting is made before or after a connection is set
 * up, and not beside it: both hold the monitor of this.
 */
abstract class BorrowingConnection extends DelegatingConnection {
  private final LazyPool pool;

  /** The usual session when it was opened; null where a connection was borrowed at once. */
  private final @Nullable UsualSession session;

  private volatile @Nullable Borrowed borrowed;
  private volatile boolean closed;

  /** Whether the present transaction has begun for the application: by a hit, or by a setting. */
  private boolean hasBegun;

  /** Whether a hit was read. */
  private boolean hasServed;

  /** Whether the last look-up was no hit. */
  private boolean hasMissed;

  // What the application has set, for the connection that is borrowed later; null for nothing.
  private @Nullable Boolean autoCommit;
  private @Nullable Boolean readOnly;
  private @Nullable Isolation isolation;

  /** What transactions have set for themselves, or null. */
  private @Nullable UnsentSettings unsent;

  BorrowingConnection(LazyPool pool, @Nullable UsualSession session, @Nullable Borrowed borrowed) {
    this.pool = pool;
    this.session = session;
    if (borrowed != null) {
      this.borrowed = borrowed;
    }
  }

  // ---- the connection of the pool

  @Override
  protected Connection delegate() {
    try {
      return borrow().pooled();
    } catch (SQLException e) {
      throw Borrowed.<RuntimeException>unchanged(e);
    }
  }

  /** Returns the connection of the pool, which is set up as this one is. */
  Borrowed borrow() throws SQLException {
    Borrowed known = borrowed;
    return known == null ? borrowNow() : known;
  }

  /** Holds no lock while it waits for the pool. */
  @SuppressWarnings("ReferenceEquality") // Whether it is this one.
  private Borrowed borrowNow() throws SQLException {
    if (closed) {
      throw new SQLException("The connection is closed.", "08003");
    }
    Borrowed made = pool.borrow();
    try {
      take(made);
    } catch (SQLException | RuntimeException | Error e) {
      pool.giveBack(made);
      throw e;
    }
    Borrowed taken = Objects.requireNonNull(borrowed);
    if (closed || taken != made) {
      pool.giveBack(made); // Another thread was faster.
    }
    if (closed) {
      throw new SQLException("The connection was closed while it waited for the pool.", "08003");
    }
    return taken;
  }

  private synchronized void take(Borrowed made) throws SQLException {
    if (borrowed == null) {
      setUp(made);
      made.count(hasMissed ? CacheCount.BORROWS_NO_HIT : CacheCount.BORROWS_OTHERWISE);
      borrowed = made;
    }
  }

  private void setUp(Borrowed made) throws SQLException {
    if (unsent != null) {
      unsent.leaveOn(made);
    }
    made.setUp(isolation, readOnly, autoCommit);
    made.served(hasBegun, hasServed);
    if (unsent != null) {
      unsent.sendOn(made.pooled());
    }
  }

  /** Returns the connection of Larder below the pool. */
  CachingConnection caching() throws SQLException {
    CachingConnection caching = borrow().caching();
    if (caching == null) {
      throw new SQLException("The pool has handed out a connection that is not Larder's.", "0A000");
    }
    return caching;
  }

  /** Returns the session that answers hits here, or null. */
  final @Nullable UsualSession looking() {
    UsualSession own = session;
    return own != null && borrowed == null && !closed ? own : null;
  }

  /** Returns what a connection of the pool is like, or null where one is borrowed already. */
  final @Nullable PooledSession usual() {
    UsualSession own = looking();
    return own == null ? null : own.like();
  }

  /** Returns whether hits are allowed here, by what the application has set. */
  final boolean mayHit() {
    return isolation == null || isolation.isOfEachStatement();
  }

  /** Notes whether a look-up was no hit. */
  final void looked(boolean missed) {
    hasMissed = missed;
  }

  /** Notes a hit: for the application the transaction has begun. */
  final void hit() throws SQLException {
    hasServed = true;
    hasBegun |= !getAutoCommit();
  }

  final boolean isUsual(UsualSession own) {
    return own == pool.usual();
  }

  /** Returns what look-ups of the present transaction go by. */
  final SessionView view(UsualSession own) {
    return unsent == null ? own.view() : unsent.view();
  }

  /** Has the transaction set something for itself; returns false where a connection must do it. */
  final synchronized boolean hold(UsualSession own, SessionCommand command, boolean query)
      throws SQLException {
    if (looking() == null || getAutoCommit() || !isUsual(own) || !mayHit()) {
      return false;
    }
    UnsentSettings held = unsent == null ? new UnsentSettings(own) : unsent;
    unsent = held;
    hasBegun = true;
    return held.add(command, query);
  }

  /** Ends the transaction if no connection has it; returns whether. */
  private synchronized boolean ends() throws SQLException {
    boolean open = looking() != null && !getAutoCommit();
    if (open) {
      hasBegun = false;
      if (unsent != null) {
        unsent.end();
      }
    }
    return open;
  }

  // ---- transactions: without a connection there is none at the server

  @Override
  public boolean getAutoCommit() throws SQLException {
    UsualSession own = looking();
    return own == null
        ? delegate().getAutoCommit()
        : autoCommit == null ? own.like().autoCommit() : autoCommit;
  }

  @Override
  public void setAutoCommit(boolean on) throws SQLException {
    synchronized (this) {
      if (looking() != null) {
        if (on) {
          ends();
        }
        autoCommit = on;
        return;
      }
    }
    delegate().setAutoCommit(on);
  }

  @Override
  public void commit() throws SQLException {
    if (!ends()) {
      delegate().commit();
    }
  }

  @Override
  public void rollback() throws SQLException {
    if (!ends()) {
      delegate().rollback();
    }
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    UsualSession own = looking();
    return own == null
        ? delegate().isReadOnly()
        : readOnly == null ? own.like().readOnly() : readOnly;
  }

  @Override
  public void setReadOnly(boolean on) throws SQLException {
    synchronized (this) {
      if (looking() != null && !hasBegun) {
        readOnly = on;
        return;
      }
    }
    delegate().setReadOnly(on);
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    UsualSession own = looking();
    return own == null
        ? delegate().getTransactionIsolation()
        : isolation == null ? own.like().isolation().level() : isolation.level();
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    Isolation known = Isolation.of(level);
    synchronized (this) {
      if (looking() != null && !hasBegun && known != Isolation.UNKNOWN) {
        isolation = known;
        return;
      }
    }
    delegate().setTransactionIsolation(level);
  }

  // ---- what else needs no connection

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    return looking() == null ? delegate().getWarnings() : null;
  }

  @Override
  public void clearWarnings() throws SQLException {
    if (looking() == null) {
      delegate().clearWarnings();
    }
  }

  @Override
  public boolean isValid(int timeout) throws SQLException {
    return !closed && delegate().isValid(timeout);
  }

  @Override
  public boolean isClosed() throws SQLException {
    Borrowed known = borrowed;
    return closed || (known != null && known.pooled().isClosed());
  }

  /** Returns whether {@link #close} was called. */
  boolean isClosedByUs() {
    return closed;
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    Borrowed known = borrowed;
    if (known == null && executor != null) {
      closed = true;
    } else {
      delegate().abort(executor);
    }
  }

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    Borrowed known = borrowed;
    if (known != null) {
      pool.giveBack(known);
    }
  }

  @Override
  public String toString() {
    Borrowed known = borrowed;
    return "Larder@"
        + Integer.toHexString(System.identityHashCode(this))
        + (known == null ? " without a connection" : " wrapping " + known.pooled());
  }
}
