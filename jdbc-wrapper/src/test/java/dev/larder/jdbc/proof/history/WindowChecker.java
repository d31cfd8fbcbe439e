package dev.larder.jdbc.proof.history;

import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks a history window by window. Between two windows nothing is under way, so that each is a
 * history of its own that begins with known rows. What happened is gone through once, in the order
 * of time; each read is checked at its return. Used by one thread.
 *
 * <p>Where staleness is declared, a read may miss what somebody was told of within that time before
 * its invocation, but nothing that its session has written or seen in the same table.
 *
 * <p>Along the way the checker knows for each line the newest version that somebody has been told
 * of, by the acknowledgement of its commit or by a read that returned it: whoever reads later must
 * not see an older one.
 */
public final class WindowChecker {
  private static final int LINES = Line.count();
  private static final int KIND_BITS = 2;
  private static final int INVOKED = 0;
  private static final int SENT = 1;
  private static final int RETURNED = 2;
  private static final int ACKED = 3;

  private static final String BACKWARDS = "older than what its session has written or seen";

  private final LineHistory[] lines = new LineHistory[LINES];
  private final ReadCheck check = new ReadCheck(lines);
  private final Storyteller storyteller;
  private final HistoryCounts counts = new HistoryCounts();
  private final List<Anomaly> anomalies = new ArrayList<>();

  /** The newest version of each line that somebody has been told of. */
  private final long[] told = new long[LINES];

  /** The newest version of each line that each session has written or seen. */
  private final Map<Integer, long[]> toldIn = new HashMap<>();

  /** The session of each transaction of the window, by its id. */
  private final Map<Long, Integer> sessions = new HashMap<>();

  private final long stalenessNanos;

  /** What each transaction of the window wrote, by its id: the version of each line. */
  private final Map<Long, long[]> parts = new HashMap<>();

  private long[] events = new long[1 << 16];
  private int[] logOf = new int[1 << 16];
  private int[] atOf = new int[1 << 16];
  private long[] toldAt = new long[1 << 16];
  private int[] sentAt = new int[1 << 14];
  private int eventCount;
  private int readCount;

  /**
   * Creates a checker of a history that begins with version 1 everywhere.
   *
   * @param names what queries and kinds of writes are called in messages
   * @param stalenessNanos for how long a result may be used after it became outdated
   */
  public WindowChecker(HistoryNames names, long stalenessNanos) {
    this.stalenessNanos = stalenessNanos;
    for (int i = 0; i < LINES; i++) {
      lines[i] = new LineHistory(Line.of(i));
      told[i] = 1;
    }
    storyteller = new Storyteller(names, lines);
  }

  /** Returns what was counted so far. */
  public HistoryCounts counts() {
    return counts;
  }

  /** Returns the anomalies found so far; of many the first. */
  public List<Anomaly> anomalies() {
    return anomalies;
  }

  /**
   * Checks a window and forgets it.
   *
   * @param finalVersions the counters of the lines at the end, by a connection without a cache
   * @throws IllegalStateException if the history is not complete: the checker itself is wrong
   */
  public void check(List<HistoryLog> logs, long[] finalVersions) {
    collectWrites(logs, finalVersions);
    collectEvents(logs);
    sweep(logs);
    for (HistoryLog log : logs) {
      log.violations().forEach(text -> found(new Anomaly("seen by the thread itself", text)));
      log.clear();
    }
    parts.clear();
    sessions.clear();
    for (LineHistory line : lines) {
      line.advance();
    }
  }

  /** Returns a mask of the queries that occur in the logs. */
  public static BitSet queries(List<HistoryLog> logs) {
    BitSet queries = new BitSet();
    for (HistoryLog log : logs) {
      for (int at = 0; at < log.readEnd; ) {
        queries.set((int) log.reads[at]);
        at += HistoryLog.READ_HEADER + 2 * (int) log.reads[at + 3];
      }
    }
    return queries;
  }

  private void found(Anomaly anomaly) {
    counts.anomalies++;
    if (anomalies.size() < 20) {
      anomalies.add(anomaly);
    }
  }

  private void collectWrites(List<HistoryLog> logs, long[] finalVersions) {
    for (Outcome outcome : List.of(Outcome.COMMITTED, Outcome.UNKNOWN)) {
      for (HistoryLog log : logs) {
        for (int at = 0; at < log.writeEnd; at += HistoryLog.WRITE_SIZE) {
          collectWrite(log.writes, at, outcome, finalVersions);
        }
      }
    }
    for (int i = 0; i < LINES; i++) {
      lines[i].complete();
      if (lines[i].lastVersion() != finalVersions[i]) {
        throw new IllegalStateException(
            Line.of(i)
                + " ends with version "
                + finalVersions[i]
                + " but the history with "
                + lines[i].lastVersion());
      }
    }
  }

  /** A transaction whose outcome nobody was told of has happened if its version is there. */
  private void collectWrite(long[] writes, int at, Outcome wanted, long[] finalVersions) {
    Outcome outcome = LineHistory.outcome(writes, at);
    LineHistory line = lines[lineOf(writes, at)];
    if (outcome != wanted) {
      return;
    }
    boolean happened =
        outcome == Outcome.COMMITTED
            || (writes[at + 2] <= finalVersions[lineOf(writes, at)] && !line.has(writes[at + 2]));
    if (happened) {
      line.add(writes, at);
      parts.computeIfAbsent(writes[at], id -> new long[LINES])[lineOf(writes, at)] = writes[at + 2];
      sessions.put(writes[at], (int) (writes[at + 5] >>> 32));
      counts.committed(outcome, (int) writes[at + 5]);
    }
  }

  private static int lineOf(long[] writes, int at) {
    return (int) (writes[at + 1] >>> 32) & 0xff;
  }

  private void collectEvents(List<HistoryLog> logs) {
    eventCount = 0;
    readCount = 0;
    long start = System.nanoTime() - (1L << 38);
    for (int l = 0; l < logs.size(); l++) {
      HistoryLog log = logs.get(l);
      for (int at = 0; at < log.readEnd; ) {
        boolean snapshot = (log.reads[at + 3] & 1L << 32) != 0;
        long bound = log.reads[at + 1] - (snapshot ? 0 : stalenessNanos);
        event(bound - start, INVOKED, l, at);
        event(log.reads[at + 2] - start, RETURNED, l, at);
        readCount++;
        at += HistoryLog.READ_HEADER + 2 * (int) log.reads[at + 3];
      }
    }
    for (int l = 0; l < LINES; l++) {
      for (int i = 1; i <= lines[l].last(); i++) {
        event(lines[l].sent[i] - start, SENT, l, i);
        if (lines[l].acked[i] != LineHistory.NEVER) {
          event(lines[l].acked[i] - start, ACKED, l, i);
        }
      }
    }
    Arrays.sort(events, 0, eventCount);
    int reads = Math.max(readCount, 1);
    toldAt = toldAt.length < reads * LINES ? new long[2 * reads * LINES] : toldAt;
    sentAt = sentAt.length < reads ? new int[2 * reads] : sentAt;
  }

  /** At equal times an invocation comes first and an acknowledgement last: nobody is wronged. */
  private void event(long time, int kind, int log, int at) {
    if (eventCount == logOf.length) {
      events = Arrays.copyOf(events, 2 * eventCount);
      logOf = Arrays.copyOf(logOf, 2 * eventCount);
      atOf = Arrays.copyOf(atOf, 2 * eventCount);
    }
    if (time < 0 || time >>> 39 != 0 || eventCount >= 1 << 22) {
      throw new IllegalStateException("the window is too large to be checked");
    }
    logOf[eventCount] = log;
    atOf[eventCount] = at;
    events[eventCount] = time << 24 | (long) kind << 22 | eventCount;
    eventCount++;
  }

  private void sweep(List<HistoryLog> logs) {
    int sent = 0;
    int open = 0;
    int read = 0;
    for (int e = 0; e < eventCount; e++) {
      int ref = (int) events[e] & (1 << 22) - 1;
      int at = atOf[ref];
      switch ((int) (events[e] >>> 22) & (1 << KIND_BITS) - 1) {
        case INVOKED -> {
          System.arraycopy(told, 0, toldAt, read * LINES, LINES);
          sentAt[read] = open > 0 ? -1 : sent;
          atOf[ref + 1] = read++; // Its return is the next event that was collected.
        }
        case SENT -> {
          sent++;
          open++;
          sent(lines[logOf[ref]], at);
        }
        case ACKED -> {
          open--;
          int line = logOf[ref];
          long version = lines[line].base() + at;
          told[line] = Math.max(told[line], version);
          if (Line.of(line).isWrittenAsOne()) {
            tell(sessions.getOrDefault(lines[line].ids[at], 0), line, version);
          }
        }
        default -> returned(logs.get(logOf[ref]), atOf[ref - 1], at, sent);
      }
    }
  }

  /** Whoever sees this version sees all that somebody had been told of when it was sent. */
  private void sent(LineHistory line, int index) {
    long[] together = parts.get(line.ids[index]);
    for (int l = 0; l < LINES; l++) {
      long same = together == null ? 0 : together[l];
      line.depends[index * LINES + l] = Math.max(told[l], same);
    }
  }

  private void returned(HistoryLog log, int at, int read, int sent) {
    counts.reads++;
    if (sentAt[read] != sent) {
      counts.concurrentReads++;
    }
    String broken = check.check(log, at, toldAt, read * LINES, told);
    int session = (int) (log.reads[at] >>> 32);
    long[] before = toldIn.get(session);
    if (broken == null && before != null && stalenessNanos > 0) {
      broken = check.check(log, at, before, 0, told) == null ? null : BACKWARDS;
    }
    if (broken != null) {
      found(storyteller.tell(broken, log, at, check));
      return;
    }
    for (int l = 0; l < LINES; l++) {
      if (check.hasRead(l) && Line.of(l).isOneTable()) {
        tell(session, l, check.seen(l));
      }
    }
  }

  private void tell(int session, int line, long version) {
    if (session != 0) {
      long[] versions = toldIn.computeIfAbsent(session, number -> new long[LINES]);
      versions[line] = Math.max(versions[line], version);
    }
  }
}
