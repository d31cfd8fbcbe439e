package dev.larder.jdbc.caching;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.catalog.CatalogSnapshot;
import dev.larder.catalog.ResolvedStatement;
import dev.larder.engine.CacheLog;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.Resolution;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.StatementGate;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.remote.RemotePicture;
import dev.larder.sql.BypassReason;
import dev.larder.sql.LexOptions;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.WriteSet;
import java.lang.ref.Cleaner;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One physical connection. What is known of its session and of its transaction belongs to it, below
 * any pool. Confined to the thread that uses the connection, as the connection is.
 */
final class PhysicalConnection implements StatementGate {
  private final PostgresSession session;
  private final QueryCache cache;
  private final Database database;
  private final TransactionState transaction = new TransactionState();
  private final TemporaryTables temporaryTables = new TemporaryTables();
  private final Overlap overlap;
  private final SessionState state;
  private final TransactionFollower follower;
  private final SharedWrites sharedWrites;
  private final Sender sender;
  private final OutcomeResolver resolver;
  private final KnownEffects known;
  private final SessionAtLookup.All sessions;
  private final ConnectionEnd end;
  private final Cleaner.Cleanable forgotten;

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
    this.known = companions.effects();
    SessionTracker tracker = new SessionTracker(space(), companions.paths());
    tracker.read(facts, false, openedWith);
    this.state =
        new SessionState(session, facts, database, transaction, tracker, temporaryTables, overlap);
    this.follower =
        new TransactionFollower(session, database, transaction, tracker, temporaryTables, overlap);
    this.sessions = new SessionAtLookup.All(this, state, transaction, database);
    this.sharedWrites = new SharedWrites(session, database, state);
    this.end = new ConnectionEnd(cache, resolver, state.origin());
    this.sender =
        new Sender(
            session,
            database,
            transaction,
            state,
            follower,
            sharedWrites,
            overlap,
            resolver,
            end,
            sql -> effects(plan(sql, false)),
            this::closed);
    this.forgotten = session.whenForgotten(end);
  }

  /** Returns what keeps results apart that no other setting of the session does. */
  private String space() {
    QueryCacheConfig config = cache.config();
    String use =
        config.remote().isPresent()
            ? "/shared/"
            : config.get(CacheOptions.MODE) == QueryCacheConfig.Mode.OBSERVE ? "/observed/" : "/";
    return database.identity()
        + "/"
        + config.get(CacheOptions.NAME)
        + use
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
    return cache.plan(sql, options(prepared));
  }

  /** As {@link #plan}, if the text was among the last that were asked for; else null. */
  @Nullable Plan recentPlan(String sql, boolean prepared) {
    return cache.recentPlan(sql, options(prepared));
  }

  private LexOptions options(boolean prepared) {
    return new LexOptions(prepared, session.standardConformingStrings());
  }

  /**
   * Returns whether the server may read a text otherwise than its plan does, which was made when
   * the text was prepared or added to a batch.
   */
  boolean mayBeReadOtherwise(Plan plan) {
    return plan.hasBackslashes() && plan.standardStrings() != session.standardConformingStrings();
  }

  Effects effects(Plan plan) throws SQLException {
    return effects(plan, true);
  }

  private Effects effects(Plan plan, boolean mayAsk) throws SQLException {
    long generation = database.catalog().generation();
    if (state.isReadOnly()) {
      // A standby refuses every write.
      return Effects.writing(WriteSet.NONE, generation);
    }
    if (mayBeReadOtherwise(plan)) {
      return Effects.unknown(StatementKinds.NONE, generation);
    }
    StatementKinds kinds = known.kinds(plan.statements());
    if (kinds.needNoNames() || !mayAsk || mustNotAsk(kinds)) {
      return effectsWithoutNames(kinds, generation);
    }
    Effects anything = anything(kinds, generation);
    if (anything != null) {
      return anything;
    }
    SessionFingerprint settings = knownSettings();
    if (isUnwrapped()) {
      end.servedBy(state.origin());
    }
    Set<String> temporary = temporaryTables.names();
    if (settings == null
        || temporary == null
        || temporaryTables.areOutdated(plan.statements(), generation)
        || state.writesAreUnknown()) {
      return effectsWithoutNames(kinds, generation);
    }
    try {
      if (temporaryTables.present()) {
        return effects(
            kinds, cache.resolutions().resolve(plan, settings, temporary), generation, null);
      }
      Resolution resolution = cache.resolutions().resolve(plan, settings);
      return resolution == null
          ? effectsWithoutNames(kinds, generation)
          : effects(
              kinds,
              resolution.statement(),
              generation,
              database.remote().picture(resolution.snapshot()));
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "resolving a statement", e);
      return effectsWithoutNames(kinds, generation);
    }
  }

  /**
   * Returns the effects of statements that may do anything, where only a question could tell what
   * their names mean, and it would be asked for each of them again; else null.
   */
  private @Nullable Effects anything(StatementKinds kinds, long generation) {
    CatalogSnapshot catalog = state.fingerprint() == null ? database.catalog().current() : null;
    Effects last = catalog == null ? null : known.anything(kinds, generation);
    return last == null || catalog == null || state.writesAreUnknown()
        ? null
        : last.whateverNamesMean(catalog);
  }

  /**
   * Returns why a query is not cached that may do anything, while the settings are unknown, or
   * null.
   */
  @Nullable BypassReason doesAnything(Plan plan) {
    if (state.fingerprint() != null) {
      return null;
    }
    Effects effects = anything(known.kinds(plan.statements()), database.catalog().generation());
    ResolvedStatement resolved = effects == null ? null : effects.resolved();
    return resolved == null ? null : resolved.bypass();
  }

  /** Whether a question would give the transaction a snapshot before the text asks for one. */
  private boolean mustNotAsk(StatementKinds kinds) {
    return state.fingerprint() == null
        && session.status() == TransactionStatus.OPEN
        && kinds.beginNameless();
  }

  /**
   * Names may mean anything here: what could be resolved still says nothing, but harmless
   * statements stay harmless.
   */
  private Effects effectsWithoutNames(StatementKinds kinds, long generation) {
    return effects(kinds, null, generation, null);
  }

  private Effects effects(
      StatementKinds kinds,
      @Nullable ResolvedStatement resolved,
      long generation,
      @Nullable RemotePicture picture) {
    return known.of(kinds, resolved, state.tracker().isTouched(), database, generation, picture);
  }

  /** Returns the effects of plans that are sent together. */
  Effects effects(List<Plan> plans) throws SQLException {
    List<Effects> effects = new ArrayList<>();
    // SET TRANSACTION and LOCK at the head of a batch must come before any question.
    boolean mayAsk =
        state.fingerprint() != null
            || plans.isEmpty()
            || !known.kinds(plans.get(0).statements()).needNoNames();
    for (Plan plan : plans) {
      effects.add(effects(plan, mayAsk));
    }
    return Effects.union(effects, state.tracker().isTouched());
  }

  // ---- look-ups

  /** Notes when the server last heard from the connection, by {@link System#nanoTime}. */
  void sentAt(long nanos) {
    state.sentAt(nanos);
  }

  /** Notes that the driver is about to be asked for something that may reach the server. */
  void touched() {
    follower.touched();
    sender.touched();
  }

  /**
   * Prepares for a look-up: what must be asked of the server is asked now, what must be read before
   * sending is read.
   *
   * @return what the engine is to decide by
   */
  SessionAtLookup beforeLookup() throws SQLException {
    sender.resolveDoubt();
    follower.touched();
    knownSettings();
    return sessions.of(session.foundCommitMode(), follower.status());
  }

  /** Returns the settings, or null; throws what the application is to be told of its connection. */
  private @Nullable SessionFingerprint knownSettings() throws SQLException {
    try {
      return state.ask(transaction.mayHaveWritten() && !follower.dirty().isEmpty());
    } catch (SQLException e) {
      sender.foundClosed();
      throw e;
    }
  }

  // ---- sending

  /** See {@link Sender#send}. */
  <T extends @Nullable Object> T send(Effects effects, SqlCall<T> call) throws SQLException {
    return sender.send(effects, call);
  }

  /** See {@link Sender#sendAlone}. */
  <T extends @Nullable Object> T sendAlone(Effects effects, SqlCall<T> call, SqlCall<T> inBlock)
      throws SQLException {
    return sender.sendAlone(effects, call, inBlock);
  }

  /** Returns {@code run} so that the rows that it writes are counted where that tells anything. */
  <T extends @Nullable Object> SqlCall<T> counting(
      Effects effects, CachingStatement statement, SqlCall<T> run) {
    if (effects.rows().table() == 0) {
      return run;
    }
    return () -> {
      T answer = run.call();
      sender.counted(RowCount.of(statement, answer));
      return answer;
    };
  }

  @Override
  public Passage enter(@Nullable String sql) throws SQLException {
    return sender.enter(sql);
  }

  /** Returns whether the application has an object of the driver's, so that writes are not seen. */
  boolean isUnwrapped() {
    return end.isUnwrapped();
  }

  /** Returns whether the driver has closed it, by its own or the application's wish. */
  boolean isFoundClosed() {
    return session.isFoundClosed();
  }

  // ---- objects of the driver in the application's hands

  /**
   * Notes that a class of the driver is handed out: writes can no longer be seen until the driver's
   * connection is closed, which Larder may not be told of.
   */
  void unwrapped() throws SQLException {
    if (!isUnwrapped()) {
      SharedWrites.Told told = sharedWrites.beforeUnseen();
      end.servedBy(state.origin());
      end.unwrapped(database.announce(WriteSet.UNKNOWN), told);
      resolver.watch(session.ending(), end);
      CacheLog.trouble(CacheLog.Trouble.UNWRAPPED, state.backend().toString());
    }
  }

  /**
   * Called when the connection may have been closed, by the application or because the server has
   * ended it: where the physical connection is closed, all ends. Doing so twice changes nothing.
   * Thread-safe.
   */
  void closed() {
    if (session.isClosed()) {
      end.servedBy(state.origin());
      forgotten.clean();
      end.run();
    }
  }
}
