package dev.larder.jdbc.session;

import dev.larder.catalog.CatalogVersion;
import dev.larder.code.PlannedReads;
import dev.larder.store.SessionFingerprint;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What decides, besides itself, what a text means that is parsed: settings, and the catalog. The
 * search path is not among it, as the server parses again what was parsed under another. Immutable.
 *
 * @param settings those that are no custom ones, and what routines read that are declared IMMUTABLE
 *     although they do; or null where they are unknown
 * @param catalog the mark of the catalog, or null where none was read yet
 */
record Surroundings(@Nullable Map<String, String> settings, @Nullable Object catalog) {
  /** Nothing is known of them. */
  static final Surroundings UNKNOWN = new Surroundings(null, null);

  /** Returns those of a session with these settings. */
  static Surroundings of(@Nullable SessionFingerprint session, @Nullable CatalogVersion catalog) {
    if (session == null || catalog == null) {
      return new Surroundings(
          session == null ? null : session.ordinary(), catalog == null ? null : catalog.mark());
    }
    PlannedReads planned = catalog.bodies().planned();
    Map<String, String> settings = session.ordinary();
    if (!planned.isEmpty()) {
      settings = new TreeMap<>(settings);
      for (String name : planned.settings()) {
        settings.put(name, session.settings().getOrDefault(name, ""));
      }
      if (planned.users()) {
        settings.put("session_user", session.sessionUser());
        settings.put("current_user", session.currentUser());
      }
    }
    return new Surroundings(settings, catalog.mark());
  }
}
