package dev.larder.radar;

/**
 * What one process has written of a table since it began. Immutable.
 *
 * @param table the topmost of its tree
 * @param changed rows inserted or updated, at most
 * @param removed rows deleted, at most
 * @param changedUnreported those of them that the server may not have been told of
 * @param removedUnreported as {@code changedUnreported}
 * @param doubts how often it may have been written by rows that nobody counted
 * @param open whether the server may not have been told of such
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
    boolean open,
    boolean conflicts,
    boolean underWay) {
  static final TableRows NONE = new TableRows(0, 0, 0, 0, 0, 0, false, false, false);
}
