package dev.larder.jdbc.caching;

import dev.larder.catalog.CatalogSnapshot;
import dev.larder.catalog.ResolvedStatement;
import dev.larder.engine.CacheLog;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.engine.Resolution;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.StatementGate;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.remote.RemotePicture;
import dev.larder.sql.BypassReason;
import dev.larder.sql.LexOptions;
import dev.larder.sql.StatementKind;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One physical connection, and the one way through which anything is sent on it: {@link #send}.
 * What is known of its session and of its transaction belongs to it, below any pool. Confined to
 * the thread that uses the connection, as the connection is.
 */
final class PhysicalConnection implements SessionView, StatementGate {
  private final PostgresSession session;
  private final QueryCache cache;
  private final Database database;
  private final TransactionState transaction = new TransactionState();
  private final TemporaryTables temporaryTables = new TemporaryTables();
  private final Overlap overlap;
  private final SessionState state;
  private final TransactionFollower follower;
  private final Announcements announcements;
  private final SharedWrites sharedWrites;
  private final OutcomeResolver resolver;
  private volatile @Nullable PendingWrite unwrapped;

  /** As of the last look-up. */
  private CommitMode commitMode = CommitMode.AUTO;

  private final AtomicBoolean released = new AtomicBoolean();
  private final Set<Sending> openPassages = ConcurrentHashMap.newKeySet();

  PhysicalConnection(
      PostgresSession session,
      SessionFacts facts,
      QueryCache cache,
      Companions companions,
      @Nullable CatalogSnapshot openedWith) {
    this.session = session;
    this.cache = cache;
    this.database = cache.database();
    this.overlap = new Overlap(database);
    this.resolver = companions.resolver();
    SessionTracker tracker = new SessionTracker(space(), companions.paths());
    tracker.read(facts, false, openedWith);
    this.state =
        new SessionState(session, facts, database, transaction, tracker, temporaryTables, overlap);
    this.follower =
        new TransactionFollower(session, database, transaction, tracker, temporaryTables);
    this.announcements = new Announcements(database, transaction, state, resolver);
    this.sharedWrites = new SharedWrites(session, database, state);
  }

  private String space() {
    return database.identity()
        + "/"
        + cache.config().name()
        + (cache.config().remote().isPresent() ? "/shared/" : "/")
        + session.protocolOptions();
  }

  @Override
  public void formatsChanged() {
    state.tracker().moveTo(space());
  }

  PostgresSession session() {
    return session;
  }

  QueryCache cache() {
    return cache;
  }

  TransactionState transaction() {
    return transaction;
  }

  SessionState state() {
    return state;
  }

  Overlap overlap() {
    return overlap;
  }

  // ---- plans

  Plan plan(String sql, boolean prepared) {
    return cache.plan(sql, new LexOptions(prepared, session.standardConformingStrings()));
  }

  Effects effects(Plan plan) {
    long generation = database.catalog().generation();
    if (state.isReadOnly()) {
      // A standby refuses every write.
      return Effects.writing(WriteSet.NONE, generation);
    }
    if (Effects.needNoNames(plan.statements()) || mustNotAsk(plan)) {
      return effectsWithoutNames(plan, generation);
    }
    SessionFingerprint settings = knownSettings();
    Set<String> temporary = temporaryTables.names();
    if (settings == null || temporary == null || state.writesAreUnknown()) {
      return effectsWithoutNames(plan, generation);
    }
    try {
      if (temporaryTables.present()) {
        return effects(plan, cache.resolve(plan, settings, temporary), generation, null);
      }
      Resolution resolution = cache.resolve(plan, settings);
      return resolution == null
          ? effectsWithoutNames(plan, generation)
          : effects(
              plan,
              resolution.statement(),
              generation,
              database.remote().picture(resolution.snapshot()));
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "resolving a statement", e);
      return effectsWithoutNames(plan, generation);
    }
  }

  /** Whether a question would give the transaction a snapshot before the text asks for one. */
  private boolean mustNotAsk(Plan plan) {
    return state.fingerprint() == null
        && session.status() == TransactionStatus.OPEN
        && Effects.needNoNames(plan.statements().subList(0, 1));
  }

  /**
   * Names may mean anything here: what could be resolved still says nothing, but harmless
   * statements stay harmless.
   */
  private Effects effectsWithoutNames(Plan plan, long generation) {
    return effects(plan, null, generation, null);
  }

  private Effects effects(
      Plan plan,
      @Nullable ResolvedStatement resolved,
      long generation,
      @Nullable RemotePicture picture) {
    return Effects.of(plan, resolved, state.tracker().isTouched(), database, generation, picture);
  }

  /** Returns the effects of plans that are sent together. */
  Effects effects(List<Plan> plans) {
    return Effects.union(plans.stream().map(this::effects).toList(), state.tracker().isTouched());
  }

  // ---- the session as the engine sees it

  @Override
  public @Nullable BypassReason sessionBypass() {
    if (commitMode == CommitMode.CLOSED) {
      return BypassReason.CLOSED;
    }
    BypassReason reason = state.bypass();
    return reason == null && unwrapped != null ? BypassReason.UNWRAPPED : reason;
  }

  /** Notes when the server last heard from the connection, by {@link System#nanoTime}. */
  void sentAt(long nanos) {
    state.sentAt(nanos);
  }

  @Override
  public @Nullable SessionFingerprint fingerprint() {
    return state.fingerprint();
  }

  @Override
  public boolean knowsSettings(Set<String> names) {
    return state.knows(names);
  }

  @Override
  public @Nullable BypassReason transactionBypass(ResolvedStatement statement) {
    return follower.status() == TransactionStatus.FAILED
        ? BypassReason.FAILED_TRANSACTION
        : transaction.bypass(statement, database.catalog().generation());
  }

  @Override
  public boolean mayHit(ResolvedStatement statement) {
    return transaction.mayHit(statement, inBlock());
  }

  @Override
  public long snapshotEpoch() {
    return transaction.snapshotEpoch(inBlock());
  }

  @Override
  public boolean mayShare() {
    return transaction.mayShare(inBlock());
  }

  @Override
  public long incarnation() {
    return state.incarnation();
  }

  /** Notes that the driver is about to be asked for something that may reach the server. */
  void touched() {
    follower.touched();
  }

  /**
   * Notes a hit: in a transaction the application has now read something, though the server knows
   * neither of that nor, outside of autocommit, of a transaction.
   */
  void hit() {
    if (inBlock()) {
      transaction.hit();
    }
  }

  /**
   * Prepares for a lookup: what must be asked of the server is asked now, what must be read before
   * sending is read.
   */
  void beforeLookup() {
    resolveDoubt();
    follower.touched();
    knownSettings();
    commitMode = session.commitMode();
  }

  /** Returns whether what is looked up is part of a transaction that outlives it. */
  private boolean inBlock() {
    return commitMode == CommitMode.MANUAL || follower.status() != TransactionStatus.IDLE;
  }

  private @Nullable SessionFingerprint knownSettings() {
    return state.ask(!follower.dirty().isEmpty());
  }

  // ---- sending

  /**
   * Sends something to the server: announces before, publishes after, and follows what it does to
   * transaction and session. Every call that can reach the server goes through here.
   */
  <T extends @Nullable Object> T send(Effects effects, SqlCall<T> call) throws SQLException {
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
   * As {@link #send}, for one statement, which is put into a transaction block of its own where
   * other JVMs must be told of it between its end and its commit.
   *
   * @param inBlock as {@code call}, but leaves nothing to be fetched after the commit
   */
  <T extends @Nullable Object> T sendAlone(Effects effects, SqlCall<T> call, SqlCall<T> inBlock)
      throws SQLException {
    if (!sharedWrites.needsBlock(effects)
        || session.commitMode() != CommitMode.AUTO
        || follower.status() != TransactionStatus.IDLE) {
      return send(effects, call);
    }
    synchronized (overlap) {
      return sendInBlock(effects, inBlock);
    }
  }

  /** Keeps other threads from sending anything between BEGIN and COMMIT. */
  private <T extends @Nullable Object> T sendInBlock(Effects effects, SqlCall<T> inBlock)
      throws SQLException {
    resolveDoubt();
    TransactionStatus before = follower.beforeSending(effects);
    boolean doubtful = session.isDoubtful();
    PendingWrite pending = null;
    SharedWrites.Told told = null;
    Throwable thrown = null;
    overlap.begin();
    try {
      session.beginBlock();
      T answer = inBlock.call();
      told = sharedWrites.beforeCommit(overlap.isDoubtful() ? unknownEffects() : effects);
      pending = announcements.announce(effects, true);
      announcements.sending();
      session.commitBlock();
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
  private record Sending(
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

  private Sending begin(Effects effects) throws SQLException {
    synchronized (overlap) {
      SharedWrites.Told told = null;
      boolean begun = false;
      try {
        if (effects.isSurelySent() || transaction.mayHaveWritten()) {
          resolveDoubt();
        }
        CommitMode mode = session.commitMode();
        if (mode == CommitMode.CLOSED) {
          return new Sending(effects, null, null, follower.status(), false, false);
        }
        TransactionStatus before = follower.beforeSending(effects);
        boolean alone = before == TransactionStatus.IDLE && mode == CommitMode.AUTO;
        told = tell(effects, before, alone);
        overlap.begin();
        begun = true;
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

  /** Tells other JVMs, or rolls back: what they do not know of must not be committed. */
  private SharedWrites.@Nullable Told tell(Effects effects, TransactionStatus before, boolean alone)
      throws SQLException {
    try {
      return sharedWrites.beforeSending(
          effects, before, alone, follower.dirty(), transaction.oldestPicture());
    } catch (SQLException e) {
      if (before != TransactionStatus.IDLE && effects.is(StatementKind.COMMIT)) {
        rollBackAfter(e);
      }
      throw e;
    }
  }

  private void rollBackAfter(SQLException failure) {
    try {
      send(
          effects(plan("ROLLBACK", false)),
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
  private void resolveDoubt() {
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
  }

  private boolean isDefinite(@Nullable Throwable thrown) {
    return thrown == null || session.isDefinite(thrown);
  }

  private void settle(Sending sending, @Nullable Throwable thrown) {
    state.sent();
    boolean definite = isDefinite(thrown);
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
        follower.doubt(unknownEffects());
      }
      boolean unforeseen =
          sending.told() == null && sending.pending() != null && sending.pending().isWidened();
      finish(sending.pending(), definite, definite && hasAnswered(sending.effects(), thrown));
      if (unforeseen && definite) {
        sharedWrites.missed(WriteSet.UNKNOWN);
      }
      if (definite) {
        sharedWrites.ended(sending.told());
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
    return thrown == null ? effects.isSurelySent() : session.isAnswer(thrown);
  }

  // ---- what is sent by other means than JDBC statements

  @Override
  public Passage enter(@Nullable String sql) throws SQLException {
    Sending sending = begin(sql == null ? unknownEffects() : effects(plan(sql, false)));
    openPassages.add(sending);
    return thrown -> {
      if (openPassages.remove(sending)) {
        end(sending, thrown);
      }
    };
  }

  private Effects unknownEffects() {
    return Effects.unknown(List.of(), database.catalog().generation());
  }

  // ---- objects of the driver in the application's hands

  /**
   * Notes that a class of the driver is handed out: writes can no longer be seen until the
   * connection closes.
   */
  void unwrapped() throws SQLException {
    if (unwrapped == null) {
      sharedWrites.beforeUnseen();
      unwrapped = database.announceUnseen();
      CacheLog.trouble(CacheLog.Trouble.UNWRAPPED, state.backend().toString());
    }
  }

  /**
   * Called when the application has closed its handle: where the physical connection is closed with
   * it, all ends.
   */
  void closed() {
    if (!session.isClosed()) {
      return;
    }
    if (released.compareAndSet(false, true)) {
      QueryCaches.release(cache);
    }
    PendingWrite handedOut = unwrapped;
    if (handedOut != null) {
      unwrapped = null;
      resolver.resolve(handedOut, state.origin());
      database.seen(handedOut);
    }
    for (Sending sending : openPassages) {
      PendingWrite pending = sending.pending();
      if (pending != null) {
        resolver.resolve(pending, state.origin());
      }
    }
    openPassages.clear();
  }
}
