package dev.larder.jdbc.session;

import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.SettingChanges;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.ProtocolStep;
import org.jspecify.annotations.Nullable;

/**
 * What was sent, and what came of it. Immutable.
 *
 * @param kinds the statements
 * @param settings what was set, beside what the statements say
 * @param mayRestart whether they are several that may have ended a transaction
 * @param before the state of the transaction before
 * @param after the state after
 * @param failure what went wrong
 */
record Sent(
    StatementKinds kinds,
    SettingChanges settings,
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
    UNCLEAR;

    static Failure of(@Nullable Throwable thrown, PostgresSession session) {
      return thrown == null ? NONE : session.isAnswer(thrown) ? REFUSED : UNCLEAR;
    }
  }

  static Sent of(
      Effects effects, TransactionStatus before, TransactionStatus after, Failure failure) {
    return new Sent(
        effects.kinds(),
        effects.settings(),
        effects.mayRestartTransaction(),
        before,
        after,
        failure);
  }

  /** Returns whether anything may have been set. */
  boolean touchesSettings() {
    return kinds.touchSettings() || settings.any();
  }

  /** Returns whether anything was set by commands, or by calls that tell it. */
  boolean setsTold() {
    return kinds.touchSettings() || !settings.told().isEmpty();
  }

  /** Returns the only thing that was set, or null. */
  @Nullable SessionCommand onlySet() {
    StatementFacts only = kinds.is(StatementKind.SET) ? kinds.only() : null;
    return settings.told().size() == 1
        ? settings.told().get(0)
        : only == null ? null : only.command();
  }

  boolean failed() {
    return failure != Failure.NONE;
  }

  /** Returns whether it was a transaction of its own. */
  boolean isAlone() {
    return before == TransactionStatus.IDLE && after == TransactionStatus.IDLE;
  }

  /** Returns whether a transaction has begun, and nothing has run in it. */
  boolean hasOnlyBegun() {
    return kinds.is(StatementKind.BEGIN) && before == TransactionStatus.IDLE && !failed();
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
    return kinds.all().stream().anyMatch(each -> each.kind() == StatementKind.ROLLBACK_TO)
        || kinds.is(StatementKind.SET_CONSTRAINTS)
        || mayHaveRolledBack()
        || mayRestart;
  }
}
