package dev.larder.jdbc.session;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.engine.ServerGeneration;
import dev.larder.jdbc.postgresql.Backend;
import dev.larder.jdbc.postgresql.Beginning;
import dev.larder.jdbc.postgresql.Origin;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the session at the server: who serves it, how it is set, and why it may use no
 * cache. It asks the server where it must. Confined to the thread that uses the connection.
 */
@SuppressWarnings("ReferenceEquality") // Of server generations: see canonical.
public final class SessionState {
  private final PostgresSession session;
  private final Database database;
  private final SessionTracker tracker;
  private final Backend backend;
  private final boolean identified;
  private final boolean standby;
  private final @Nullable BypassReason forbidden;
  private final long keepAliveNanos;
  private final Reach reach;

  /** What asks behind a pooler where each transaction may have another process; else null. */
  private final @Nullable PoolerQuestions pooler;

  /** Why the session uses no cache for as long as nothing else is found out of it, or null. */
  private @Nullable BypassReason fixedBypass;

  private boolean promoted;
  private final TemporaryTables temporaryTables;
  private final Overlap overlap;
  private final SettingsReader reader;
  private final ParsedBefore parsed;
  private boolean enabled = true;
  private @Nullable Beginning beginning;
  private long lastSentNanos = System.nanoTime();

  /** The life of the server that the session was last known to be in. */
  private ServerGeneration serverGeneration;

  /** The later life because of which the session was last asked for its own. */
  private @Nullable ServerGeneration askedBecauseOf;

  public SessionState(
      PostgresSession session,
      SessionFacts facts,
      Reach reach,
      SessionTracker tracker,
      TemporaryTables temporaryTables,
      Overlap overlap) {
    this.session = session;
    this.reach = reach;
    this.database = reach.database();
    this.tracker = tracker;
    this.backend = facts.backend();
    this.serverGeneration = canonical(facts.serverGeneration());
    this.identified = facts.identified();
    this.standby = facts.standby();
    this.forbidden = Refusals.of(session, facts);
    this.keepAliveNanos = facts.idleTimeoutMillis() * 1_000_000 / 2;
    this.temporaryTables = temporaryTables;
    this.overlap = overlap;
    this.pooler = PoolerQuestions.of(session, reach, tracker, overlap);
    this.reader =
        new SettingsReader(session, database, tracker, temporaryTables, overlap, pooler, this);
    this.parsed = new ParsedBefore(session, database, this, overlap);
    temporaryTables.read(pooler == null ? facts.temporary() : null, false, true);
    if (identified && reach.pooled && pooler == null) {
      Refusals.warnOfPooler(facts);
    }
    fixedBypass = foundBypass();
  }

  public SessionTracker tracker() {
    return tracker;
  }

  /** Returns what has parsed again what may mean something else by now. */
  public ParsedBefore parsed() {
    return parsed;
  }

  public Backend backend() {
    return backend;
  }

  /** Returns who runs what is sent. */
  public Origin origin() {
    return new Origin(serverGeneration.startedMicros(), reach.pooled ? null : backend);
  }

  /** Returns whether the session is the server's own, with nothing in between. */
  public boolean isDirect() {
    return identified && !reach.pooled;
  }

  /**
   * Returns what asks behind a pooler that may have another process serve each transaction, where
   * that is cached; or null.
   */
  public @Nullable PoolerQuestions pooler() {
    return fixedBypass == null ? pooler : null;
  }

  /** Returns the life of the server that the session was last known to be in. */
  public ServerGeneration serverGeneration() {
    return serverGeneration;
  }

  /** So that the latest life need not be compared by its contents at each look-up. */
  private ServerGeneration canonical(ServerGeneration seen) {
    ServerGeneration latest = database.serverGeneration();
    return seen.equals(latest) ? latest : seen;
  }

  /** Notes what the session began with. */
  public void began(Beginning with) {
    beginning = with;
  }

  /** Returns what the session began with; null where nobody has asked. */
  public @Nullable Beginning beginning() {
    return beginning;
  }

  public boolean enabled() {
    return enabled;
  }

  public void enabled(boolean on) {
    enabled = on;
  }

  /** Returns whether names may mean here what they mean nowhere else. */
  public boolean writesAreUnknown() {
    return !identified
        || standby
        || isOfAnotherServer()
        || (reach.pooled && (pooler == null || reach.isElsewhere()));
  }

  /** Returns whether the server refuses every write. */
  public boolean isReadOnly() {
    return standby && session.inHotStandby();
  }

  boolean isOfAnotherServer() {
    return serverGeneration != database.serverGeneration();
  }

  /** Returns the databases that what is sent may reach. */
  public Reach reach() {
    return reach;
  }

  /** Whether the session may not have survived: the application's statement must find that out. */
  private boolean isUndecided() {
    ServerGeneration latest = database.serverGeneration();
    return serverGeneration != latest && !latest.equals(askedBecauseOf);
  }

  private @Nullable BypassReason foundBypass() {
    if (!identified) {
      return BypassReason.UNIDENTIFIED;
    }
    if (reach.pooled && pooler == null) {
      return BypassReason.TRANSACTION_POOLER;
    }
    return standby ? BypassReason.STANDBY : forbidden;
  }

  /**
   * Returns why a session that is open uses no cache just now, or null.
   *
   * @param asked whether its settings are known: of some reasons only a question to the server
   *     shows whether they are gone
   */
  public @Nullable BypassReason bypass(boolean asked) {
    if (fixedBypass != null) {
      return fixedBypass;
    }
    if (!enabled) {
      return BypassReason.DISABLED;
    }
    if (!asked) {
      return null;
    }
    if (isOfAnotherServer()) {
      return BypassReason.OTHER_SERVER;
    }
    if (pooler != null && pooler.bypass() != null) {
      return pooler.bypass();
    }
    if (tracker.hasTooManyNames()) {
      return BypassReason.UNKNOWN_SETTINGS;
    }
    if (keepAliveNanos > 0 && !reach.pooled && System.nanoTime() - lastSentNanos > keepAliveNanos) {
      return BypassReason.KEEPALIVE;
    }
    return temporaryTables.present() ? temporaryTables.bypass(database) : null; // Comes last.
  }

  /**
   * Returns the settings as far as they are known without asking, unless the catalog has changed
   * what they mean.
   *
   * @param hasWritten whether the transaction has, so that it may see another catalog than others
   */
  public @Nullable SessionFingerprint followCatalog(boolean hasWritten) {
    if (fixedBypass == null
        && (serverGeneration == database.serverGeneration() || !isUndecided())) {
      tracker.catalog(database.catalog().current(), hasWritten);
      if (pooler != null) {
        tracker.pooled().refresh(tracker);
      }
    }
    return tracker.current();
  }

  /**
   * Returns the settings, or null while they cannot be known.
   *
   * @param hasWritten whether the transaction has, so that it may see another catalog than others
   * @param toLook whether the answer is of no use without a catalog
   * @throws SQLException what has ended connection or transaction, where the question met that
   */
  public @Nullable SessionFingerprint ask(boolean hasWritten, boolean toLook) throws SQLException {
    if (fixedBypass != null || isUndecided()) {
      return tracker.current();
    }
    CatalogVersion catalog = database.catalog().current();
    tracker.catalog(catalog, hasWritten);
    SessionFingerprint known = tracker.current();
    return known != null
            || (toLook && catalog == null)
            || tracker.questions().areRefused()
            || !overlap.mayAsk()
        ? known
        : reader.read(catalog);
  }

  /**
   * Takes over which server has answered.
   *
   * @param inTransaction whether it was asked in one
   */
  void servedBy(SessionFacts facts, boolean inTransaction) {
    lastSentNanos = System.nanoTime();
    if (pooler != null && inTransaction) {
      return; // It says nothing of crashes that the server has survived.
    } else if (pooler != null && !facts.identity().equals(database.identity())) {
      fixedBypass = BypassReason.OTHER_SERVER; // Nothing that is known here holds there.
      database.invalidateEverywhere();
    } else if (pooler == null && !facts.backend().mayBe(backend)) {
      // What this session has filled and announced was found out with settings of another.
      reach.foundPooled(facts.identity());
      parsed.stop();
      fixedBypass = foundBypass();
      Refusals.warnOfPooler(facts);
      database.invalidateEverywhere();
    } else if (!standby && facts.identified()) {
      serverGeneration = database.serverGenerationSeen(facts.serverGeneration());
      database.markSeen(facts.databaseMark());
      reach.noted(facts.identity());
    }
  }

  /** Returns whether a statement had made the settings unknown, and forgets it. */
  public boolean takeUnfollowed() {
    return tracker.questions().takeUnfollowed();
  }

  /** Notes when the server last heard from the connection, by {@link System#nanoTime}. */
  public void sentAt(long nanos) {
    lastSentNanos = nanos;
  }

  /** Notes that something was sent; returns whether it may have written on a new primary first. */
  public boolean sent() {
    boolean first = standby && !promoted && !session.inHotStandby();
    if (first) {
      promoted = true;
      database.invalidateEverywhere();
    }
    lastSentNanos = keepAliveNanos > 0 ? System.nanoTime() : lastSentNanos;
    return first;
  }

  /**
   * Notes an answer of the server. Where another life of it was seen elsewhere, this session has
   * survived what ended the last one, or it is at another server: it is asked before the next
   * look-up outside of a transaction.
   */
  public void followed() {
    if (identified
        && serverGeneration != database.serverGeneration()
        && isUndecided()
        && session.status() == TransactionStatus.IDLE) {
      askedBecauseOf = database.serverGeneration();
      tracker.reread();
    }
  }
}
