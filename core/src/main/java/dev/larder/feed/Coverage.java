package dev.larder.feed;

import java.util.Map;
import java.util.Set;

/**
 * Which tables a feed tells of. Immutable; {@link #UNKNOWN} is the only one that knows of none.
 *
 * @param covered the names of the tables, {@code schema.table}, each write of which it tells of
 * @param uncovered why not, of the others that are known
 */
public record Coverage(Set<String> covered, Map<String, Gap> uncovered) {
  /** Of a feed that does not know yet. */
  public static final Coverage UNKNOWN = new Coverage(Set.of(), Map.of());

  /**
   * Why a feed does not tell of a table.
   *
   * @param because in words
   * @param cure as SQL, or in words; empty where there is none
   */
  public record Gap(String because, String cure) {}

  public Coverage {
    covered = Set.copyOf(covered);
    uncovered = Map.copyOf(uncovered);
  }

  /** Returns whether it is known that the feed does not tell of {@code table}. */
  @SuppressWarnings("ReferenceEquality") // One that was found may be as empty.
  public boolean lacks(String table) {
    return this != UNKNOWN && !covered.contains(table);
  }
}
