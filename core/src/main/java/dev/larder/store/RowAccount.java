package dev.larder.store;

import java.util.HashSet;
import java.util.Set;

/**
 * What a write adds to the server's counts of changed rows, by which the radar tells external
 * writers apart. Tables are the topmost of their trees, by object identifier. Immutable.
 *
 * @param table whose rows the statement counts; 0 for none
 * @param changes whether each of them is counted as inserted or updated
 * @param removes whether each of them may be counted as deleted
 * @param conflicts whether rows may be counted that were taken back: ON CONFLICT
 * @param uncounted other tables whose rows may be written and nobody counts; 0 for any table
 */
public record RowAccount(
    long table, boolean changes, boolean removes, boolean conflicts, Set<Long> uncounted) {
  /** Stands for every table. */
  public static final long ANY = 0;

  /** Nothing is written. */
  public static final RowAccount NONE = new RowAccount(0, false, false, false, Set.of());

  /** Anything may be written. */
  public static final RowAccount UNKNOWN = uncounted(Set.of(ANY));

  public RowAccount {
    uncounted = Set.copyOf(uncounted);
  }

  /** Rows of these tables may be written, and nobody counts them. */
  public static RowAccount uncounted(Set<Long> tables) {
    return new RowAccount(0, false, false, false, tables);
  }

  /** Returns whether nothing is written. */
  public boolean isEmpty() {
    return table == 0 && uncounted.isEmpty();
  }

  /** Returns everything that this writes, as rows that nobody counts. */
  public RowAccount withoutCount() {
    if (table == 0) {
      return this;
    }
    Set<Long> all = new HashSet<>(uncounted);
    all.add(table);
    return uncounted(all);
  }

  /** Returns what this and {@code other} write; counted only where both are the same. */
  public RowAccount and(RowAccount other) {
    if (isEmpty() || equals(other)) {
      return other;
    }
    if (other.isEmpty()) {
      return this;
    }
    Set<Long> all = new HashSet<>(withoutCount().uncounted);
    all.addAll(other.withoutCount().uncounted);
    return uncounted(all);
  }
}
