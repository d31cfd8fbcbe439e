package dev.larder.radar;

import dev.larder.watch.RadarSample;
import java.util.Set;

/**
 * Compares the server's counts of one table with what Larder wrote. Not thread-safe.
 *
 * <p>Be S what the server has counted, O what Larder has written, and R what of that the server has
 * surely been told. While nobody else writes, S − O differs from a constant only by what the server
 * has not been told yet: the constant is between S − O and S − R at any moment. So the least S − R
 * seen is an upper bound of it, and what S − O is above that bound are somebody else's rows. O is
 * read after S, while no write is under way that may be counted already, and R before S; so neither
 * a late report nor a write in between looks like somebody else's.
 *
 * <p>The bound is found anew when Larder has written rows that it cannot count, as those of a
 * trigger: nothing is decided from before such a statement until its session has surely reported.
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
   * A finding.
   *
   * @param rows how many rows others have written, at least
   * @param emptied whether others have emptied the table, or filled it anew
   * @param blind whether nothing could be decided
   */
  record Finding(long rows, boolean emptied, boolean blind) {
    static final Finding NOTHING = new Finding(0, false, false);
    static final Finding BLIND = new Finding(0, false, true);
  }

  /** Forgets the bound. */
  void forget() {
    known = false;
  }

  /** Compares the server's counts with what Larder had written before and after they were read. */
  Finding compare(RadarSample.Table counts, TableRows before, TableRows after) {
    boolean lower = counts.changed() < changed || counts.removed() < removed;
    boolean doubted = before.open() > 0 || before.doubts() != after.doubts();
    changed = counts.changed();
    removed = counts.removed();
    long changedMost = counts.changed() - before.changed() + before.changedUnreported();
    long removedMost = counts.removed() - before.removed() + before.removedUnreported();
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
}
