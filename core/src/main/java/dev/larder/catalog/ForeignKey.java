package dev.larder.catalog;

import dev.larder.sql.WriteEvent;
import org.jspecify.annotations.Nullable;

/**
 * A foreign key, seen from the table that it references.
 *
 * @param child the table that references
 * @param onDelete {@code pg_constraint.confdeltype}
 * @param onUpdate {@code pg_constraint.confupdtype}
 * @param copied whether it was made for a partition from its parent's key
 */
record ForeignKey(Relation child, char onDelete, char onUpdate, boolean copied) {

  /** Returns what {@code event} on the referenced table does to {@link #child}, or null. */
  @Nullable WriteEvent follows(WriteEvent event, boolean cascade) {
    return switch (event) {
      case DELETE -> onDelete == 'c' ? WriteEvent.DELETE : sets(onDelete);
      case UPDATE -> onUpdate == 'c' ? WriteEvent.UPDATE : sets(onUpdate);
      case TRUNCATE -> cascade ? WriteEvent.TRUNCATE : null;
      case INSERT, REFRESH -> null;
    };
  }

  private static @Nullable WriteEvent sets(char action) {
    return action == 'n' || action == 'd' ? WriteEvent.UPDATE : null;
  }
}
