package dev.larder.jdbc.connection;

import dev.larder.engine.Database;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.session.SessionState;
import dev.larder.remote.AnnounceLock;
import dev.larder.remote.RemoteAnnouncement;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.FaultPoint;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Tells other JVMs what one connection writes, where results are shared with them. The primary must
 * know a writer before it announces, so that a mark that gets lost is waited for nevertheless:
 *
 * <ul>
 *   <li>COMMIT ends a transaction that has written and so has a number, and COMMIT PREPARED one
 *       that keeps its number.
 *   <li>A statement that writes in autocommit is put into a transaction block of its own, and
 *       announced after it has run; see {@link Sender#sendInBlock}.
 *   <li>What cannot be: a batch in autocommit or several statements in one text, whose partial
 *       failures would be others, and what refuses to run in a block. It holds an {@link
 *       AnnounceLock} from before its announce to its end, and counts as a write of everything,
 *       because the catalog may change before it runs.
 * </ul>
 *
 * <p>Confined to the thread that uses the connection.
 */
final class SharedWrites {
  /** What can run in a transaction block whatever its names mean. */
  private static final Set<StatementKind> FIT_FOR_A_BLOCK =
      EnumSet.of(
          StatementKind.QUERY,
          StatementKind.EXPLAIN,
          StatementKind.EXECUTE,
          StatementKind.DML,
          StatementKind.TRUNCATE,
          StatementKind.REFRESH,
          StatementKind.COPY_FROM);

  /** The SQLState of what must not be done here: feature_not_supported. */
  private static final String NOT_SUPPORTED = "0A000";

  private static final String FAILED_TRANSACTION = "25P02";

  /** The SQLState of what can be tried again: serialization_failure. */
  private static final String TRY_AGAIN = "40001";

  private static final int NO_LOCK = 0;

  private final PostgresSession session;
  private final Database database;
  private final SessionState state;

  /** The locks that are still held and needed no more: a failed transaction kept them. */
  private final Deque<Integer> owed = new ArrayDeque<>();

  SharedWrites(PostgresSession session, Database database, SessionState state) {
    this.session = session;
    this.database = database;
    this.state = state;
  }

  /**
   * A write that other JVMs were told of.
   *
   * @param lock the announce lock that is held for it, or {@link #NO_LOCK}
   */
  record Told(RemoteCache cache, RemoteAnnouncement announcement, int lock) {}

  /** Returns whether a statement needs a block around it, if no transaction is open. */
  boolean needsBlock(Effects effects) {
    StatementFacts only = effects.kinds().only();
    return database.remote().cache() != null
        && !effects.writes().isEmpty()
        && only != null
        && FIT_FOR_A_BLOCK.contains(only.kind())
        && session.commitMode() == CommitMode.AUTO;
  }

  /**
   * Tells of what is about to be sent, where it may commit a write.
   *
   * @param before the state of the transaction
   * @param alone whether it is a transaction of its own
   * @param dirty what its transaction may have written before
   * @param remoteVersion the version of the catalog in which that was looked up
   * @return null where nobody had to be told
   * @throws SQLException if it must not be sent, with SQLState 40001 if it may be tried again; an
   *     open transaction is then to be rolled back
   */
  @Nullable Told beforeSending(
      Effects effects,
      TransactionStatus before,
      boolean alone,
      WriteSet dirty,
      @Nullable RemoteCatalogVersion remoteVersion)
      throws SQLException {
    RemoteCache cache = database.remote().cache();
    if (cache == null || !(alone || effects.kinds().mayEndBlock())) {
      return null;
    }
    WriteSet writes = effects.writes().union(dirty);
    boolean commit = effects.kinds().is(StatementKind.COMMIT);
    if (writes.isEmpty() || (commit && before == TransactionStatus.FAILED)) {
      return null;
    }
    if (commit) {
      return tellInBlock(cache, writes, remoteVersion);
    }
    boolean known = effects.kinds().is(StatementKind.COMMIT_PREPARED);
    return tell(cache, writes, null, known ? NO_LOCK : lock(cache, before));
  }

  /** As {@link #beforeSending}, for a statement that has run in a block, before its commit. */
  @Nullable Told beforeCommit(Effects effects) throws SQLException {
    RemoteCache cache = database.remote().cache();
    return cache == null ? null : tellInBlock(cache, effects.writes(), effects.remoteVersion());
  }

  /** Of a query of which nobody knows whether it writes, the primary knows whether it may have. */
  private @Nullable Told tellInBlock(
      RemoteCache cache, WriteSet writes, @Nullable RemoteCatalogVersion remoteVersion)
      throws SQLException {
    if (remoteVersion == null && !writes.unknown()) {
      database.catalog().doubted(); // So that the next write is not one of everything.
    }
    return writes.unknown() && !session.mayHaveWritten()
        ? null
        : tell(cache, writes, remoteVersion, NO_LOCK);
  }

  private Told tell(
      RemoteCache cache, WriteSet writes, @Nullable RemoteCatalogVersion remoteVersion, int lock)
      throws SQLException {
    RemoteAnnouncement announcement = cache.announce(writes, remoteVersion);
    FaultPoint.TOLD.pass();
    Told told = new Told(cache, announcement, lock);
    if (!announcement.acknowledged() && !cache.commitsUnannounced()) {
      ended(told);
      throw new SQLTransactionRollbackException(
          "LRD-042 nothing was committed, because other JVMs could not be told of it: the shared"
              + " cache has not acknowledged the write. Try again; or let commits succeed"
              + " meanwhile, see larder.memcached.onUnreachable.",
          TRY_AGAIN);
    }
    return told;
  }

  /** Takes an announce lock; returns which is held. */
  private int lock(RemoteCache cache, TransactionStatus before) throws SQLException {
    if (before == TransactionStatus.FAILED) {
      throw new SQLException(
          "LRD-043 the transaction has failed, and this text may commit something after its end,"
              + " which other JVMs cannot be told of before. Send ROLLBACK by itself first.",
          FAILED_TRANSACTION);
    }
    if (!state.isDirect()) {
      if (cache.commitsUnannounced()) {
        return NO_LOCK;
      }
      throw new SQLException(
          "LRD-044 behind a pooler other JVMs cannot be told safely of a batch in autocommit,"
              + " several statements in one text, CALL, DO or DDL. Send it in a transaction, one"
              + " statement at a time, or connect Larder to the server directly.",
          NOT_SUPPORTED);
    }
    return lock();
  }

  private int lock() throws SQLException {
    int lock = AnnounceLock.USUAL;
    while (!session.isSo(AnnounceLock.take(lock))) {
      lock = ThreadLocalRandom.current().nextInt(AnnounceLock.USUAL + 1, Integer.MAX_VALUE);
    }
    return lock;
  }

  /**
   * Tells of writes that nobody will see, for as long as the session lives. They are never
   * published: the mark is taken away when the primary does not know the session any more.
   *
   * @return null where nobody had to be told
   * @throws SQLException if others cannot be told
   */
  @Nullable Told beforeUnseen() throws SQLException {
    RemoteCache cache = database.remote().cache();
    return cache == null
        ? null
        : tell(cache, WriteSet.UNKNOWN, null, lock(cache, session.status()));
  }

  /**
   * Ends a write whose outcome is definite, and gives back the locks that are needed no more.
   *
   * @param unforeseen whether it may have written anything, and nobody was told
   */
  void ended(Sending sent, boolean unforeseen, @Nullable Throwable thrown) {
    if (unforeseen) {
      missed();
    } else if (sent.told() != null) {
      publish(sent.told());
    }
    if (!owed.isEmpty()) {
      giveBack(thrown == null && !sent.effects().kinds().needNoNames());
    }
  }

  /** As the other, for what was not sent. */
  void ended(@Nullable Told told) {
    if (told != null) {
      publish(told);
    }
    giveBack(false);
  }

  private void publish(Told told) {
    told.cache().publish(told.announcement());
    if (told.lock() != NO_LOCK) {
      owed.add(told.lock());
    }
  }

  /** Gives up a write of whose outcome its connection will never learn. */
  static void lost(@Nullable Told told) {
    if (told != null) {
      told.cache().lost(told.announcement());
    }
  }

  /** Tells, after the fact, of what nobody had foreseen. */
  private void missed() {
    RemoteCache cache = database.remote().cache();
    if (cache != null) {
      cache.invalidate(WriteSet.UNKNOWN);
    }
  }

  /**
   * Gives back the locks that are needed no more. In a transaction that is a query, after which
   * some statements are refused: so a query of the application's must have run there.
   *
   * @param queried whether one has just run
   */
  private void giveBack(boolean queried) {
    try {
      while (!owed.isEmpty() && !session.isClosed() && mayQuery(queried)) {
        session.ask(AnnounceLock.giveBack(owed.element()));
        owed.remove();
      }
    } catch (SQLException e) {
      // With the connection the lock goes, too; else it is given back after the next statement.
    }
  }

  private boolean mayQuery(boolean queried) {
    TransactionStatus now = session.status();
    return now == TransactionStatus.IDLE || (queried && now == TransactionStatus.OPEN);
  }
}
