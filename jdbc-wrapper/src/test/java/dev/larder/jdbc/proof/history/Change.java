package dev.larder.jdbc.proof.history;

import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction writes: for each line its version there, and the slots that it wrote or
 * deleted. Confined to its thread.
 */
public final class Change {
  private final long id;
  private final int kind;
  private final long[] versions = new long[Line.count()];
  private final int[] written = new int[Line.count()];
  private final int[] deleted = new int[Line.count()];
  private boolean rewrites;

  /**
   * Creates one that has written nothing yet.
   *
   * @param id stored in every row that it writes
   * @param kind what sort of transaction it is, for messages
   */
  public Change(long id, int kind) {
    this.id = id;
    this.kind = kind;
  }

  /** Returns the unique id. */
  public long id() {
    return id;
  }

  int kind() {
    return kind;
  }

  /** Notes that the counter of a line was bumped to {@code version}. */
  public void bumped(Line line, long version) {
    versions[line.ordinal()] = version;
    written[line.ordinal()] |= 1;
  }

  /** Notes that a slot holds this transaction's id. */
  public void wrote(Line line, int slot) {
    written[line.ordinal()] |= 1 << slot;
    deleted[line.ordinal()] &= ~(1 << slot);
  }

  /** Notes that a slot is gone. */
  public void deleted(Line line, int slot) {
    written[line.ordinal()] |= 1 << slot;
    deleted[line.ordinal()] |= 1 << slot;
  }

  /** Notes that a member of a list holds this transaction's id, and is in no other list. */
  public void wroteMember(int key, int list) {
    deletedMember(key);
    wrote(Line.LISTED, Line.member(key, list));
  }

  /** Notes that a member is in no list. */
  public void deletedMember(int key) {
    for (int list = 0; list < Line.LISTS; list++) {
      deleted(Line.LISTED, Line.member(key, list));
    }
  }

  /** Returns whether one of the slots was written. */
  public boolean has(Line line, int slots) {
    return (written[line.ordinal()] & slots) != 0;
  }

  /** Notes that the table was truncated or rewritten, which older snapshots see as empty. */
  public void rewrote() {
    rewrites = true;
  }

  /** Returns whether the line was written. */
  public boolean has(Line line) {
    return versions[line.ordinal()] != 0;
  }

  /** Returns the version of the line. */
  public long version(Line line) {
    return versions[line.ordinal()];
  }

  /**
   * Returns what contradicts this, its own transaction, in what a log observed from a position on,
   * or null.
   */
  public @Nullable String contradiction(HistoryLog log, int from) {
    int[] missing = new int[Line.count()];
    for (int i = from; i < log.position(); i += 2) {
      long row = log.reads[i];
      int line = HistoryLog.lineOf(row);
      int slot = HistoryLog.slotOf(row);
      if (slot == HistoryLog.COVERED) {
        missing[line] = (int) HistoryLog.versionOf(row) & written[line] & ~deleted[line];
      } else if (slot < Line.MOST_SLOTS && (written[line] & 1 << slot) != 0) {
        missing[line] &= ~(1 << slot);
        boolean own = HistoryLog.versionOf(row) == versions[line] && log.reads[i + 1] == id;
        if (!own || (deleted[line] & 1 << slot) != 0) {
          return HistoryLog.describe(row, log.reads[i + 1]);
        }
      }
    }
    for (int line = 0; line < missing.length; line++) {
      if (missing[line] != 0) {
        return "without slots " + Integer.toBinaryString(missing[line]) + " of " + Line.of(line);
      }
    }
    return null;
  }

  /**
   * Returns whether a log observed from a position on an id that this, rolled back, has written.
   */
  public boolean isSeenIn(HistoryLog log, int from) {
    for (int i = from; i < log.position(); i += 2) {
      if (HistoryLog.slotOf(log.reads[i]) < Line.MOST_SLOTS && log.reads[i + 1] == id) {
        return true;
      }
    }
    return false;
  }

  boolean rewrites() {
    return rewrites;
  }

  long version(int line) {
    return versions[line];
  }

  int written(int line) {
    return written[line];
  }

  int deleted(int line) {
    return deleted[line];
  }

  /** Writes everything to the log. */
  public void log(HistoryLog log, long sentNanos, long ackedNanos, Outcome outcome) {
    for (int line = 0; line < versions.length; line++) {
      if (versions[line] != 0) {
        log.write(this, line, sentNanos, ackedNanos, outcome);
      }
    }
  }
}
