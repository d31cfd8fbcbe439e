package dev.larder.radar;

/**
 * What was written of a table: by one process since it began, by several of them together, or
 * between two moments. Immutable.
 *
 * @param table the topmost of its tree
 * @param changed rows inserted or updated, at most
 * @param removed rows deleted, at most
 * @param changedUnreported those of them that the server may not have been told of
 * @param removedUnreported as {@code changedUnreported}
 * @param doubts how often it may have been written by rows that nobody counted
 * @param open how many of these the server may not have been told of
 * @param conflicts whether rows may be counted that were taken back
 * @param underWay whether it is being written
 */
public record TableRows(
    long table,
    long changed,
    long removed,
    long changedUnreported,
    long removedUnreported,
    long doubts,
    long open,
    boolean conflicts,
    boolean underWay) {
  static final TableRows NONE = new TableRows(0, 0, 0, 0, 0, 0, 0, false, false);

  static TableRows counted(long table, long changed, long removed, boolean conflicts) {
    return new TableRows(table, changed, removed, changed, removed, 0, 0, conflicts, false);
  }

  static TableRows uncounted(long table) {
    return new TableRows(table, 0, 0, 0, 0, 1, 1, false, false);
  }

  /** Returns the sum of these rows and others, those of the same table or of any. */
  TableRows and(TableRows other) {
    return new TableRows(
        table,
        changed + other.changed,
        removed + other.removed,
        changedUnreported + other.changedUnreported,
        removedUnreported + other.removedUnreported,
        doubts + other.doubts,
        open + other.open,
        conflicts || other.conflicts,
        underWay || other.underWay);
  }

  /** Returns what to add once the server has been told of these rows. */
  TableRows told() {
    return new TableRows(
        table, 0, 0, -changedUnreported, -removedUnreported, 0, -open, false, false);
  }

  /** Returns what to add once the server has been told of the uncounted ones among these rows. */
  TableRows toldOfUncounted() {
    return new TableRows(table, 0, 0, 0, 0, 0, -open, false, false);
  }

  /** Returns the same as rows of a process that is gone: nothing is open or under way any more. */
  TableRows ended() {
    return new TableRows(
        table, changed, removed, changedUnreported, removedUnreported, doubts, 0, conflicts, false);
  }
}
