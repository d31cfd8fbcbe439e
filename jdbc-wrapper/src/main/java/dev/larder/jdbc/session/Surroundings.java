package dev.larder.jdbc.session;

import dev.larder.store.SessionFingerprint;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What decides, besides itself, what a text means that is parsed: settings, and the catalog. The
 * search path is not among it, as the server parses again what was parsed under another. Immutable.
 *
 * @param settings those that are no custom ones, or null where they are unknown
 * @param catalog the mark of the catalog, or null where none was read yet
 */
record Surroundings(@Nullable Map<String, String> settings, @Nullable Object catalog) {
  /** Nothing is known of them. */
  static final Surroundings UNKNOWN = new Surroundings(null, null);

  /** Returns those of a session with these settings. */
  static Surroundings of(@Nullable SessionFingerprint session, @Nullable Object catalog) {
    return new Surroundings(session == null ? null : session.ordinary(), catalog);
  }
}
