package dev.larder.sql;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that is done to rows of a relation. Immutable.
 *
 * @param cascade whether the statement says CASCADE (TRUNCATE)
 * @param set the columns that an UPDATE may set, or null where it may be any
 */
public record RowWrite(WriteEvent event, boolean cascade, @Nullable Set<String> set) {
  /** Returns an event of which no more is known. */
  public static RowWrite of(WriteEvent event) {
    return new RowWrite(event, false, null);
  }
}
