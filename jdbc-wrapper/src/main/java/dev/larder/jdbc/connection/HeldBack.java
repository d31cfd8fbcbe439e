package dev.larder.jdbc.connection;

import dev.larder.ConnectionOptions;
import dev.larder.engine.CacheCount;
import dev.larder.engine.Plan;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.effects.Effects;
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
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.ProtocolStep;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
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
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_$]*(?:\\.[a-z_][a-z0-9_$]*)+");

  /** The server cuts longer names. */
  private static final int MAX_NAME = 63;

  private static final int MAX_VALUE = 1_000;

  /** A constant in quotes: the server shows it as it is written. */
  private static final Pattern SET_LOCAL =
      Pattern.compile(
          "\\s*set\\s+local\\s+[\\w.$\"]+\\s*(?:=|\\sto\\s)\\s*'[^'\\\\]*'\\s*;?\\s*",
          Pattern.CASE_INSENSITIVE);

  /** One call, whose column has no other name. */
  private static final Pattern SET_CONFIG =
      Pattern.compile(
          "\\s*select\\s+(?:pg_catalog\\.)?set_config\\s*\\([^()\\\\]*\\)\\s*;?\\s*",
          Pattern.CASE_INSENSITIVE);

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
    if (!on || !isOfTheForm(plan)) {
      return null;
    }
    synchronized (overlap) {
      overlap.awaitAnswer();
      SessionCommand command = mayHold() ? command(plan, binds) : null;
      if (command == null || !isPlain(command) || !held.add(command)) {
        return null;
      }
      commands.add(command);
      queries |= plan.shape().kind() == StatementKind.QUERY;
      transaction.heldBack();
      physical.cache().count(CacheCount.HELD_BACK);
      return command;
    }
  }

  private static boolean isOfTheForm(Plan plan) {
    StatementKind kind = plan.shape().kind();
    return kind == StatementKind.SET
        ? SET_LOCAL.matcher(plan.sql()).matches()
        : kind == StatementKind.QUERY && SET_CONFIG.matcher(plan.sql()).matches();
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

  /** Returns what is set, where it ends with the transaction and is all that the text does. */
  private @Nullable SessionCommand command(Plan plan, @Nullable Object[] binds)
      throws SQLException {
    StatementFacts only = plan.only();
    if (only == null) {
      return null;
    }
    SessionCommand command = only.command();
    if (only.kind() == StatementKind.QUERY) {
      List<SessionCommand> told =
          only.settingCalls().size() == 1
              ? physical.effects().of(plan, true).ofExecution(plan, binds).settings().told()
              : List.of();
      command = told.size() == 1 ? told.get(0) : null;
    }
    return command != null && command.local() ? command : null;
  }

  private static boolean isPlain(SessionCommand command) {
    String value = command.value();
    return value != null
        && value.length() <= MAX_VALUE
        && value.chars().allMatch(c -> c >= ' ' && c < 127 && c != '\\')
        && command.name().length() <= MAX_NAME
        && NAME.matcher(command.name()).matches();
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
  void afterSending(Sender.Sending sent, boolean definite, @Nullable Throwable thrown) {
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
            .map(
                command ->
                    "pg_catalog.set_config('%s', %s, true)"
                        .formatted(command.name(), quoted(command)))
            .collect(Collectors.joining(", ", "SELECT ", ""))
        : commands.stream()
            .map(
                command ->
                    "SET LOCAL \"%s\" = %s"
                        .formatted(command.name().replace(".", "\".\""), quoted(command)))
            .collect(Collectors.joining("; "));
  }

  private static String quoted(SessionCommand command) {
    return '\'' + String.valueOf(command.value()).replace("'", "''") + '\'';
  }
}
