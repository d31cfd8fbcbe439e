package dev.larder.jdbc.connection;

import dev.larder.engine.Database;
import dev.larder.jdbc.database.OutcomeResolver;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.StatementGate;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.session.Overlap;
import dev.larder.jdbc.session.SessionState;
import dev.larder.jdbc.session.TransactionFollower;
import dev.larder.jdbc.session.TransactionState;
import dev.larder.radar.OwnRows;
import dev.larder.sql.StatementKind;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.RowAccount;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one way through which anything is sent on a physical connection: it announces before,
 * publishes after, and follows what was sent. As thread-safe as the driver's connection, which
 * serializes what it sends: see {@link Overlap}.
 */
public final class Sender {
  private final PostgresSession session;
  private final Database database;
  private final TransactionState transaction;
  private final SessionState state;
  private final TransactionFollower follower;
  private final Announcements announcements;
  private final SharedWrites sharedWrites;
  private final Overlap overlap;
  private final ConnectionEnd connectionEnd;
  private final EffectsOf effectsOf;
  private final Runnable closed;
  private final OwnRows.Session rows;

  /** How many rows what is under way has written; negative where nobody has counted. */
  private long counted = -1;

  private final Set<Sending> openPassages;

  /** Finds out what a text may do. */
  public interface EffectsOf {
    Effects apply(String sql) throws SQLException;
  }

  /**
   * Creates a sender.
   *
   * @param end takes over what is under way where the connection is closed or forgotten
   * @param effectsOf finds out what a text may do
   * @param closed is told that the connection was found closed
   */
  public Sender(
      PostgresSession session,
      Database database,
      TransactionState transaction,
      SessionState state,
      TransactionFollower follower,
      SharedWrites sharedWrites,
      Overlap overlap,
      OutcomeResolver resolver,
      ConnectionEnd end,
      EffectsOf effectsOf,
      Runnable closed) {
    this.session = session;
    this.database = database;
    this.transaction = transaction;
    this.state = state;
    this.follower = follower;
    this.announcements = new Announcements(database, transaction, state, resolver);
    this.sharedWrites = sharedWrites;
    this.overlap = overlap;
    this.connectionEnd = end;
    this.effectsOf = effectsOf;
    this.closed = closed;
    this.rows = end.rows();
    this.openPassages = end.passages();
  }

  /**
   * Sends something to the server: announces before, publishes after, and follows what it does to
   * transaction and session. Every call that can reach the server goes through here.
   */
  public <T extends @Nullable Object> T send(Effects effects, SqlCall<T> call) throws SQLException {
    FaultPoint.RESOLVED.pass();
    Sending sending = begin(effects);
    Throwable thrown = null;
    try {
      FaultPoint.SENDING.pass();
      T answer = call.call();
      FaultPoint.ANSWERED.pass();
      return answer;
    } catch (Throwable t) {
      // First of all, while there may be no room for more: the driver may be out of step.
      session.doubt();
      thrown = t;
      throw t;
    } finally {
      end(sending, thrown);
    }
  }

  /**
   * Returns whether one statement with these effects must be sent {@linkplain #sendInBlock in a
   * block}: where it is a transaction of its own, and other JVMs must be told of it between its end
   * and its commit.
   */
  public boolean needsBlock(Effects effects) {
    return sharedWrites.needsBlock(effects)
        && session.commitMode() == CommitMode.AUTO
        && follower.status() == TransactionStatus.IDLE;
  }

  /**
   * As {@link #send}, for one statement that is put into a transaction block of its own.
   *
   * @param inBlock leaves nothing to be fetched after the commit
   */
  public <T extends @Nullable Object> T sendInBlock(Effects effects, SqlCall<T> inBlock)
      throws SQLException {
    FaultPoint.RESOLVED.pass();
    synchronized (overlap) {
      overlap.awaitAnswer();
      return sendAndCommit(present(effects), inBlock);
    }
  }

  /** Keeps other threads from sending anything between BEGIN and COMMIT. */
  private <T extends @Nullable Object> T sendAndCommit(Effects effects, SqlCall<T> inBlock)
      throws SQLException {
    resolveDoubt();
    TransactionStatus before = follower.beforeSending(effects);
    boolean doubtful = session.isDoubtful();
    PendingWrite pending = null;
    SharedWrites.Told told = null;
    Throwable thrown = null;
    overlap.begin(effects.mayUnsettle());
    rows.sending();
    try {
      session.beginBlock();
      T answer = inBlock.call();
      told = sharedWrites.beforeCommit(overlap.isDoubtful() ? unknownEffects() : effects);
      pending = announcements.announce(effects, true);
      announcements.sending();
      FaultPoint.SENDING.pass();
      session.commitBlock();
      FaultPoint.ANSWERED.pass();
      return answer;
    } catch (Throwable t) {
      session.doubt();
      announcements.notSent();
      thrown = t;
      throw t;
    } finally {
      session.endBlock(thrown);
      end(new Sending(effects, pending, told, before, true, doubtful), thrown);
    }
  }

  /**
   * Something between announce and publish.
   *
   * @param pending what was announced, or null where nothing had to be
   * @param told what other JVMs were told, or null where they had not to be
   * @param before the state of the transaction before
   * @param usable whether the connection was open: otherwise nothing is sent, and nothing follows
   * @param doubtful whether it was doubtful already that an answer belongs to its question
   */
  public record Sending(
      Effects effects,
      @Nullable PendingWrite pending,
      SharedWrites.@Nullable Told told,
      TransactionStatus before,
      boolean usable,
      boolean doubtful) {

    boolean writesUnknown() {
      return pending != null && pending.writes().unknown();
    }
  }

  private Sending begin(Effects foreseen) throws SQLException {
    synchronized (overlap) {
      overlap.awaitAnswer();
      Effects effects = present(foreseen);
      SharedWrites.Told told = null;
      boolean begun = false;
      try {
        if (effects.kinds().areSurelySent() || transaction.mayHaveWritten()) {
          resolveDoubt();
        }
        CommitMode mode = session.commitMode();
        if (mode == CommitMode.CLOSED) {
          return new Sending(effects, null, null, follower.status(), false, false);
        }
        TransactionStatus before = follower.beforeSending(effects);
        boolean alone = before == TransactionStatus.IDLE && mode == CommitMode.AUTO;
        told = tell(effects, before, alone);
        overlap.begin(effects.mayUnsettle());
        begun = true;
        rows.sending();
        PendingWrite pending = announcements.announce(effects, alone);
        Sending sending = new Sending(effects, pending, told, before, true, session.isDoubtful());
        announcements.sending();
        return sending;
      } catch (Throwable t) {
        announcements.notSent();
        sharedWrites.ended(told);
        if (begun) {
          finish(overlap.end(), true, false);
        }
        throw t;
      }
    }
  }

  /**
   * Returns what is known of the effects now that nothing can come between: another thread may have
   * given the names another meaning since they were looked up.
   */
  private Effects present(Effects foreseen) {
    return foreseen.meanTheSame(state.fingerprint())
        ? foreseen
        : Effects.unknown(foreseen.kinds(), foreseen.catalogVersion());
  }

  /** Tells other JVMs, or rolls back: what they do not know of must not be committed. */
  private SharedWrites.@Nullable Told tell(Effects effects, TransactionStatus before, boolean alone)
      throws SQLException {
    if (database.remote().cache() == null) {
      return null;
    }
    try {
      return sharedWrites.beforeSending(
          effects, before, alone, follower.dirty(), transaction.oldestRemoteVersion());
    } catch (SQLException e) {
      if (before != TransactionStatus.IDLE && effects.kinds().is(StatementKind.COMMIT)) {
        rollBackAfter(e);
      }
      throw e;
    }
  }

  private void rollBackAfter(SQLException failure) {
    try {
      send(
          effectsOf.apply("ROLLBACK"),
          () -> {
            session.rollBack();
            return true;
          });
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Finds out, where an exchange has broken off, whether the driver still takes each answer for
   * that to its own question: what it reads may otherwise be another query's rows, and what it
   * calls committed may still be about to be.
   */
  public void resolveDoubt() {
    if (session.isDoubtful() && !session.isClosed() && session.resolveDoubt()) {
      announcements.answered();
    }
  }

  private void end(Sending sending, @Nullable Throwable thrown) {
    if (!sending.usable()) {
      return;
    }
    synchronized (overlap) {
      boolean settled = false;
      try {
        FaultPoint.SETTLING.pass();
        settle(sending, thrown);
        settled = true;
      } finally {
        PendingWrite others = overlap.end();
        if (!settled) {
          announcements.leave(sending.pending());
        }
        finish(others, settled && isDefinite(thrown), false);
      }
    }
    if (thrown != null) {
      foundClosed();
    }
  }

  /** A connection that the server has ended may never be closed by the application. */
  public void foundClosed() {
    // What is still open leaves by itself, and then comes here.
    if (openPassages.isEmpty() && session.isFoundClosed()) {
      closed.run();
    }
  }

  private boolean isDefinite(@Nullable Throwable thrown) {
    return thrown == null || session.isDefinite(thrown);
  }

  /** Notes how many rows were written by what is under way. */
  public void counted(long written) {
    counted = written;
  }

  /** Notes that the driver may send something by itself. */
  public void touched() {
    rows.sending();
  }

  /** Counts what was written, before anybody may take it for somebody else's. */
  private void count(Sending sending, boolean definite, @Nullable Throwable thrown) {
    RowAccount account = overlap.isDoubtful() ? RowAccount.UNKNOWN : sending.effects().rows();
    rows.wrote(account, thrown == null ? counted : -1);
    counted = -1;
    if (!rows.isOwing()) {
      return;
    }
    if (!definite && session.isClosed()) {
      rows.gone(System.nanoTime());
    } else if (definite) {
      if (sending.effects().kinds().preparedName(StatementKind.PREPARE_TRANSACTION) != null) {
        rows.putOff();
      }
      rows.answered(session.status() == TransactionStatus.IDLE, System.nanoTime());
    }
  }

  private void settle(Sending sending, @Nullable Throwable thrown) {
    state.sent();
    boolean definite = isDefinite(thrown);
    count(sending, definite, thrown);
    if (!definite) {
      session.doubt();
    } else if (!sending.doubtful()) {
      session.noDoubt();
    }
    try {
      if (definite) {
        follower.follow(sending.effects(), sending.before(), sending.writesUnknown(), thrown);
        state.followed();
        FaultPoint.FOLLOWED.pass();
      } else {
        announcements.lost(sending.pending(), thrown);
      }
    } finally {
      if (overlap.isDoubtful()) {
        follower.doubt(unknownEffects(), overlap.isUnsettling());
      }
      boolean unforeseen =
          sending.told() == null && sending.pending() != null && sending.pending().isWidened();
      finish(sending.pending(), definite, definite && hasAnswered(sending.effects(), thrown));
      if (unforeseen && definite) {
        sharedWrites.missed(WriteSet.UNKNOWN);
      }
      if (definite) {
        sharedWrites.ended(sending.told());
      } else {
        SharedWrites.lost(sending.told());
      }
    }
  }

  private void finish(@Nullable PendingWrite pending, boolean definite, boolean answered) {
    if (definite || !ProtocolStep.WAIT_FOR_LOST_PROCESS.isTaken()) {
      announcements.publish(pending, answered);
    } else {
      announcements.leave(pending);
    }
  }

  /**
   * Returns whether the server must have answered: what ends a transaction is not sent where none
   * is open, and some exceptions are the driver's own.
   */
  private boolean hasAnswered(Effects effects, @Nullable Throwable thrown) {
    return thrown == null ? effects.kinds().areSurelySent() : session.isAnswer(thrown);
  }

  // ---- what is sent by other means than JDBC statements

  /** As {@link StatementGate#enter}. */
  public StatementGate.Passage enter(@Nullable String sql) throws SQLException {
    Sending sending = begin(sql == null ? unknownEffects() : effectsOf.apply(sql));
    connectionEnd.servedBy(state.origin());
    openPassages.add(sending);
    return new StatementGate.Passage() {
      @Override
      public void wrote(long written) {
        counted(written);
      }

      @Override
      public void leave(@Nullable Throwable thrown) {
        if (openPassages.remove(sending)) {
          end(sending, thrown);
        }
      }
    };
  }

  private Effects unknownEffects() {
    return Effects.unknown(StatementKinds.NONE, database.catalog().version());
  }
}
