package dev.larder.jdbc.session;

import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.log.CacheLog;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server how a session is set, and has the tracker know it. Confined to the thread that
 * uses the connection.
 */
final class SettingsReader {
  /** What the application has brought about: its role is gone, or its timeout over. */
  private static final Set<String> NO_TROUBLE = Set.of("42704", "57014");

  /** How long the server is not asked again that had no answer this time. */
  private static final long RETRY_NANOS = 1_000_000_000;

  private final PostgresSession session;
  private final Database database;
  private final SessionTracker tracker;
  private final TemporaryTables temporaryTables;
  private final Overlap overlap;
  private final @Nullable PoolerQuestions pooler;
  private final SessionState state;

  SettingsReader(
      PostgresSession session,
      Database database,
      SessionTracker tracker,
      TemporaryTables temporaryTables,
      Overlap overlap,
      @Nullable PoolerQuestions pooler,
      SessionState state) {
    this.session = session;
    this.database = database;
    this.tracker = tracker;
    this.temporaryTables = temporaryTables;
    this.overlap = overlap;
    this.pooler = pooler;
    this.state = state;
  }

  /**
   * Asks for the settings, after {@link Overlap#mayAsk} has allowed it; returns them, or null.
   *
   * @throws SQLException what has ended connection or transaction
   */
  @Nullable SessionFingerprint read(@Nullable CatalogVersion now) throws SQLException {
    try {
      if (tracker.current() == null && !tracker.questions().areRefused()) {
        ask(now);
      }
      return tracker.current();
    } finally {
      overlap.asked();
    }
  }

  private void ask(@Nullable CatalogVersion catalog) throws SQLException {
    TransactionStatus now = session.status();
    boolean inTransaction = now != TransactionStatus.IDLE;
    if (now == TransactionStatus.FAILED
        || (inTransaction
            && (tracker.questions().areHurried() || state.isOfAnotherServer() || isElsewhere()))
        || session.isClosed()
        || session.isDoubtful()) {
      return;
    }
    try {
      SessionFacts facts =
          pooler == null
              ? session.readFacts(tracker.customNames())
              : pooler.ask(inTransaction, catalog);
      if (facts == null) {
        return;
      }
      state.servedBy(facts, inTransaction);
      if (session.status() == now) {
        take(facts, now, catalog);
      } else {
        // Of which transaction these are nobody knows: the driver has begun or ended it.
        tracker.forget(session.status() != TransactionStatus.IDLE);
      }
    } catch (SQLException e) {
      failed(e, now, catalog);
    }
  }

  private boolean isElsewhere() {
    return state.reach().isElsewhere();
  }

  /** What ends connection or transaction is told to the application, and other refusals are not. */
  private void failed(SQLException e, TransactionStatus before, @Nullable CatalogVersion catalog)
      throws SQLException {
    if (!session.isDefinite(e)) {
      // The server may have crashed.
      database.invalidateAll();
      throw e;
    }
    if (session.status() != before) {
      throw e;
    }
    String code = String.valueOf(e.getSQLState());
    boolean lasting = code.startsWith("42");
    tracker
        .questions()
        .refuse(lasting ? null : RETRY_NANOS, before != TransactionStatus.IDLE, catalog);
    if (!NO_TROUBLE.contains(code)) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "reading the session's settings", e);
    }
  }

  private void take(
      SessionFacts facts, TransactionStatus status, @Nullable CatalogVersion catalog) {
    boolean inTransaction = status != TransactionStatus.IDLE;
    tracker.read(facts, inTransaction, catalog);
    if (pooler == null || temporaryTables.present()) {
      temporaryTables.read(facts.temporary(), inTransaction, pooler == null);
    }
    if (pooler != null && !inTransaction && tracker.current() == null) {
      pooler.nothingClean(catalog);
    }
  }
}
