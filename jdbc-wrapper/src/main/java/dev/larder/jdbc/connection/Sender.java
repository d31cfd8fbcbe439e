package dev.larder.jdbc.connection;

import dev.larder.engine.Database;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.gate.StatementGate;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.session.Means;
import dev.larder.jdbc.session.Outcome;
import dev.larder.jdbc.session.Overlap;
import dev.larder.jdbc.session.SessionState;
import dev.larder.jdbc.session.TransactionFollower;
import dev.larder.jdbc.session.TransactionState;
import dev.larder.radar.OwnRows;
import dev.larder.sql.StatementKind;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import dev.larder.store.RowAccount;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one way through which anything is sent on a physical connection: it announces before,
 * publishes after, and follows what was sent. As thread-safe as the driver's connection, which
 * serializes what it sends: see {@link Overlap}.
 */
public final class Sender {
  private final PhysicalConnection physical;
  private final PostgresSession session;
  private final Database database;
  private final TransactionState transaction;
  private final SessionState state;
  private final TransactionFollower follower;
  private final Announcements announcements;
  private final SharedWrites sharedWrites;
  private final Overlap overlap;
  private final OwnRows.Session rows;
  private final HeldBack held;
  private final Passages passages;

  /** How many rows what is under way has written; negative where nobody has counted. */
  private long counted = -1;

  Sender(
      PhysicalConnection physical,
      TransactionFollower follower,
      Announcements announcements,
      SharedWrites sharedWrites,
      ConnectionEnd end) {
    this.physical = physical;
    this.session = physical.session();
    this.database = physical.cache().database();
    this.transaction = physical.transaction();
    this.state = physical.state();
    this.follower = follower;
    this.announcements = announcements;
    this.sharedWrites = sharedWrites;
    this.overlap = physical.overlap();
    this.rows = end.rows();
    this.held = new HeldBack(physical, follower);
    this.passages = new Passages(this, state, end);
  }

  /** Returns what is yet to be sent before anything else is. */
  public HeldBack held() {
    return held;
  }

  // ---- statements

  /**
   * Sends something to the server: announces before, publishes after, and follows what it does to
   * transaction and session. Every call that can reach the server goes through here.
   */
  public <T extends @Nullable Object> T send(Effects effects, SqlCall<T> call) throws SQLException {
    return send(effects, call, answer -> -1);
  }

  /** As the other; {@code counter} is asked where the written rows can be counted. */
  public <T extends @Nullable Object> T send(Effects effects, SqlCall<T> call, RowCounter counter)
      throws SQLException {
    FaultPoint.RESOLVED.pass();
    Sending sending = begin(effects, Means.STATEMENT);
    Throwable thrown = null;
    try {
      FaultPoint.SENDING.pass();
      T answer = call.call();
      counted = effects.rows().table() == 0 ? -1 : counter.written(answer);
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
    return sharedWrites.needsBlock(effects) && follower.status() == TransactionStatus.IDLE;
  }

  /**
   * As {@link #send}, for one statement that is put into a transaction block of its own.
   *
   * @param inBlock leaves nothing to be fetched after the commit
   */
  public <T extends @Nullable Object> T sendInBlock(
      Effects effects, SqlCall<T> inBlock, RowCounter counter) throws SQLException {
    FaultPoint.RESOLVED.pass();
    synchronized (overlap) {
      overlap.awaitAnswer();
      return sendAndCommit(present(effects), inBlock, counter);
    }
  }

  /** Keeps other threads from sending anything between BEGIN and COMMIT. */
  private <T extends @Nullable Object> T sendAndCommit(
      Effects foreseen, SqlCall<T> inBlock, RowCounter counter) throws SQLException {
    resolveDoubt();
    TransactionStatus before = follower.beforeSending(foreseen, Means.STATEMENT);
    Effects effects = state.parsed().beforeSending(foreseen, transaction);
    boolean doubtful = session.isDoubtful();
    OwnBlock block = new OwnBlock(session, sharedWrites, announcements);
    Throwable thrown = null;
    overlap.begin(effects.mayUnsettle());
    rows.sending();
    try {
      session.block().begin();
      T answer = block.run(inBlock, () -> overlap.isDoubtful() ? unknownEffects() : effects);
      counted = effects.rows().table() == 0 ? -1 : counter.written(answer);
      return answer;
    } catch (Throwable t) {
      session.doubt();
      thrown = t;
      throw t;
    } finally {
      session.block().end(thrown);
      end(new Sending(effects, block.pending(), block.told(), before, true, doubtful), thrown);
    }
  }

  // ---- begin

  /** Announces what is then sent by such means. */
  Sending begin(Effects foreseen, Means by) throws SQLException {
    synchronized (overlap) {
      overlap.awaitAnswer();
      held.beforeSending(foreseen);
      Effects effects = present(foreseen);
      if (session.isDoubtful()
          && (effects.kinds().areSurelySent() || transaction.mayHaveWritten())) {
        resolveDoubt();
      }
      CommitMode mode = session.commitMode();
      if (mode == CommitMode.CLOSED) {
        return new Sending(effects, null, null, follower.status(), false, false);
      }
      TransactionStatus before = follower.beforeSending(effects, by);
      effects = state.parsed().beforeSending(effects, transaction);
      boolean alone =
          before == TransactionStatus.IDLE && (by == Means.UNBEGUN || mode == CommitMode.AUTO);
      effects = alone ? effects : transaction.ofOwnRows(effects, session.block());
      SharedWrites.Told told =
          database.remote().cache() == null ? null : tell(effects, before, alone);
      return announce(effects, told, before, alone);
    }
  }

  private Sending announce(
      Effects effects, SharedWrites.@Nullable Told told, TransactionStatus before, boolean alone) {
    boolean begun = false;
    PendingWrite pending = null;
    try {
      overlap.begin(effects.mayUnsettle());
      begun = true;
      rows.sending();
      pending = announcements.announce(effects, alone);
      return new Sending(effects, pending, told, before, true, session.isDoubtful());
    } catch (Throwable t) {
      announcements.end(pending, true, false);
      sharedWrites.ended(told);
      if (begun) {
        announcements.end(overlap.end(), true, false);
      }
      throw t;
    }
  }

  /**
   * Returns what is known of the effects now that nothing can come between: another thread may have
   * given the names another meaning since they were looked up.
   */
  private Effects present(Effects foreseen) {
    List<String> searchPath = foreseen.searchPath();
    SessionFingerprint now = state.tracker().current();
    return searchPath == null || (now != null && searchPath.equals(now.searchPath()))
        ? foreseen
        : Effects.unknown(foreseen.kinds(), foreseen.catalogVersion());
  }

  /** Tells other JVMs, or rolls back: what they do not know of must not be committed. */
  private SharedWrites.@Nullable Told tell(Effects effects, TransactionStatus before, boolean alone)
      throws SQLException {
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
      send(effects("ROLLBACK"), SqlCall.of(session.block()::rollBack));
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Finds out, where an exchange has broken off, whether the driver still takes each answer for
   * that to its own question: what it reads may otherwise be another query's rows, and what it
   * calls committed may still be about to be.
   */
  void resolveDoubt() {
    if (session.isDoubtful() && !session.isClosed() && session.resolveDoubt()) {
      announcements.answered();
    }
  }

  // ---- end

  void end(Sending sending, @Nullable Throwable thrown) {
    if (!sending.usable()) {
      return;
    }
    synchronized (overlap) {
      boolean definite = thrown == null || session.isDefinite(thrown);
      boolean settled = false;
      try {
        FaultPoint.SETTLING.pass();
        settle(sending, definite, thrown);
        settled = true;
      } finally {
        PendingWrite others = overlap.end();
        if (!settled) {
          announcements.leave(sending.pending());
        }
        if (others != null) {
          announcements.end(others, settled && definite, false);
        }
      }
    }
    if (thrown != null) {
      foundClosed();
    }
  }

  /** A connection that the server has ended may never be closed by the application. */
  void foundClosed() {
    // What is still open leaves by itself, and then comes here.
    if (passages.areDone() && session.isFoundClosed()) {
      physical.closed();
    }
  }

  private void settle(Sending sending, boolean definite, @Nullable Throwable thrown) {
    PendingWrite pending = sending.pending();
    boolean unsure = state.sent() || overlap.isDoubtful();
    count(sending.effects(), unsure, definite, thrown);
    if (!definite) {
      session.doubt();
    } else if (session.isDoubtful() && !sending.doubtful()) {
      session.noDoubt();
    }
    try {
      held.afterSending(sending, definite, thrown);
      if (definite) {
        boolean unknown = pending != null && pending.mayWriteAnything();
        follower.follow(sending.effects(), sending.before(), new Outcome(thrown, unknown, counted));
        state.followed();
        FaultPoint.FOLLOWED.pass();
      } else {
        announcements.lost(pending, thrown);
        follower.lost();
      }
    } finally {
      counted = -1;
      if (unsure) {
        follower.doubt(unknownEffects(), overlap.isUnsettling());
      }
      publish(sending, definite, thrown);
    }
  }

  /** Counts what was written, before anybody may take it for somebody else's. */
  private void count(
      Effects effects, boolean unsure, boolean definite, @Nullable Throwable thrown) {
    rows.wrote(unsure ? RowAccount.UNKNOWN : effects.rows(), thrown == null ? counted : -1);
    if (!rows.isOwing()) {
      return;
    }
    if (definite) {
      if (effects.kinds().needNoNames() && effects.kinds().is(StatementKind.PREPARE_TRANSACTION)) {
        rows.putOff();
      }
      rows.answered(session.status() == TransactionStatus.IDLE, System.nanoTime());
    } else if (session.isClosed()) {
      rows.gone(System.nanoTime());
    }
  }

  /** Ends the write here and in other JVMs, or leaves it to whoever finds its outcome out. */
  private void publish(Sending sending, boolean definite, @Nullable Throwable thrown) {
    PendingWrite pending = sending.pending();
    if (!definite) {
      announcements.end(pending, false, false);
      SharedWrites.lost(sending.told());
      return;
    }
    boolean unforeseen = sending.told() == null && pending != null && pending.isWidened();
    // What ends a transaction is not sent where none is open; some exceptions are the driver's own.
    boolean answered =
        thrown == null ? sending.effects().kinds().areSurelySent() : session.isAnswer(thrown);
    announcements.end(pending, true, answered);
    if (database.remote().cache() != null) {
      sharedWrites.ended(sending, unforeseen, thrown);
    }
  }

  // ---- what is sent by other means than JDBC statements

  /** Notes that the driver may send something by itself. */
  void touched() {
    rows.sending();
  }

  /** As {@link StatementGate#enter(String, boolean)}. */
  StatementGate.Passage enter(@Nullable String sql, boolean unbegun) throws SQLException {
    return passages.enter(sql == null ? unknownEffects() : effects(sql), unbegun);
  }

  /** Notes how many rows what is under way has written. */
  void counted(long written) {
    counted = written;
  }

  private Effects effects(String sql) throws SQLException {
    return physical.effects().of(physical.plan(sql, false), true);
  }

  private Effects unknownEffects() {
    return Effects.unknown(StatementKinds.NONE, database.catalog().version());
  }
}
