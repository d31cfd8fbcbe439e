package dev.larder.jdbc.connection;

import dev.larder.engine.CacheCount;
import dev.larder.jdbc.session.SessionState;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the settings of a session, after what was held back, and counts how often. Confined to
 * the thread that uses the connection.
 */
final class SettingQuestions {
  private final PhysicalConnection physical;
  private final SessionState state;

  SettingQuestions(PhysicalConnection physical) {
    this.physical = physical;
    this.state = physical.state();
  }

  /** As {@link SessionState#ask}, where the settings are unknown. */
  @Nullable SessionFingerprint ask(boolean hasWritten, boolean toLook) throws SQLException {
    physical.sender().held().beforeSending(null);
    long before = physical.session().questions();
    try {
      return state.ask(hasWritten, toLook);
    } finally {
      if (physical.session().questions() != before) {
        physical.cache().count(CacheCount.SETTING_QUESTIONS);
      }
    }
  }
}
