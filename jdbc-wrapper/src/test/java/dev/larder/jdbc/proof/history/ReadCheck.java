package dev.larder.jdbc.proof.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether there was an instant between the invocation and the return of a read at which the
 * database held what the read saw. Each row that was seen says during which versions of its line it
 * was there, and so does each that was missed; what somebody had been told of before the invocation
 * is a lower bound, and so is, for each version, what must be visible with it. The least versions
 * that satisfy all lower bounds are found by raising them until nothing changes: there was such an
 * instant if they are within the upper bounds. Used by one thread.
 */
final class ReadCheck {
  private static final int LINES = Line.count();

  private final LineHistory[] lines;
  private final int[] low = new int[LINES];
  private final int[] high = new int[LINES];
  private final int[] absent = new int[LINES];
  private final int[] covered = new int[LINES];
  private final boolean[] read = new boolean[LINES];

  ReadCheck(LineHistory[] lines) {
    this.lines = lines;
  }

  /**
   * Checks one read.
   *
   * @param toldAt from {@code offset} on, the versions that somebody had been told of at invocation
   * @param told is raised to what this read has told
   * @return the rule that is broken, or null
   */
  @Nullable String check(HistoryLog log, int at, long[] toldAt, int offset, long[] told) {
    begin();
    int end = at + HistoryLog.READ_HEADER + 2 * (int) log.reads[at + 3];
    for (int i = at + HistoryLog.READ_HEADER; i < end; i += 2) {
      String broken = observe(log.reads[i], log.reads[i + 1]);
      if (broken != null) {
        return broken;
      }
    }
    boolean snapshot = (log.reads[at + 3] & 1L << 32) != 0;
    String broken = bound(log.reads[at + 1], log.reads[at + 2], snapshot);
    broken = broken == null ? raiseTo(toldAt, offset) : broken;
    broken = broken == null ? raiseTogether() : broken;
    for (int l = 0; broken == null && l < LINES; l++) {
      if (read[l]) {
        told[l] = Math.max(told[l], lines[l].base() + low[l]);
      }
    }
    return broken;
  }

  boolean hasRead(int line) {
    return read[line];
  }

  /** Returns the least version of a line that was read. */
  long seen(int line) {
    return lines[line].base() + low[line];
  }

  private void begin() {
    Arrays.fill(low, 0);
    Arrays.fill(absent, 0);
    Arrays.fill(covered, 0);
    Arrays.fill(read, false);
    for (int l = 0; l < LINES; l++) {
      high[l] = lines[l].last();
    }
  }

  private @Nullable String observe(long packed, long id) {
    int l = HistoryLog.lineOf(packed);
    int slot = HistoryLog.slotOf(packed);
    long version = HistoryLog.versionOf(packed);
    switch (slot) {
      case HistoryLog.COVERED -> {
        read[l] = true;
        absent[l] |= covered[l];
        covered[l] = (int) version;
        return null;
      }
      case HistoryLog.MAXIMUM -> {
        return sums(l, version, id);
      }
      case HistoryLog.TOTAL -> {
        boolean same =
            low[l] == high[l]
                && Integer.bitCount(lines[l].present[low[l]]) == version
                && lines[l].sumOfVersions[low[l]] == id;
        return same ? null : "a number of rows that the table never had at that version";
      }
      default -> {
        return row(l, slot, version, id);
      }
    }
  }

  private @Nullable String sums(int l, long version, long sumOfIds) {
    read[l] = true;
    int index = lines[l].indexOf(version);
    if (index < 0) {
      return version < lines[l].base() ? STALE : "a version that was never committed";
    }
    low[l] = Math.max(low[l], index);
    high[l] = Math.min(high[l], index);
    return lines[l].sumOfIds[index] == sumOfIds
        ? null
        : "rows of different versions, or of a transaction that was rolled back, in one sum";
  }

  private @Nullable String row(int l, int slot, long version, long id) {
    read[l] = true;
    covered[l] &= ~(1 << slot);
    int index = lines[l].writerOf(slot, version, id);
    if (index < 0) {
      return version <= lines[l].base()
          ? STALE
          : "a row that no committed transaction wrote: an aborted id, or a mixture";
    }
    low[l] = Math.max(low[l], index);
    high[l] = Math.min(high[l], lines[l].lastWith(index, slot));
    return null;
  }

  static final String STALE = "older than what somebody had been told of before the read began";

  /** Checks each line for itself: is there one version for all its rows, and had it been sent? */
  private @Nullable String bound(long invoked, long returned, boolean snapshot) {
    for (int l = 0; l < LINES; l++) {
      absent[l] |= covered[l];
      if (!read[l]) {
        continue;
      }
      if (snapshot && absent[l] != 0 && isRewritten(l, invoked)) {
        absent[l] = 0; // PostgreSQL shows the table empty to snapshots from before.
      }
      skipWithout(l);
      if (low[l] > high[l]) {
        return "rows of one table that never existed together";
      }
      if (lines[l].sent[low[l]] > returned) {
        return "newer than anything that had been sent when the read returned";
      }
    }
    return null;
  }

  private boolean isRewritten(int l, long since) {
    for (int i = lines[l].last(); i > 0 && lines[l].acked[i] >= since; i--) {
      if (lines[l].rewrites[i]) {
        return true;
      }
    }
    return false;
  }

  /** Raises the lower bound to a version in which nothing exists that was missing. */
  private void skipWithout(int l) {
    while (low[l] <= high[l] && (lines[l].present[low[l]] & absent[l]) != 0) {
      low[l]++;
    }
  }

  private @Nullable String raiseTo(long[] toldAt, int offset) {
    for (int l = 0; l < LINES; l++) {
      if (read[l]) {
        low[l] = Math.max(low[l], (int) (toldAt[offset + l] - lines[l].base()));
        skipWithout(l);
        if (low[l] > high[l]) {
          return STALE;
        }
      }
    }
    return null;
  }

  private @Nullable String raiseTogether() {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int l = 0; l < LINES; l++) {
        for (int other = 0; read[l] && other < LINES; other++) {
          int least = (int) (lines[l].dependency(low[l], other) - lines[other].base());
          if (other != l && read[other] && least > low[other]) {
            low[other] = least;
            skipWithout(other);
            changed = true;
            if (low[other] > high[other]) {
              return "tables of different instants in one result or snapshot";
            }
          }
        }
      }
    }
    return null;
  }
}
