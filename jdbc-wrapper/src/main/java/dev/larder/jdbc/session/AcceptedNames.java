package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.sql.SessionCommand;
import dev.larder.store.SessionFingerprint;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The custom settings that the server is sure to accept from a role, whatever the value: the
 * session has them, and no module defines what they may be. Confined to the thread that uses the
 * connection.
 */
final class AcceptedNames {
  private static final int MAX = 256;

  /** A name in the hands of a role. */
  private record Given(String name, String role) {}

  private final Set<Given> accepted = new HashSet<>();

  /** Names that no module of the session defines. */
  private Set<String> free = Set.of();

  private boolean logged;

  /** Takes over what the session has answered. */
  void read(SessionFacts facts, boolean inTransaction) {
    Set<String> names = new HashSet<>(facts.settings().keySet());
    names.removeAll(facts.namesOfModules());
    free = names;
    if (!inTransaction) {
      logged = facts.logged();
    }
  }

  /** Notes what has run, for the session as it is now. */
  void ran(Sent sent, @Nullable SessionFingerprint now) {
    SessionCommand set = sent.failed() || now == null ? null : sent.onlySet();
    if (set != null && now != null && set.name().indexOf('.') > 0 && accepted.size() < MAX) {
      accepted.add(new Given(set.name(), now.currentUser()));
    }
  }

  /** Returns whether {@code role} may set {@code name} unseen. */
  boolean has(String name, String role) {
    return !logged
        && !name.startsWith("plpgsql.")
        && free.contains(name)
        && accepted.contains(new Given(name, role));
  }

  /** Returns the names that {@code role} may set unseen. */
  Set<String> of(String role) {
    return accepted.isEmpty()
        ? Set.of()
        : accepted.stream()
            .map(Given::name)
            .filter(name -> has(name, role))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the settings that no module of the session defines. */
  Set<String> free() {
    return free;
  }
}
