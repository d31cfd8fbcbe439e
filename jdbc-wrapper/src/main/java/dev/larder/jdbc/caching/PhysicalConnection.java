package dev.larder.jdbc.caching;

import dev.larder.catalog.CatalogSnapshot;
import dev.larder.catalog.ResolvedStatement;
import dev.larder.engine.CacheLog;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.Resolution;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.StatementGate;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.sql.BypassReason;
import dev.larder.sql.LexOptions;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.PendingWrite;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What Larder knows of one physical connection, and the one way through which anything is sent on
 * it: {@link #send}. The facts belong to the connection below any pool. Confined to the thread that
 * uses the connection, as the connection is.
 */
final class PhysicalConnection implements SessionView, StatementGate {
  private final PostgresSession session;
  private final QueryCache cache;
  private final Database database;
  private final SessionTracker tracker;
  private final TransactionState transaction = new TransactionState();
  private final OutcomeResolver resolver;
  private final List<PendingWrite> unknownOutcomes = new ArrayList<>();
  private final int backendPid;
  private final String backendStart;
  private final @Nullable BypassReason fixedBypass;
  private final boolean writesAreUnknown;
  private final boolean identified;
  private final boolean standby;
  private boolean promoted;
  private final long keepAliveNanos;
  private boolean enabled = true;
  private boolean temporaryTables;
  private volatile @Nullable PendingWrite unwrapped;
  private long lastSentNanos = System.nanoTime();
  private TransactionStatus status = TransactionStatus.IDLE;
  private final Set<Sending> openPassages = ConcurrentHashMap.newKeySet();

  PhysicalConnection(
      PostgresSession session,
      SessionFacts facts,
      QueryCache cache,
      OutcomeResolver resolver,
      @Nullable CatalogSnapshot openedWith) {
    this.session = session;
    this.cache = cache;
    this.database = cache.database();
    this.resolver = resolver;
    this.tracker =
        new SessionTracker(
            database.identity() + "/" + cache.config().name() + "/" + session.protocolOptions(),
            SearchPaths.of(database.identity()));
    this.tracker.read(facts, false, openedWith);
    this.transaction.sessionIsolation(TransactionState.Isolation.of(facts.defaultIsolation()));
    this.temporaryTables = facts.temporaryTables();
    this.backendPid = facts.backendPid();
    this.backendStart = facts.backendStart();
    this.keepAliveNanos = facts.idleTimeoutMillis() * 1_000_000 / 2;
    this.standby = facts.standby();
    this.identified = !facts.systemIdentifier().isEmpty();
    this.writesAreUnknown = standby || !identified || facts.backendPid() != session.protocolPid();
    this.fixedBypass = fixedBypass(facts);
  }

  private @Nullable BypassReason fixedBypass(SessionFacts facts) {
    if (!identified) {
      return BypassReason.UNIDENTIFIED;
    }
    if (facts.backendPid() != session.protocolPid()) {
      CacheLog.trouble(
          CacheLog.Trouble.TRANSACTION_POOLER,
          "the protocol names backend "
              + session.protocolPid()
              + ", the session itself "
              + facts.backendPid());
      return BypassReason.TRANSACTION_POOLER;
    }
    if (facts.standby()) {
      return BypassReason.STANDBY;
    }
    return facts.audited() ? BypassReason.AUDITED : null;
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

  SessionTracker tracker() {
    return tracker;
  }

  boolean enabled() {
    return enabled;
  }

  void enabled(boolean on) {
    enabled = on;
  }

  // ---- plans

  Plan plan(String sql, boolean prepared) {
    return cache.plan(sql, new LexOptions(prepared, session.standardConformingStrings()));
  }

  Effects effects(Plan plan) {
    long generation = database.catalog().generation();
    if (standby && session.inHotStandby()) {
      // A standby refuses every write.
      return Effects.writing(WriteSet.NONE, generation);
    }
    SessionFingerprint settings = knownSettings();
    if (writesAreUnknown || settings == null || temporaryTables) {
      return effectsWithoutNames(plan, generation);
    }
    try {
      Resolution resolution = cache.resolve(plan, settings);
      return Effects.of(
          plan, resolution == null ? null : resolution.statement(), database, generation);
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "resolving a statement", e);
      return effectsWithoutNames(plan, generation);
    }
  }

  /**
   * Names may mean anything here: what could be resolved still says nothing, but harmless
   * statements stay harmless.
   */
  private Effects effectsWithoutNames(Plan plan, long generation) {
    return Effects.of(plan, null, database, generation);
  }

  // ---- the session as the engine sees it

  @Override
  public @Nullable BypassReason sessionBypass() {
    if (fixedBypass != null) {
      return fixedBypass;
    }
    if (!enabled) {
      return BypassReason.DISABLED;
    }
    if (temporaryTables) {
      return BypassReason.TEMPORARY_TABLE;
    }
    if (tracker.hasTooManyNames()) {
      return BypassReason.UNKNOWN_SETTINGS;
    }
    if (unwrapped != null) {
      return BypassReason.UNWRAPPED;
    }
    if (keepAliveNanos > 0 && System.nanoTime() - lastSentNanos > keepAliveNanos) {
      return BypassReason.KEEPALIVE;
    }
    return session.isClosed() ? BypassReason.CLOSED : null;
  }

  @Override
  public @Nullable SessionFingerprint fingerprint() {
    return tracker.current();
  }

  @Override
  public boolean knowsSettings(Set<String> names) {
    return names.isEmpty() || tracker.knows(names);
  }

  @Override
  public @Nullable BypassReason transactionBypass(ResolvedStatement statement) {
    return status() == TransactionStatus.FAILED
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

  /** Returns whether a statement that runs now is part of a transaction that outlives it. */
  boolean inBlock() {
    return !session.autoCommit() || status() != TransactionStatus.IDLE;
  }

  /**
   * Returns the state of the transaction as the driver knows it: it sends queries of its own, for
   * metadata and large objects, which begin transactions and let them fail.
   */
  TransactionStatus status() {
    TransactionStatus before = status;
    TransactionStatus now = session.status();
    if (now != before) {
      status = now;
      if (now == TransactionStatus.IDLE) {
        endedUnseen();
      } else {
        transaction.serverOpen();
      }
    }
    return now;
  }

  /**
   * The driver has ended the transaction by itself: nobody says how, so what it wrote counts as
   * committed.
   */
  private void endedUnseen() {
    WriteSet dirty = transaction.dirtyIn(database.catalog().generation());
    if (transaction.hasChangedCatalog()) {
      database.catalogChanged();
    }
    if (!dirty.isEmpty()) {
      PendingWrite pending = database.announce(dirty);
      if (dirty.unknown()) {
        database.catalogChanged();
      }
      database.publish(pending);
    }
    tracker.transactionEnded(SessionTracker.End.UNKNOWN);
    transaction.ended(false);
  }

  /** Notes that the driver is about to be asked for something that may reach the server. */
  void touched() {
    if (status() == TransactionStatus.IDLE) {
      transaction.beforeFirstStatement(database.epoch());
    }
  }

  /**
   * Notes a hit: outside of autocommit the application has now begun a transaction, though the
   * server knows of none.
   */
  void hit() {
    if (!session.autoCommit()) {
      transaction.hit();
    }
  }

  /**
   * Prepares for a lookup: what must be asked of the server is asked now, what must be read before
   * sending is read.
   */
  void beforeLookup() {
    if (status() == TransactionStatus.IDLE) {
      transaction.beforeFirstStatement(database.epoch());
    }
    knownSettings();
  }

  private @Nullable SessionFingerprint knownSettings() {
    if (fixedBypass == null) {
      tracker.catalog(database.catalog().current(), hasWritten());
    }
    SessionFingerprint known = tracker.current();
    return known != null || fixedBypass != null ? known : askForSettings();
  }

  private boolean hasWritten() {
    return !transaction.dirtyIn(database.catalog().generation()).isEmpty();
  }

  private @Nullable SessionFingerprint askForSettings() {
    TransactionStatus now = status();
    if (now == TransactionStatus.FAILED || session.isClosed()) {
      return null;
    }
    try {
      CatalogSnapshot snapshot = database.catalog().current();
      SessionFacts facts = session.readFacts(tracker.customNames());
      tracker.read(facts, now != TransactionStatus.IDLE, snapshot);
      transaction.sessionIsolation(TransactionState.Isolation.of(facts.defaultIsolation()));
      if (now == TransactionStatus.OPEN) {
        transaction.transactionIsolation(TransactionState.Isolation.of(facts.isolation()));
      }
      temporaryTables = facts.temporaryTables();
      lastSentNanos = System.nanoTime();
    } catch (SQLException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "reading the session's settings", e);
    }
    return tracker.current();
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
      return call.call();
    } catch (Throwable t) {
      thrown = t;
      throw t;
    } finally {
      end(sending, thrown);
    }
  }

  /**
   * Something between announce and publish.
   *
   * @param pending what was announced, or null where nothing had to be
   * @param before the state of the transaction before
   * @param usable whether the connection was open: otherwise nothing is sent, and nothing follows
   */
  private record Sending(
      Effects effects, @Nullable PendingWrite pending, TransactionStatus before, boolean usable) {}

  private Sending begin(Effects effects) throws SQLException {
    TransactionStatus before = status();
    if (session.isClosed()) {
      return new Sending(effects, null, before, false);
    }
    if (before == TransactionStatus.IDLE) {
      if (transaction.begunByHitAlone() && effects.changesTransaction()) {
        session.begin();
        before = status();
      } else {
        transaction.beforeFirstStatement(database.epoch());
      }
    }
    boolean alone = before == TransactionStatus.IDLE && session.autoCommit();
    return new Sending(effects, announceIfNeeded(effects, alone), before, true);
  }

  private @Nullable PendingWrite announceIfNeeded(Effects effects, boolean alone) {
    if (!alone) {
      transaction.wrote(effects.writes(), effects.catalogGeneration());
    }
    String gid = effects.preparedName(StatementKind.PREPARE_TRANSACTION);
    if (gid != null && !gid.isEmpty()) {
      database.prepared(gid, transaction.dirtyIn(database.catalog().generation()));
    }
    if (!alone && !effects.mayEndTransaction()) {
      return null;
    }
    WriteSet writes = effects.writes().union(transaction.dirtyIn(database.catalog().generation()));
    return writes.isEmpty() ? null : announce(writes, effects.catalogGeneration());
  }

  private PendingWrite announce(WriteSet writes, long catalogGeneration) {
    PendingWrite pending = database.announce(writes);
    if (database.catalog().generation() != catalogGeneration) {
      database.widen(pending);
    }
    return pending;
  }

  private void end(Sending sending, @Nullable Throwable thrown) {
    if (!sending.usable()) {
      return;
    }
    if (standby && !promoted && !session.inHotStandby()) {
      // What was thought to be sent to a standby may have been the first write of a new primary.
      promoted = true;
      database.invalidateAll();
    }
    if (keepAliveNanos > 0) {
      lastSentNanos = System.nanoTime();
    }
    Effects effects = sending.effects();
    PendingWrite pending = sending.pending();
    boolean definite = thrown == null || session.isDefinite(thrown);
    try {
      if (definite) {
        follow(effects, sending.before(), thrown);
        if (pending != null && pending.writes().unknown()) {
          // What is unknown may have been DDL, also of a transaction that was prepared long ago.
          database.catalogChanged();
        }
      } else if (pending != null || isCrash(thrown)) {
        lost(thrown);
      }
    } finally {
      if (definite) {
        publish(pending, hasAnswered(effects, thrown));
      } else if (pending != null) {
        unknownOutcomes.add(pending);
        resolver.resolve(pending, backendPid, backendStart);
      }
    }
  }

  /**
   * Returns whether the server must have answered: what ends a transaction is not sent where none
   * is open, and some exceptions are the driver's own.
   */
  private boolean hasAnswered(Effects effects, @Nullable Throwable thrown) {
    return thrown == null ? effects.isSurelySent() : session.isAnswer(thrown);
  }

  private void publish(@Nullable PendingWrite pending, boolean answered) {
    if (pending != null) {
      database.publish(pending);
    }
    if (answered && !unknownOutcomes.isEmpty()) {
      // The server has answered again on this connection, so whatever was sent before has ended.
      unknownOutcomes.forEach(database::publishLate);
      unknownOutcomes.clear();
    }
  }

  private static boolean isCrash(@Nullable Throwable thrown) {
    return thrown instanceof SQLException failure
        && failure.getSQLState() != null
        && (failure.getSQLState().startsWith("08") || failure.getSQLState().startsWith("57P0"));
  }

  private void lost(@Nullable Throwable thrown) {
    // The server may have crashed, and with it rows of unlogged tables and asynchronous commits.
    database.invalidateAll();
    CacheLog.trouble(
        CacheLog.Trouble.UNKNOWN_OUTCOME,
        "backend " + backendPid + ": " + (thrown == null ? "" : thrown.getClass().getName()));
  }

  /** Follows what the server has done to transaction and session. */
  private void follow(Effects effects, TransactionStatus before, @Nullable Throwable thrown) {
    TransactionStatus after = session.status();
    status = after;
    if (effects.reloadsCatalog()) {
      transaction.reloadsCatalog();
    }
    boolean ended = after == TransactionStatus.IDLE || (thrown == null && effects.isChained());
    if (ended && transaction.hasChangedCatalog()) {
      database.catalogChanged();
    }
    if (effects.taintsSession() && thrown == null) {
      temporaryTables = true;
    }
    boolean inTransaction = after != TransactionStatus.IDLE || before != TransactionStatus.IDLE;
    followSettings(effects, inTransaction, thrown);
    if (thrown == null && effects.isChained()) {
      tracker.transactionEnded(endOf(effects, before, thrown));
      transaction.chained(database.epoch());
    } else if (after == TransactionStatus.IDLE) {
      SessionTracker.End end = endOf(effects, before, thrown);
      if (inTransaction) {
        tracker.transactionEnded(end);
      }
      followPrepared(effects, thrown);
      transaction.ended(end == SessionTracker.End.ROLLED_BACK);
    } else {
      followOpen(effects, before, thrown);
    }
  }

  private void followOpen(Effects effects, TransactionStatus before, @Nullable Throwable thrown) {
    if (before == TransactionStatus.IDLE) {
      // Whatever began the transaction in the same text as a write has left that write in it.
      transaction.wrote(effects.writes(), effects.catalogGeneration());
    }
    transaction.serverOpen();
    if (before == TransactionStatus.FAILED) {
      transaction.forgetLocks();
    }
    if (database.catalog().generation() != effects.catalogGeneration()) {
      transaction.wrote(
          effects.writes().isEmpty() ? WriteSet.NONE : WriteSet.UNKNOWN,
          database.catalog().generation());
    }
    if (thrown == null) {
      transaction.ran(effects.locks(), effects.resolved());
    }
    for (StatementFacts statement : effects.statements()) {
      switch (statement.kind()) {
        case ROLLBACK_TO -> transaction.forgetLocks();
        case BEGIN, SET_TRANSACTION -> transaction.characteristics(statement.command());
        default -> {}
      }
    }
    if (effects.mayRestartTransaction()) {
      transaction.restarted();
    }
  }

  private void followSettings(Effects effects, boolean inTransaction, @Nullable Throwable thrown) {
    boolean unclear = thrown != null || effects.statements().size() > 1;
    if (effects.changesSettings() || (unclear && effects.touchesSettings())) {
      tracker.forget(inTransaction);
    } else if (thrown == null) {
      for (StatementFacts statement : effects.statements()) {
        tracker.executed(statement, inTransaction);
      }
    }
  }

  private void followPrepared(Effects effects, @Nullable Throwable thrown) {
    String gid =
        thrown == null
            ? effects.preparedName(StatementKind.COMMIT_PREPARED)
            : effects.preparedName(StatementKind.PREPARE_TRANSACTION);
    if (gid == null && thrown == null) {
      gid = effects.preparedName(StatementKind.ROLLBACK_PREPARED);
    }
    if (gid != null) {
      database.preparedEnded(gid);
    }
  }

  private static SessionTracker.End endOf(
      Effects effects, TransactionStatus before, @Nullable Throwable thrown) {
    if (thrown != null) {
      // A COMMIT that fails rolls back, but for the failures of the driver's own.
      return SessionTracker.End.UNKNOWN;
    }
    if (effects.is(StatementKind.ROLLBACK) || before == TransactionStatus.FAILED) {
      return SessionTracker.End.ROLLED_BACK;
    }
    return effects.is(StatementKind.COMMIT)
        ? SessionTracker.End.COMMITTED
        : SessionTracker.End.UNKNOWN;
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
  void unwrapped() {
    if (unwrapped == null) {
      unwrapped = database.announce(WriteSet.UNKNOWN);
      CacheLog.trouble(CacheLog.Trouble.UNWRAPPED, "backend " + backendPid);
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
    PendingWrite handedOut = unwrapped;
    if (handedOut != null) {
      unwrapped = null;
      resolver.resolve(handedOut, backendPid, backendStart);
    }
    for (Sending sending : openPassages) {
      if (sending.pending() != null) {
        resolver.resolve(sending.pending(), backendPid, backendStart);
      }
    }
    openPassages.clear();
  }
}
