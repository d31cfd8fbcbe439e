package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.sql.SqlAnalysis;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import java.util.Set;

/**
 * What statements mean in a session with temporary objects that they do not name: what they mean
 * without these. Immutable and thread-safe.
 */
public final class BesideTemporary {
  /** What shows names as the search path has them: of a hidden object with its schema. */
  private static final Set<String> SHOW_NAMES = Set.of("current_schema", "pg_typeof", "regclass");

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

  /** Returns the search path of the session itself. */
  public List<String> searchPath() {
    return of.searchPath();
  }

  /** Returns the settings of the session, without its temporary schema in the search path. */
  public SessionFingerprint settings() {
    return settings;
  }

  /** Returns whether the statements name no temporary object, and show no names themselves. */
  boolean hidesNothingOf(SqlAnalysis analysis) {
    return analysis.statements().stream()
        .flatMap(statement -> statement.identifiers().stream())
        .noneMatch(name -> names.contains(name) || SHOW_NAMES.contains(name));
  }

  /**
   * Returns whether nothing that a statement reads may name or show names: it calls no routine of a
   * user's, and reads no view and no table with policies.
   */
  static boolean areTablesAlone(ResolvedStatement statement, CatalogVersion catalog) {
    return statement.told()
        && statement.relations().stream()
            .map(oid -> catalog.relation(Math.abs(oid)))
            .allMatch(each -> each != null && each.hasRows() && !each.rowSecurity());
  }
}
