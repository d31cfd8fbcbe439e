package dev.larder.jdbc.connection;

import dev.larder.ConnectionOptions;
import dev.larder.engine.CacheCount;
import dev.larder.engine.Plan;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.LocalSettings;
import dev.larder.jdbc.effects.SettingChanges;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.session.HeldSettings;
import dev.larder.jdbc.session.Isolation;
import dev.larder.jdbc.session.Overlap;
import dev.larder.jdbc.session.SessionTracker;
import dev.larder.jdbc.session.TransactionFollower;
import dev.larder.jdbc.session.TransactionState;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementKind;
import dev.larder.store.ProtocolStep;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a transaction has made for itself, and that the server need not know before it
 * is sent anything else: {@code SET LOCAL} and {@code set_config(…, true)} of custom settings that
 * it is sure to accept. They are sent in one request, in order, before whatever is sent next; if
 * the transaction ends first, they are forgotten. Changed under the monitor of {@link Overlap}.
 *
 * <p>Nothing is held back once the server has run more of the transaction than BEGIN: a cursor that
 * is open, a trigger that waits for COMMIT and a savepoint would otherwise notice.
 */
public final class HeldBack {
  private static final @Nullable Object[] NO_BINDS = {};

  /** What the driver says of a statement that is closed: object_not_in_prerequisite_state. */
  private static final String CLOSED = "55000";

  private final PhysicalConnection physical;
  private final PostgresSession session;
  private final TransactionFollower follower;
  private final TransactionState transaction;
  private final SessionTracker tracker;
  private final HeldSettings held;
  private final Overlap overlap;
  private final List<SessionCommand> commands = new ArrayList<>();

  /** Whether any of them is a query, with which the server takes a snapshot. */
  private boolean queries;

  private boolean on;

  HeldBack(PhysicalConnection physical, TransactionFollower follower) {
    this.physical = physical;
    this.session = physical.session();
    this.follower = follower;
    this.transaction = physical.transaction();
    this.tracker = physical.state().tracker();
    this.held = tracker.held();
    this.overlap = physical.overlap();
    this.on =
        physical.cache().config().get(ConnectionOptions.HOLD_BACK) && physical.state().isDirect();
  }

  /** Holds nothing back on this connection from now on. */
  public void never() {
    on = false;
  }

  // ---- to hold back

  /**
   * Holds the only statement of {@code plan} back, if that may be.
   *
   * @return what it sets, or null where it must be sent
   */
  public @Nullable SessionCommand hold(Plan plan, @Nullable Object[] binds) throws SQLException {
    if (!on || !LocalSettings.isOfTheForm(plan)) {
      return null;
    }
    synchronized (overlap) {
      overlap.awaitAnswer();
      SessionCommand command =
          mayHold() ? LocalSettings.command(plan, () -> calls(plan, binds)) : null;
      if (command == null || !held.add(command)) {
        return null;
      }
      commands.add(command);
      queries |= plan.shape().kind() == StatementKind.QUERY;
      transaction.heldBack();
      physical.cache().count(CacheCount.HELD_BACK);
      return command;
    }
  }

  private SettingChanges calls(Plan plan, @Nullable Object[] binds) throws SQLException {
    return physical.effects().of(plan, true).ofExecution(plan, binds).settings();
  }

  private boolean mayHold() throws SQLException {
    if (session.isDoubtful() || session.isFoundClosed() || session.block().savesItself()) {
      return false;
    }
    SessionView view = physical.view();
    TransactionStatus status = follower.status();
    boolean untouched =
        status == TransactionStatus.IDLE
            ? session.commitMode() == CommitMode.MANUAL
            : status == TransactionStatus.OPEN && transaction.hasOnlyBegun();
    return untouched
        && overlap.isQuiet()
        && view.bypass() == null
        && view.settings() != null
        && view.transaction().bypass() == null
        && tracker.isolation() == Isolation.READ_COMMITTED;
  }

  /**
   * Returns the settings of which the server need not know at once, where the session sets them.
   */
  public Set<String> accepted() {
    return on && !session.block().savesItself() ? held.accepted() : Set.of();
  }

  // ---- to send

  /** Forgets what was held back: its transaction has ended, or is about to. */
  void forget() {
    synchronized (overlap) {
      if (!commands.isEmpty()) {
        commands.clear();
        queries = false;
        held.forget();
      }
    }
  }

  /**
   * Sends what was held back, unless what is sent next ends the transaction, or nothing but its end
   * is left to it.
   */
  void beforeSending(@Nullable Effects next) throws SQLException {
    if (commands.isEmpty() || endsTransaction(next)) {
      return;
    }
    synchronized (overlap) {
      boolean ends =
          follower.status() == TransactionStatus.FAILED || session.isFoundClosed() || !held.any();
      if (ends || !ProtocolStep.SEND_WHAT_WAS_HELD.isTaken()) {
        forget();
      } else if (!commands.isEmpty()) {
        send();
      }
    }
  }

  /**
   * Forgets what was held back once its transaction has ended, or nobody knows: the driver may
   * refuse by itself to end it.
   */
  void afterSending(Sending sent, boolean definite, @Nullable Throwable thrown) {
    if (commands.isEmpty()) {
      return;
    }
    boolean ends = endsTransaction(sent.effects());
    boolean refused = thrown != null && isRefusedByDriver(sent.before(), thrown);
    if (!definite || (ends && !refused)) {
      forget();
    }
  }

  /** Whether nothing was sent: executeQuery throws after COMMIT has run, for want of rows. */
  private boolean isRefusedByDriver(TransactionStatus before, Throwable thrown) {
    return !session.isAnswer(thrown)
        && session.status() == before
        && (before == TransactionStatus.OPEN
            || (thrown instanceof SQLException e && CLOSED.equals(e.getSQLState())));
  }

  private static boolean endsTransaction(@Nullable Effects next) {
    return next != null
        && (next.kinds().is(StatementKind.COMMIT) || next.kinds().is(StatementKind.ROLLBACK));
  }

  /**
   * As {@link #beforeSending}, before a query that was looked up at {@code turn}; returns the turn
   * of which that holds now: another one if this was all that was sent since.
   */
  public int sendBefore(int turn) throws SQLException {
    if (commands.isEmpty()) {
      return turn;
    }
    beforeSending(null);
    return overlap.wasAlone(turn) ? overlap.turn() : turn;
  }

  private void send() throws SQLException {
    String text = text();
    commands.forEach(command -> physical.cache().count(CacheCount.HELD_BACK_SENT));
    commands.clear();
    queries = false;
    held.sending();
    try {
      Plan plan = physical.plan(text, false);
      physical
          .sender()
          .send(
              physical.effects().of(plan, true).ofExecution(plan, NO_BINDS),
              SqlCall.of(() -> session.block().run(text)));
    } finally {
      held.sent();
    }
  }

  /** Returns one query, or else the commands, which take no snapshot either. */
  private String text() {
    return queries
        ? commands.stream()
            .map(LocalSettings::asCall)
            .collect(Collectors.joining(", ", "SELECT ", ""))
        : commands.stream().map(LocalSettings::asSet).collect(Collectors.joining("; "));
  }
}
