package dev.larder.jdbc.connection;

import dev.larder.engine.Database;
import dev.larder.engine.SessionReads;
import dev.larder.feed.LogPosition;
import dev.larder.feed.ThreadPosition;
import dev.larder.jdbc.database.OutcomeResolver;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.LogEnd;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.session.Reach;
import dev.larder.jdbc.session.SessionState;
import dev.larder.jdbc.session.TransactionState;
import dev.larder.log.CacheLog;
import dev.larder.sql.StatementKind;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Announces and publishes what one connection writes, and knows of which of its writes the outcome
 * is unknown. Confined to the thread that uses the connection.
 */
final class Announcements implements SessionReads.Noting {
  private final Database database;
  private final TransactionState transaction;
  private final SessionState state;
  private final OutcomeResolver resolver;
  private final PostgresSession session;
  private final Reach reach;
  private final List<PendingWrite> unknownOutcomes = new ArrayList<>();
  private @Nullable SessionReads reads;

  /**
   * Who is yet to learn up to where it has written: what is chained to a commit would take its
   * snapshot with the question.
   */
  private @Nullable ThreadPosition untold;

  Announcements(
      Database database,
      TransactionState transaction,
      SessionState state,
      OutcomeResolver resolver,
      PostgresSession session) {
    this.database = database;
    this.transaction = transaction;
    this.state = state;
    this.resolver = resolver;
    this.session = session;
    this.reach = state.reach();
  }

  @Override
  public void noteIn(SessionReads noted) {
    reads = noted;
  }

  /**
   * Announces what is about to be sent, where it may commit a write.
   *
   * @param alone whether it is a transaction of its own
   * @return null where nothing had to be announced
   */
  @Nullable PendingWrite announce(Effects effects, boolean alone) {
    if (!alone) {
      transaction.wrote(effects);
    }
    boolean wrote = transaction.mayHaveWritten();
    if (!effects.kinds().preparedNames().isEmpty()) {
      preparing(effects.kinds(), alone);
    }
    if (!(alone || effects.mayEndTransaction()) || !(wrote || effects.mayComeToWrite())) {
      return null;
    }
    boolean prepared = effects.kinds().commitPrepared();
    WriteSet writes = prepared ? prepared(effects) : effects.writes();
    PendingWrite made =
        reach.announce(wrote ? writes.union(transaction.dirtyIn(database)) : writes);
    try {
      if (database.isOutdated(effects.catalogVersion(), made.writes())
          && ProtocolStep.COMPARE_CATALOG.isTaken()) {
        database.widen(made);
      }
      if (prepared) {
        committing(effects.kinds(), writes, made);
      }
      FaultPoint.COMPARED.pass();
      return made;
    } catch (Throwable t) {
      database.publish(made); // Nothing will be sent.
      throw t;
    }
  }

  /** Not before the announce: meanwhile the name may have come to mean another transaction. */
  private WriteSet prepared(Effects effects) {
    String gid = effects.kinds().preparedName(StatementKind.COMMIT_PREPARED);
    return gid == null ? effects.writes() : database.prepared().writes(gid);
  }

  private void committing(StatementKinds kinds, WriteSet writes, PendingWrite made) {
    String gid = kinds.preparedName(StatementKind.COMMIT_PREPARED);
    if (gid != null) {
      database.prepared().committing(gid, writes, made);
    }
    database.forgetOutdated(); // It may be a write of a session that does not know of it.
  }

  private void preparing(StatementKinds kinds, boolean alone) {
    long catalogVersion = database.catalog().version(); // Before the rows are looked at in it.
    WriteSet dirty = transaction.dirtyIn(database);
    // The server answers that nothing was open, or rolls back, and calls neither a failure.
    boolean nothing = alone || session.status() == TransactionStatus.FAILED;
    // In a text of several it may be another transaction than the one that is open now.
    WriteSet writes = kinds.areSeveral() ? WriteSet.UNKNOWN : nothing ? null : dirty;
    for (String gid : kinds.preparedNames()) {
      database.prepared().preparing(gid, writes, catalogVersion);
    }
  }

  /**
   * Ends a write: publishes it where its outcome is known.
   *
   * @param answered whether the server has answered, on this connection
   */
  @SuppressWarnings("ReferenceEquality") // It is this thread's, or not.
  void end(@Nullable PendingWrite pending, boolean definite, boolean answered) {
    session.passed(false);
    if (!definite && ProtocolStep.WAIT_FOR_LOST_PROCESS.isTaken()) {
      leave(pending);
      return;
    }
    if (pending != null) {
      database.publish(pending);
      if (reads != null) {
        reads.wrote(pending.writes());
      }
    }
    if (answered && !unknownOutcomes.isEmpty()) {
      answered();
    }
    ThreadPosition thread = ThreadPosition.current();
    if (thread != null && pending != null && !pending.writes().isEmpty()) {
      untold = thread;
    }
    if (untold != null && session.status() == TransactionStatus.IDLE) {
      if (untold == thread) {
        tell(thread);
      }
      untold = null;
    }
  }

  /** Tells a thread that wants to know up to where it has written, outside of a transaction. */
  private void tell(ThreadPosition thread) {
    String server = database.identity().systemIdentifier();
    if (server.isEmpty()) {
      return;
    }
    try {
      thread.wrote(LogPosition.parse(server + ':' + LogEnd.of(session)));
    } catch (SQLException | RuntimeException e) {
      if (!session.isDefinite(e)) {
        session.doubt();
      }
      // The commit stands; who reads elsewhere may be behind by the bound. A connection that broke
      // says so at its next use.
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "asking where the log ends", e);
    }
  }

  /** Notes an answer of the server on this connection: all that was sent before has ended. */
  void answered() {
    unknownOutcomes.forEach(database::publishLate);
    unknownOutcomes.clear();
  }

  /** Leaves a write whose outcome is unknown, and that has not ended, to whoever finds it out. */
  void leave(@Nullable PendingWrite pending) {
    if (pending != null && !pending.ended()) {
      unknownOutcomes.add(pending);
      resolver.resolve(pending, state.origin());
    }
  }

  private static boolean isCrash(@Nullable Throwable thrown) {
    return thrown instanceof SQLException failure
        && failure.getSQLState() != null
        && (failure.getSQLState().startsWith("08") || failure.getSQLState().startsWith("57P0"));
  }

  /**
   * Notes that nobody knows what became of something. The server may have crashed, and with it rows
   * of unlogged tables and asynchronous commits.
   */
  void lost(@Nullable PendingWrite pending, @Nullable Throwable thrown) {
    boolean wrote = pending != null && !pending.writes().isEmpty();
    if (wrote || isCrash(thrown)) {
      database.invalidateAll();
    }
    if (wrote) {
      CacheLog.trouble(
          CacheLog.Trouble.UNKNOWN_OUTCOME,
          state.backend() + ": " + (thrown == null ? "" : thrown.getClass().getName()));
    }
  }
}
