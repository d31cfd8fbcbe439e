package dev.larder.jdbc.session;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.log.CacheLog;
import org.jspecify.annotations.Nullable;

/** Why a session uses no cache from its beginning. Stateless. */
final class Refusals {
  private Refusals() {}

  /** Returns why the driver or the server forbids a cache, or null; warns of the driver. */
  static @Nullable BypassReason of(PostgresSession session, SessionFacts facts) {
    String unsupported = PostgresResults.unsupportedReason(session.driver());
    if (unsupported == null) {
      return facts.audited() ? BypassReason.AUDITED : null;
    }
    CacheLog.trouble(CacheLog.Trouble.DRIVER, unsupported);
    return BypassReason.DRIVER;
  }

  static void warnOfPooler(SessionFacts facts) {
    CacheLog.trouble(
        CacheLog.Trouble.TRANSACTION_POOLER,
        "another process than " + facts.backend().pid() + " was to serve the session");
  }
}
