package dev.larder.engine;

import dev.larder.sql.SqlAnalysis;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import java.util.Set;

/**
 * What statements mean in a session with temporary objects that they do not name: what they mean
 * without these. Immutable and thread-safe.
 */
public final class BesideTemporary {
  private final Set<String> names;
  private final SessionFingerprint of;
  private final SessionFingerprint settings;

  /**
   * Creates it.
   *
   * @param names what all that is temporary there is called
   * @param session the session's settings
   */
  public BesideTemporary(Set<String> names, SessionFingerprint session) {
    this.names = names;
    this.of = session;
    List<String> path = session.searchPath();
    this.settings =
        session.searching(path.stream().filter(each -> !each.startsWith("pg_temp")).toList());
  }

  /** Returns whether it was made of these very objects. */
  @SuppressWarnings("ReferenceEquality") // Equal ones are made anew.
  public boolean isOf(Set<String> otherNames, SessionFingerprint session) {
    return names == otherNames && of == session;
  }

  /** Returns the settings of the session, without its temporary schema in the search path. */
  public SessionFingerprint settings() {
    return settings;
  }

  /** Returns whether none of the statements names a temporary object. */
  public boolean hidesNothingOf(SqlAnalysis analysis) {
    return analysis.statements().stream()
        .allMatch(statement -> statement.identifiers().stream().noneMatch(names::contains));
  }
}
