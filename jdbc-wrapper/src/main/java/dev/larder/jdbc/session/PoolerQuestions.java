package dev.larder.jdbc.session;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.jdbc.postgresql.PoolerQueries;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.log.CacheLog;
import dev.larder.store.KeySettings;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks behind a pooler, where each transaction may be in another session of the server: outside of
 * transactions how a session is in which nobody has left anything, and in one under which settings
 * it reads. Confined to the thread that uses the connection.
 */
public final class PoolerQuestions {
  private static final String CANCELLED = "57014";

  private final PostgresSession session;
  private final Database database;
  private final Reach reach;
  private final SessionTracker tracker;
  private final PooledSettings known;
  private final Overlap overlap;
  private final List<String> reportedFirst;

  private PoolerQuestions(
      PostgresSession session, Reach reach, SessionTracker tracker, Overlap overlap) {
    this.session = session;
    this.reach = reach;
    this.database = reach.database();
    this.tracker = tracker;
    this.known = tracker.pooled();
    this.overlap = overlap;
    this.reportedFirst = PoolerQueries.reported(session);
  }

  /** Returns what asks behind the pooler, or null where there is none. */
  static @Nullable PoolerQuestions of(
      PostgresSession session, Reach reach, SessionTracker tracker, Overlap overlap) {
    return tracker.pooled().isThere()
        ? new PoolerQuestions(session, reach, tracker, overlap)
        : null;
  }

  /**
   * Asks for the settings, in the transaction that is open if one is.
   *
   * @return null where what answered is no server that is cached
   */
  @Nullable SessionFacts ask(boolean inTransaction, @Nullable CatalogVersion catalog)
      throws SQLException {
    if (!inTransaction) {
      known.clean().asking();
    }
    SessionFacts facts = read(false);
    if (facts.leftBehind()) {
      CacheLog.trouble(CacheLog.Trouble.LEFT_BEHIND, "in process " + facts.backend().pid());
    }
    boolean other = !isOfDatabase(facts);
    if ((inTransaction && (other || !isOfServer(facts))) || facts.standby()) {
      known.clean().forget();
      tracker.reread();
      tracker.questions().refuse(known.clean().retryNanos(), inTransaction, catalog);
      return null;
    }
    if (other) {
      known.clean().forget(); // These settings are of the other one.
      return facts.withLeftBehind();
    }
    if (!inTransaction && !PoolerQueries.reported(session).equals(reportedFirst)) {
      known.doubt(); // The pooler gives it to this client again, and to no other.
      return facts.withLeftBehind();
    }
    return facts;
  }

  /** Returns why nothing is cached behind the pooler just now, or null. */
  @Nullable BypassReason bypass() {
    if (reach.isElsewhere()) {
      return BypassReason.OTHER_SERVER;
    }
    return tracker.current() == null ? BypassReason.TRANSACTION_POOLER : null;
  }

  /** Notes that somebody has left something in the session that was asked. */
  void nothingClean(@Nullable CatalogVersion catalog) {
    tracker.questions().refuse(known.clean().retryNanos(), false, catalog);
  }

  private SessionFacts read(boolean first) throws SQLException {
    return PoolerQueries.read(session, known.clean().names(tracker.customNames()), first);
  }

  /** Returns whether it is still the same; else notes where the pooler leads. */
  private boolean isOfDatabase(SessionFacts facts) {
    boolean same = facts.identity().equals(database.identity());
    if (!same) {
      reach.noted(facts.identity());
    }
    return same;
  }

  private boolean isOfServer(SessionFacts facts) {
    return facts.serverGeneration().startedMicros() == database.serverGeneration().startedMicros();
  }

  // ---- in a transaction

  /**
   * Asks the open transaction, unless that was asked already, under which settings it reads.
   *
   * @param first whether the transaction is to begin with the question
   * @param key of a result
   * @param settings which settings the key has
   * @return whether it reads under the settings of {@code key}
   * @throws SQLException what has ended connection or transaction
   */
  public boolean proves(SessionFingerprint key, KeySettings settings, boolean first)
      throws SQLException {
    if (!tracker.isAsked() && mayAsk() && overlap.mayAsk()) {
      try {
        SessionFacts facts = answer(first);
        if (facts != null) {
          tracker.begun();
          tracker.read(facts, true, database.catalog().current());
        }
      } finally {
        overlap.asked();
      }
    }
    SessionFingerprint now = tracker.isAsked() ? tracker.current() : null;
    return now != null && key.equals(now.keeping(settings));
  }

  private boolean mayAsk() {
    return session.status() != TransactionStatus.FAILED
        && !tracker.questions().areHurried()
        && !session.isDoubtful();
  }

  /**
   * Asks a transaction that begins with the question, and is only for one statement, while no other
   * thread can send anything.
   *
   * @param key of a result
   * @param settings which settings the key has
   * @return whether it reads under the settings of {@code key}
   * @throws SQLException what has ended the connection
   */
  public boolean provesAlone(SessionFingerprint key, KeySettings settings) throws SQLException {
    SessionFacts facts = mayAsk() ? answer(true) : null;
    List<String> path = facts == null ? null : facts.searchPath();
    return facts != null
        && path != null
        && facts.temporary() == null
        && key.equals(fingerprint(key.namespace(), facts, path).keeping(settings));
  }

  private static SessionFingerprint fingerprint(
      String namespace, SessionFacts facts, List<String> path) {
    return Settings.of(namespace, facts, path, null).fingerprint();
  }

  /** Returns the answer in a transaction; null where nothing can be kept by it. */
  private @Nullable SessionFacts answer(boolean first) throws SQLException {
    TransactionStatus before = session.status();
    try {
      SessionFacts facts = read(first);
      if (isOfDatabase(facts) && isOfServer(facts) && !facts.standby()) {
        return facts;
      }
      known.clean().due(); // More is said outside of a transaction.
    } catch (SQLException e) {
      refused(e, before, first);
    }
    return null;
  }

  /** What began with a question that was refused is to begin anew. */
  private void refused(SQLException e, TransactionStatus before, boolean first)
      throws SQLException {
    if (!session.isDefinite(e)) {
      database.invalidateAll();
      throw e;
    }
    if (first && session.status() == TransactionStatus.FAILED) {
      session.block().rollBack();
    } else if (session.status() != before) {
      throw e;
    }
    if (first && CANCELLED.equals(e.getSQLState())) {
      throw e; // Who cancels means the statement, which has not been sent yet.
    }
    CacheLog.trouble(CacheLog.Trouble.INTERNAL, "asking a transaction for its settings", e);
  }
}
