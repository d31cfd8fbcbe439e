package dev.larder.jdbc.connection;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.BesideTemporary;
import dev.larder.engine.Database;
import dev.larder.engine.FollowedSession;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.engine.ServerGeneration;
import dev.larder.engine.SessionReads;
import dev.larder.engine.SessionView;
import dev.larder.engine.TransactionView;
import dev.larder.jdbc.database.Companions;
import dev.larder.jdbc.database.OutcomeResolver;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.gate.LargeObjects;
import dev.larder.jdbc.gate.StatementGate;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.session.Isolation;
import dev.larder.jdbc.session.Overlap;
import dev.larder.jdbc.session.Reach;
import dev.larder.jdbc.session.SessionState;
import dev.larder.jdbc.session.SessionTracker;
import dev.larder.jdbc.session.TemporaryTables;
import dev.larder.jdbc.session.TransactionFollower;
import dev.larder.jdbc.session.TransactionState;
import dev.larder.lexer.LexOptions;
import dev.larder.log.CacheLog;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.WriteSet;
import java.lang.ref.Cleaner;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One physical connection. What is known of its session and of its transaction belongs to it, below
 * any pool. Confined to the thread that uses the connection, as the connection is.
 */
public final class PhysicalConnection implements StatementGate {
  private final PostgresSession session;
  private final FurtherConnections further;
  private final boolean endsWhenIdle;
  private final QueryCache cache;
  private final Database database;
  private final TransactionState transaction = new TransactionState();
  private final TemporaryTables temporaryTables = new TemporaryTables();
  private final Overlap overlap;
  private final SessionState state;
  private final TransactionFollower follower;
  private final SharedWrites sharedWrites;
  private final Sender sender;
  private final SettingQuestions questions;
  private final OutcomeResolver resolver;
  private final EffectsAnalyzer effects;
  private final SessionReads reads;
  private final @Nullable FollowedSession followed;
  private @Nullable SessionView view;
  private boolean inBlock;
  private final LargeObjects largeObjects = new LargeObjects(this);
  private final ConnectionEnd end;
  private final Cleaner.Cleanable forgotten;

  public PhysicalConnection(
      PostgresSession session,
      SessionFacts facts,
      QueryCache cache,
      Companions companions,
      @Nullable CatalogVersion openedWith,
      FurtherConnections further,
      Reach reach) {
    this.session = session;
    this.further = further;
    this.endsWhenIdle = facts.idleTimeoutMillis() > 0;
    this.cache = cache;
    this.database = cache.database();
    this.overlap = new Overlap(reach);
    this.resolver = companions.resolver();
    SessionTracker tracker = new SessionTracker(namespace(), companions.paths(), reach.clean());
    tracker.read(facts, false, openedWith);
    this.state = new SessionState(session, facts, reach, tracker, temporaryTables, overlap);
    this.follower =
        new TransactionFollower(session, database, transaction, state, temporaryTables, overlap);
    this.effects = new EffectsAnalyzer(this, state, tracker, temporaryTables, companions.effects());
    this.sharedWrites = new SharedWrites(session, database, state);
    this.end = new ConnectionEnd(cache, resolver, state.origin());
    Announcements announced = new Announcements(database, transaction, state, resolver, session);
    this.reads = new SessionReads(database, follower, announced);
    this.followed = FollowedSession.of(cache);
    this.sender = new Sender(this, follower, announced, sharedWrites, end);
    this.questions = new SettingQuestions(this);
    this.forgotten = session.whenForgotten(end);
  }

  /** Returns what keeps results apart that no other setting of the session does. */
  private String namespace() {
    return cache.namespace() + session.protocolOptions();
  }

  @Override
  public void formatsChanged() {
    state.tracker().moveTo(namespace());
  }

  public PostgresSession session() {
    return session;
  }

  public QueryCache cache() {
    return cache;
  }

  public TransactionState transaction() {
    return transaction;
  }

  public SessionState state() {
    return state;
  }

  public Overlap overlap() {
    return overlap;
  }

  /** Returns what the session has read and written. */
  public SessionReads reads() {
    return reads;
  }

  @Override
  public @Nullable FollowedSession followed() {
    return followed;
  }

  /** Returns what opens further connections like it. */
  public FurtherConnections further() {
    return further;
  }

  /** Returns whether the server ends sessions that are idle for long. */
  public boolean endsWhenIdle() {
    return endsWhenIdle;
  }

  /** Returns the isolation level; UNKNOWN where only the server knows, or has an error to say. */
  public Isolation isolation() {
    boolean known =
        state.isDirect()
            && state.tracker().current() != null
            && !session.isDoubtful()
            && !session.isFoundClosed()
            && follower.status() != TransactionStatus.FAILED;
    return known ? state.tracker().isolation() : Isolation.UNKNOWN;
  }

  // ---- plans

  public Plan plan(String sql, boolean prepared) {
    return cache.plan(
        sql, LexOptions.of(prepared, session.standardConformingStrings(), session.isSingleByte()));
  }

  /**
   * Returns whether the server may read a text with backslashes otherwise than its plan does, which
   * was made when the text was prepared or added to a batch.
   */
  public boolean mayBeReadOtherwise(Plan plan) {
    return plan.standardStrings() != session.standardConformingStrings();
  }

  /** Returns what finds out what texts may write. */
  public EffectsAnalyzer effects() {
    return effects;
  }

  // ---- look-ups

  /** Notes when the server last heard from the connection, by {@link System#nanoTime}. */
  public void sentAt(long nanos) {
    state.sentAt(nanos);
  }

  @Override
  public void touched() throws SQLException {
    sender.held().beforeSending(null);
    noted();
  }

  /** As {@link #touched}, where nothing is held back. */
  public void noted() {
    follower.touched();
    sender.touched();
  }

  /** Returns the session for a look-up. Costs no I/O, unless the driver may be out of step. */
  @SuppressWarnings("ReferenceEquality") // What is equal only costs another value.
  public SessionView view() {
    if (session.isDoubtful()) {
      sender.resolveDoubt();
    }
    CommitMode mode = session.foundCommitMode();
    TransactionStatus status = follower.beforeLookUp(mode);
    inBlock = mode != CommitMode.AUTO || status != TransactionStatus.IDLE;
    SessionFingerprint settings =
        state.followCatalog(transaction.mayHaveWritten() && !follower.dirty().isEmpty());
    BypassReason bypass =
        mode == CommitMode.CLOSED
            ? BypassReason.CLOSED
            : end.unseen() != null ? BypassReason.UNWRAPPED : state.bypass(settings != null);
    TransactionView seen =
        transaction.view(state.tracker().isolation(), !inBlock, status, database);
    SessionView last = temporaryTables.present() ? null : view;
    if (last == null
        || last.bypass() != bypass
        || last.settings() != settings
        || last.transaction() != seen
        || last.serverGeneration() != state.serverGeneration()) {
      BesideTemporary beside = temporaryTables.beside(settings);
      ServerGeneration server = state.serverGeneration();
      last = new SessionView(bypass, settings, seen, server, reads, followed, beside);
      view = last;
    }
    return last;
  }

  /** Asks for the settings that a look-up needs; returns why that is of no use, or null. */
  public @Nullable BypassReason settle(Plan plan, Lookup.Unsettled unsettled) throws SQLException {
    BypassReason reason = effects.doesAnything(plan);
    if (reason != null) {
      return reason;
    }
    state.tracker().askFor(unsettled.names());
    if (knownSettings(true, StatementKinds.NONE) != null) {
      return null;
    }
    BypassReason why = state.bypass(true);
    return why == null ? BypassReason.UNKNOWN_SETTINGS : why;
  }

  /** Returns whether the last {@link #view} was one of a statement that is no transaction alone. */
  public boolean isInBlock() {
    return inBlock;
  }

  /** Returns whether the server has no transaction open for it, and so holds no lock for long. */
  public boolean isIdleAtServer() {
    return follower.status() == TransactionStatus.IDLE;
  }

  /** Notes what was decided: a hit in a transaction has read what the server knows nothing of. */
  public void lookedUp(Lookup lookup) {
    boolean hit = lookup instanceof Lookup.Hit;
    if (hit && inBlock) {
      transaction.hit();
      session.passed(true);
    } else if (!hit && state.tracker().isSerializableByDefault()) {
      cache.sayOnce(CacheLog.Trouble.SERIALIZABLE, "");
    }
  }

  /** Returns the settings, which the server is asked for where they are not known; or null. */
  public @Nullable SessionFingerprint settings() throws SQLException {
    SessionFingerprint known = view().settings();
    return known == null ? knownSettings(true, StatementKinds.NONE) : known;
  }

  /**
   * Asks for the settings, or returns null; throws what the application is to be told of its
   * connection.
   *
   * @param toLook whether they are of no use without a catalog
   * @param next what is to be sent next, as far as it matters
   */
  public @Nullable SessionFingerprint knownSettings(boolean toLook, StatementKinds next)
      throws SQLException {
    try {
      boolean written = transaction.mayHaveWritten() && !follower.dirty().isEmpty();
      SessionFingerprint known = state.followCatalog(written);
      known = known == null ? questions.ask(written, toLook, next) : known;
      if (end.unseen() != null) {
        end.servedBy(state.origin());
      }
      return known;
    } catch (SQLException e) {
      sender.foundClosed();
      throw e;
    }
  }

  public Sender sender() {
    return sender;
  }

  @Override
  public Passage enter(@Nullable String sql, boolean unbegun) throws SQLException {
    return sender.enter(sql, unbegun);
  }

  @Override
  public LargeObjects largeObjects() {
    return largeObjects;
  }

  public boolean isFoundClosed() {
    return session.isFoundClosed();
  }

  /**
   * Notes that a class of the driver is handed out: the connection is not cached from now on. Where
   * all follow the writes of others, so they do those through that class. Elsewhere writes can no
   * longer be seen until the driver's connection is closed, which Larder may not be told of.
   */
  public void unwrapped() throws SQLException {
    sender.held().beforeSending(null);
    if (end.unseen() == null && QueryCaches.allFollow(database)) {
      end.unwrapped(null, null);
    } else if (end.unseen() == null) {
      SharedWrites.Told told = sharedWrites.beforeUnseen();
      end.servedBy(state.origin());
      end.unwrapped(state.reach().announce(WriteSet.UNKNOWN), told);
      resolver.watch(session.ending(), end);
      CacheLog.trouble(CacheLog.Trouble.UNWRAPPED, state.backend().toString());
    }
  }

  /**
   * Called when the connection may have been closed, by the application or because the server has
   * ended it: where the physical connection is closed, all ends. Doing so twice changes nothing.
   * Thread-safe.
   */
  public void closed() {
    sender.held().forget();
    if (session.isClosed()) {
      end.servedBy(state.origin());
      forgotten.clean();
      end.run();
    }
  }
}
