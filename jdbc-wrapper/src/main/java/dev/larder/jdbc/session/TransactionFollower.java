package dev.larder.jdbc.session;

import dev.larder.engine.Database;
import dev.larder.engine.SessionReads;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Follows what the server does to the transaction and the settings of one session, by the state
 * that the driver reports and by what was sent. Confined to the thread that uses the connection.
 */
public final class TransactionFollower implements SessionReads.Noting {
  private final PostgresSession session;
  private final Database database;
  private final TransactionState transaction;
  private final SessionState state;
  private final SessionTracker tracker;
  private final TemporaryTables temporaryTables;
  private final Overlap overlap;
  private final TwoPhases twoPhases;
  private TransactionStatus status = TransactionStatus.IDLE;
  private @Nullable SessionReads reads;

  public TransactionFollower(
      PostgresSession session,
      Database database,
      TransactionState transaction,
      SessionState state,
      TemporaryTables temporaryTables,
      Overlap overlap) {
    this.session = session;
    this.database = database;
    this.transaction = transaction;
    this.state = state;
    this.tracker = state.tracker();
    this.temporaryTables = temporaryTables;
    this.overlap = overlap;
    this.twoPhases = new TwoPhases(database.prepared(), overlap);
  }

  /**
   * Returns the state of the transaction as the driver knows it: it sends queries of its own, for
   * metadata and large objects, which begin transactions and let them fail.
   */
  public TransactionStatus status() {
    TransactionStatus now = session.status();
    return now == status ? now : changed();
  }

  /** Under the monitor, so that no other thread begins a transaction that is then ended here. */
  private TransactionStatus changed() {
    synchronized (overlap) {
      TransactionStatus now = session.status();
      if (now != status) {
        boolean recovered = status == TransactionStatus.FAILED && now == TransactionStatus.OPEN;
        status = now;
        if (now == TransactionStatus.IDLE) {
          endedUnseen();
        } else {
          transaction.serverOpen(false);
          tracker.begun();
          if (recovered) {
            driverRolledBack();
            tracker.driverRolledBack();
          }
        }
      }
      return now;
    }
  }

  /** The driver has ended the transaction by itself: its writes count as committed. */
  private void endedUnseen() {
    WriteSet dirty = dirty();
    if (transaction.hasChangedCatalog() || dirty.unknown()) {
      database.catalogChanged(false);
    }
    if (!dirty.isEmpty()) {
      state.reach().written(dirty);
    }
    tracker.endedUnseen();
    ended();
    if (reads != null) {
      reads.sawClock();
    }
  }

  /** Notes that nobody knows what has become of what was sent. */
  public void lost() {
    transaction.forgetLocks();
    status = session.status();
    tracker.forget(status != TransactionStatus.IDLE);
  }

  /** As {@link #status}, before a look-up in this mode, which may begin a transaction. */
  public TransactionStatus beforeLookUp(CommitMode mode) {
    TransactionStatus now = session.status();
    now = now == status ? now : changed();
    if (now == TransactionStatus.IDLE && mode != CommitMode.AUTO) {
      transaction.beforeFirstStatement(database.epoch());
    }
    return now;
  }

  /** Returns what the transaction may have written. */
  public WriteSet dirty() {
    return transaction.dirtyIn(database);
  }

  /**
   * Notes that something is about to be sent on the open connection; returns the state of the
   * transaction before. What may not follow a read is refused by the server only if that knows of
   * one.
   *
   * @param by how it is sent
   */
  public TransactionStatus beforeSending(Effects effects, Means by) throws SQLException {
    TransactionStatus before = status();
    if (by == Means.STATEMENT
        ? effects.kinds().changeTransaction()
            && before != TransactionStatus.FAILED
            && transaction.mustBeginBefore(effects.kinds(), session.owesSavepoint())
        : before != TransactionStatus.FAILED && by.needsBegin(transaction, session)) {
      session.begin();
      return status();
    }
    if (before == TransactionStatus.IDLE) {
      transaction.beforeFirstStatement(database.epoch());
    }
    return before;
  }

  /**
   * Notes that the driver is about to be asked for something that may reach the server; returns the
   * state of the transaction.
   */
  public TransactionStatus touched() {
    TransactionStatus now = status();
    if (now == TransactionStatus.IDLE) {
      transaction.beforeFirstStatement(database.epoch());
    }
    state.parsed().touched(transaction);
    return now;
  }

  @Override
  public void noteIn(SessionReads noted) {
    reads = noted;
  }

  /**
   * Follows what was sent and has a definite outcome.
   *
   * @param before the state of the transaction before
   */
  public void follow(Effects effects, TransactionStatus before, Outcome outcome) {
    Throwable thrown = outcome.thrown();
    TransactionStatus after = session.status();
    status = after;
    boolean inTransaction = after != TransactionStatus.IDLE || before != TransactionStatus.IDLE;
    if (reads != null) {
      noteIn(reads, effects, !inTransaction);
    }
    if (effects.resolved() != null && !database.catalog().isPresent(effects.catalogVersion())) {
      transaction.doubtsCatalog();
    }
    if (!inTransaction && thrown == null && !outcome.wroteUnknown() && effects.arePlain()) {
      ended(); // A transaction of its own that has changed rows at most.
      if (temporaryTables.doubtful()) {
        tracker.reread();
      }
      return;
    }
    boolean chained = thrown == null && effects.kinds().isChained();
    boolean ended = after == TransactionStatus.IDLE || chained;
    followCatalog(effects, ended, outcome.wroteUnknown());
    Sent sent = Sent.of(effects, before, after, Sent.Failure.of(thrown, session));
    tracker.follow(sent);
    temporaryTables.ran(effects, thrown != null);
    if (ended) {
      followEnd(effects, chained, thrown);
    } else {
      followOpen(effects, sent, outcome.counted());
    }
  }

  private static void noteIn(SessionReads reads, Effects effects, boolean alone) {
    boolean nameless = effects.kinds().needNoNames() && !effects.writes().unknown();
    reads.sent(effects.resolved(), nameless, alone);
    if (effects.kinds().all().stream().anyMatch(StatementFacts::resetsAll)) {
      reads.staleness(null);
    }
  }

  private void followCatalog(Effects effects, boolean ended, boolean wroteUnknown) {
    if (effects.reloadsCatalog()) {
      transaction.reloadsCatalog();
    }
    if ((ended && transaction.hasChangedCatalog())
        || (wroteUnknown && (effects.reloadsCatalog() || effects.kinds().commitPrepared()))) {
      database.catalogChanged(!wroteUnknown);
    } else if (wroteUnknown && effects.resolved() == null) {
      database.catalog().doubted();
    }
    if (effects.kinds().reloadConfiguration()) {
      database.configurationReloaded();
    }
  }

  private void followEnd(Effects effects, boolean chained, @Nullable Throwable thrown) {
    if (chained) {
      if (transaction.hasDoubtedCatalog()) {
        database.catalog().doubted();
      }
      transaction.chained(database.epoch());
      tracker.ended();
    } else {
      twoPhases.follow(effects.kinds(), Sent.Failure.of(thrown, session), reads);
      boolean goesOn = wasNotSent(effects, thrown) && transaction.begunByHitAlone();
      ended();
      if (goesOn) {
        transaction.hit();
      }
    }
    if (temporaryTables.doubtful()) {
      // The transaction may have dropped the temporary tables: the settings are read again.
      tracker.reread();
    }
  }

  private void ended() {
    if (transaction.hasDoubtedCatalog()) {
      database.catalog().doubted(); // What ran may have changed it after it was read.
    }
    transaction.ended();
    tracker.ended();
  }

  /** Whether the driver has failed by itself, for want of a value perhaps, at no one's end. */
  private boolean wasNotSent(Effects effects, @Nullable Throwable thrown) {
    return thrown != null
        && !session.isAnswer(thrown)
        && !effects.kinds().is(StatementKind.COMMIT)
        && !effects.kinds().is(StatementKind.ROLLBACK);
  }

  /**
   * Notes that what was followed may have happened in another order, or to another transaction.
   *
   * @param unsettling whether settings depend on that order
   */
  public void doubt(Effects unknown, boolean unsettling) {
    boolean open = session.status() != TransactionStatus.IDLE;
    state.parsed().doubt(unsettling);
    if (unsettling || open) {
      tracker.forget(open);
    }
    if (open) {
      transaction.wrote(unknown);
      transaction.forgetLocks();
    }
  }

  private void followOpen(Effects effects, Sent sent, long counted) {
    transaction.sent(sent.failed(), counted);
    if (sent.before() == TransactionStatus.IDLE) {
      // Whatever began the transaction in the same text as a write has left that write in it.
      transaction.wrote(effects);
    }
    twoPhases.follow(effects.kinds(), sent.failure(), reads);
    transaction.serverOpen(sent.hasOnlyBegun());
    if (sent.before() == TransactionStatus.FAILED || sent.mayHaveRolledBack()) {
      driverRolledBack();
    }
    if (!sent.failed() && tracker.isolation() == Isolation.REPEATABLE_READ) {
      transaction.ran(effects.locks(), effects.resolved());
    }
    if (effects.settings().untold() && effects.kinds().useCursors()) {
      tracker.cursorMaySet();
    }
    for (StatementFacts statement : effects.kinds().all()) {
      switch (statement.kind()) {
        case ROLLBACK_TO -> transaction.rolledBackTo();
        case SET_TRANSACTION -> followSnapshot(statement.command());
        default -> {}
      }
    }
    if (effects.mayRestartTransaction()) {
      transaction.restarted();
    }
  }

  private void followSnapshot(@Nullable SessionCommand command) {
    if (command == null || command.name().equals("transaction snapshot")) {
      transaction.foreignSnapshot();
    }
  }

  /** The driver may have rolled back to a savepoint of its own, whatever was sent. */
  private void driverRolledBack() {
    transaction.forgetLocks();
    temporaryTables.rolledBack();
  }
}
