package dev.larder.jdbc.session;

import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.sql.StatementKind;
import dev.larder.store.ProtocolStep;

/**
 * What was sent, and what came of it. Immutable.
 *
 * @param kinds the statements
 * @param changesSettings whether they may have set anything in a way that the text does not tell
 * @param mayRestart whether they are several that may have ended a transaction
 * @param before the state of the transaction before
 * @param after the state after
 * @param failure what went wrong
 */
record Sent(
    StatementKinds kinds,
    boolean changesSettings,
    boolean mayRestart,
    TransactionStatus before,
    TransactionStatus after,
    Failure failure) {
  /** What went wrong. */
  enum Failure {
    /** All has run. */
    NONE,
    /** The server has refused something. */
    REFUSED,
    /** The driver has thrown, after the server has run it or without having sent it. */
    UNCLEAR
  }

  static Sent of(
      Effects effects, TransactionStatus before, TransactionStatus after, Failure failure) {
    return new Sent(
        effects.kinds(),
        effects.changesSettings(),
        effects.mayRestartTransaction(),
        before,
        after,
        failure);
  }

  boolean failed() {
    return failure != Failure.NONE;
  }

  /** Returns whether it was a transaction of its own. */
  boolean isAlone() {
    return before == TransactionStatus.IDLE && after == TransactionStatus.IDLE;
  }

  /** Returns whether the driver itself may have rolled back to a savepoint of its own. */
  boolean mayHaveRolledBack() {
    return after == TransactionStatus.OPEN
        && ProtocolStep.DOUBT_DRIVERS_ROLLBACK.isTaken()
        && (before == TransactionStatus.FAILED
            ? failed() || !(kinds.is(StatementKind.ROLLBACK_TO) || kinds.isChained())
            : failed());
  }

  /** Returns whether what the transaction has set may be undone, or set anew by triggers. */
  boolean mayUndo() {
    return kinds.is(StatementKind.ROLLBACK_TO)
        || kinds.is(StatementKind.SET_CONSTRAINTS)
        || mayHaveRolledBack()
        || mayRestart;
  }
}
