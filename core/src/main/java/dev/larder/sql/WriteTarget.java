package dev.larder.sql;

import java.util.Set;

/**
 * A relation that a statement names as its target.
 *
 * @param relation the target as written
 * @param events what may happen to its rows; never empty
 * @param cascade whether the statement says CASCADE (TRUNCATE)
 */
public record WriteTarget(RelationName relation, Set<WriteEvent> events, boolean cascade) {
  public WriteTarget {
    events = Set.copyOf(events);
  }
}
