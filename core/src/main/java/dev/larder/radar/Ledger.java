package dev.larder.radar;

import dev.larder.watch.RadarSample;
import java.util.Set;

/**
 * Compares the server's counts of one table with what Larder wrote. Not thread-safe.
 *
 * <p>Be S what the server has counted, O what Larder has written so far, and R what of that the
 * server has surely been told. While nobody else writes, S − O differs from a constant only by what
 * the server has not been told yet: the constant is at least S − O and at most S − R, at any
 * moment. So the least S − R seen is an upper bound of it, and an S − O above that bound is
 * somebody else's rows; how many, at least, is the difference. O is read after S, and only while no
 * write is under way that may have been counted already, R before S; so neither a late report nor a
 * write in between looks like somebody else's.
 *
 * <p>The bound is lost, and found anew, when Larder itself has written rows that it cannot count,
 * as those of a trigger: from before such a statement until its session has surely reported nothing
 * is decided.
 */
final class Ledger {
  private boolean known;
  private long doubts;
  private long changedBound;
  private long removedBound;
  private long changed;
  private long removed;
  private Set<Long> blank = Set.of();

  /**
   * What was found out.
   *
   * @param rows how many rows others have written, at least
   * @param emptied whether others have emptied the table, or filled it anew
   * @param blind whether nothing could be decided
   */
  record Finding(long rows, boolean emptied, boolean blind) {
    static final Finding NOTHING = new Finding(0, false, false);
    static final Finding BLIND = new Finding(0, false, true);
  }

  /** Forgets everything: the statistics have begun anew, or a process is gone. */
  void forget() {
    known = false;
  }

  /**
   * Compares.
   *
   * @param counts what the server said
   * @param before what Larder had written before that
   * @param after what it has written by a moment after that
   */
  Finding compare(RadarSample.Table counts, Totals before, Totals after) {
    boolean lower = counts.changed() < changed || counts.removed() < removed;
    boolean doubted = before.open() || before.doubts() != after.doubts();
    changed = counts.changed();
    removed = counts.removed();
    long changedMost = counts.changed() - before.changedReported();
    long removedMost = counts.removed() - before.removedReported();
    if (!known || lower || doubted || doubts != before.doubts()) {
      known = !doubted;
      doubts = before.doubts();
      changedBound = changedMost;
      removedBound = removedMost;
      blank = counts.blank();
      return Finding.BLIND;
    }
    changedBound = Math.min(changedBound, changedMost);
    removedBound = Math.min(removedBound, removedMost);
    long changedMore = Math.max(0, counts.changed() - after.changed() - changedBound);
    long removedMore = Math.max(0, counts.removed() - after.removed() - removedBound);
    changedBound += changedMore;
    removedBound += removedMore;
    boolean emptied = !blank.containsAll(counts.blank());
    blank = counts.blank();
    // A row that ON CONFLICT takes back is counted twice: as inserted, and as deleted.
    long rows =
        after.conflicts() ? Math.max(0, changedMore - removedMore) : changedMore + removedMore;
    return rows == 0 && !emptied ? Finding.NOTHING : new Finding(rows, emptied, false);
  }

  /**
   * What all processes of Larder's that count have written of a table.
   *
   * @param changedReported what the server has surely been told of {@code changed}
   * @param doubts how often nobody has counted
   */
  record Totals(
      long changed,
      long removed,
      long changedReported,
      long removedReported,
      long doubts,
      boolean open,
      boolean conflicts,
      boolean underWay) {
    static final Totals NONE = new Totals(0, 0, 0, 0, 0, false, false, false);

    /** Adds the rows of a table, or the doubts about all tables, of one process. */
    Totals and(TableRows rows) {
      return new Totals(
          changed + rows.changed(),
          removed + rows.removed(),
          changedReported + rows.changed() - rows.changedUnreported(),
          removedReported + rows.removed() - rows.removedUnreported(),
          doubts + rows.doubts(),
          open || rows.open(),
          conflicts || rows.conflicts(),
          underWay || rows.underWay());
    }
  }
}
