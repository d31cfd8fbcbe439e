package dev.larder.jdbc.proof.history;

import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import java.util.Map;
import java.util.TreeMap;

/** How much of a history was checked. Used by one thread. */
public final class HistoryCounts {
  long reads;
  long concurrentReads;
  long anomalies;
  private long commits;
  private long lost;
  private final Map<Integer, Long> kinds = new TreeMap<>();

  void committed(Outcome outcome, int kind) {
    commits++;
    lost += outcome == Outcome.UNKNOWN ? 1 : 0;
    kinds.merge(kind, 1L, Long::sum);
  }

  /** Returns how many reads were checked; a transaction that reads from one snapshot is one. */
  public long reads() {
    return reads;
  }

  /** Returns how many of them overlapped the commit of a writer. */
  public long concurrentReads() {
    return concurrentReads;
  }

  /** Returns how many versions of tables were committed. */
  public long commits() {
    return commits;
  }

  /** Returns how many of these were committed though the connection was lost. */
  public long lostCommits() {
    return lost;
  }

  /** Returns how many reads were wrong. */
  public long anomalies() {
    return anomalies;
  }

  /** Returns how many versions each kind of transaction committed. */
  public Map<Integer, Long> kinds() {
    return Map.copyOf(kinds);
  }
}
