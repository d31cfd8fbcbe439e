package dev.larder.sql;

import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A relation that a statement names as its target.
 *
 * @param relation the target as written
 * @param events what may happen to its rows; never empty
 * @param cascade whether the statement says CASCADE (TRUNCATE)
 * @param set the columns that an UPDATE may set, or null where it may be any
 */
public record WriteTarget(
    RelationName relation, Set<WriteEvent> events, boolean cascade, @Nullable Set<String> set) {
  public WriteTarget {
    events = Set.copyOf(events);
    set = set == null ? null : Set.copyOf(set);
  }

  /** Returns what may happen to its rows. */
  public Stream<RowWrite> writes() {
    return events.stream().map(event -> new RowWrite(event, cascade, set));
  }
}
