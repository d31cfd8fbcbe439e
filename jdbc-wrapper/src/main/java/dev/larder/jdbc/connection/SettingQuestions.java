package dev.larder.jdbc.connection;

import dev.larder.engine.CacheCount;
import dev.larder.engine.Plan;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.session.SessionState;
import dev.larder.log.CacheLog;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the settings of a session, after what was held back, counts how often, and says which
 * statement is the cause of many questions. Confined to the thread that uses the connection.
 */
final class SettingQuestions {
  /** So many transactions end before their questions are judged. */
  private static final long TRANSACTIONS = 200;

  /** One question in so many transactions is no trouble. */
  private static final long TRANSACTIONS_OF_A_QUESTION = 100;

  private final PhysicalConnection physical;
  private final SessionState state;

  /** How often the server was asked because of a text, since the count began. */
  private long asked;

  /** How many transactions had ended when the count began. */
  private long since;

  SettingQuestions(PhysicalConnection physical) {
    this.physical = physical;
    this.state = physical.state();
  }

  /** As {@link SessionState#ask}, where the settings are unknown. */
  @Nullable SessionFingerprint ask(boolean hasWritten, boolean toLook, StatementKinds next)
      throws SQLException {
    if (!physical.isIdleAtServer() && next.mustComeFirst()) {
      return null; // A question would take a snapshot before.
    }
    physical.sender().held().beforeSending(null);
    long before = physical.session().questions();
    try {
      return state.ask(hasWritten, toLook);
    } finally {
      if (physical.session().questions() != before) {
        physical.cache().count(CacheCount.SETTING_QUESTIONS);
        judge();
      }
    }
  }

  /** Says of a text that it has the server asked in more than one of a hundred transactions. */
  private void judge() {
    Plan cause = physical.effects().lastToSet();
    if (!state.takeUnfollowed() || cause == null) {
      return; // The session is new, or the catalog has changed.
    }
    asked++;
    long ended = physical.transaction().endings() - since;
    if (ended < TRANSACTIONS) {
      return;
    }
    if (asked * TRANSACTIONS_OF_A_QUESTION > ended) {
      physical
          .cache()
          .sayOnce(
              CacheLog.Trouble.SETTINGS_ASKED_FOR,
              ": in %d of %d transactions, now because of %s"
                  .formatted(asked, ended, cause.shape().shape().shownText()));
    }
    since += ended;
    asked = 0;
  }
}
