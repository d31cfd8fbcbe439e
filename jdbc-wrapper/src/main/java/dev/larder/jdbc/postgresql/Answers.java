package dev.larder.jdbc.postgresql;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/** What exceptions tell of the answers of the server, while the connection lives. Stateless. */
final class Answers {
  private static final Set<String> UNKNOWN_OUTCOME_STATES =
      Set.of("57P01", "57P02", "57P03", "57P04", "57P05");

  /** The routine of the server that refuses the extended protocol, and calls, to a walsender. */
  private static final String WALSENDER_REFUSAL = "forbidden_in_wal_sender";

  private Answers() {}

  /** Returns what the server itself has said, or null. */
  static @Nullable ServerErrorMessage of(Throwable thrown) {
    return thrown instanceof PSQLException failure ? failure.getServerErrorMessage() : null;
  }

  /** Returns whether it is known what was committed by what ended in {@code thrown}. */
  static boolean areDefinite(Throwable thrown) {
    if (!(thrown instanceof SQLException failure)) {
      return false;
    }
    String state = failure.getSQLState();
    if (PSQLState.CONNECTION_DOES_NOT_EXIST.getState().equals(state)) {
      // The connection lives: it was a handle that was closed, and nothing was sent.
      return true;
    }
    if (state != null && (state.startsWith("08") || UNKNOWN_OUTCOME_STATES.contains(state))) {
      return isForbiddenByWalsender(failure);
    }
    return !endSession(thrown);
  }

  /**
   * Whether a walsender has refused a message because of its kind alone, without a look into it.
   */
  private static boolean isForbiddenByWalsender(Throwable thrown) {
    ServerErrorMessage message = of(thrown);
    return message != null && WALSENDER_REFUSAL.equals(message.getRoutine());
  }

  /** Returns whether the server ends the session with that. */
  static boolean endSession(Throwable thrown) {
    ServerErrorMessage message = of(thrown);
    String severity = message == null ? null : message.getSeverity();
    return "FATAL".equals(severity) || "PANIC".equals(severity);
  }
}
