package dev.larder.engine;

import dev.larder.store.SessionFingerprint;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The roles whose sessions have asked a query and got no hit: each has at first, as its role is
 * part of the key. Thread-safe; threads that race may lose a role, which is noted at its next miss.
 */
final class AskingRoles {
  /** Of further ones it is not known that they have asked. */
  private static final int MOST = 100;

  private volatile Set<String> roles = Set.of();

  /** Notes the role of a session, if its settings are known. */
  void add(@Nullable SessionFingerprint session) {
    Set<String> known = roles;
    if (session != null && known.size() < MOST && !known.contains(session.currentUser())) {
      Set<String> more = new HashSet<>(known);
      more.add(session.currentUser());
      roles = Set.copyOf(more);
    }
  }

  /** Returns whether a session of the role is known to have asked. */
  boolean contains(String role) {
    return roles.contains(role);
  }
}
