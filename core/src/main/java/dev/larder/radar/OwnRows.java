package dev.larder.radar;

import dev.larder.store.RowAccount;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What the sessions of this JVM have added, and may still add, to the server's counts of changed
 * rows. Thread-safe.
 *
 * <p>A row counts from when the statement that wrote it has returned, committed or not: the server
 * counts rows of transactions that are rolled back, too. The server learns of it later: a session
 * reports what it has counted when it has become idle outside of a transaction, unless it has done
 * so less than a second before. So it <em>has</em> reported at the latest when it becomes idle a
 * second later; from 15 on also when it stays idle for ten.
 */
public final class OwnRows {
  private static final long REPORTED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_100);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(12);
  private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Map<Long, TableRows> tables = new ConcurrentHashMap<>();
  private final Map<Long, Long> writtenNanos = new ConcurrentHashMap<>();
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();

  private void add(TableRows rows) {
    tables.merge(rows.table(), rows, TableRows::and);
  }

  /** Returns the account of a new session. */
  public Session session() {
    return new Session();
  }

  /** What one session has written that the server may not have been told of. Thread-safe. */
  public final class Session {
    /** By table: what is reported first, and what was written after that. */
    private Map<Long, TableRows> earlier = new HashMap<>();

    private Map<Long, TableRows> later = new HashMap<>();

    /** Not among {@link #tables} yet, where sessions would wait for each other, nor in later. */
    private final Map<Long, TableRows> latest = new HashMap<>();

    private long wroteNanos;
    private long turnedNanos;
    private long idleSinceNanos;
    private boolean idle;
    private boolean gone;

    /** Whether the server may have to be told of anything: all else is of no interest without. */
    private volatile boolean owing;

    private Session() {}

    /** Returns whether anything is written that the server may not have been told of. */
    public boolean isOwing() {
      return owing;
    }

    /**
     * Notes a write that has returned.
     *
     * @param rows the statement's own count; negative where that is not known, or it has failed
     */
    public void wrote(RowAccount account, long rows) {
      if (!account.isEmpty()) {
        add(rows < 0 ? account.withoutCount() : account, rows);
      }
    }

    private synchronized void add(RowAccount account, long rows) {
      owing = true;
      idle = false;
      wroteNanos = System.nanoTime();
      sessions.add(this);
      if (account.table() != 0) {
        long changed = account.changes() ? rows : 0;
        long removed = account.removes() ? rows : 0;
        wrote(TableRows.counted(account.table(), changed, removed, account.conflicts()));
      }
      account.uncounted().forEach(table -> wrote(TableRows.uncounted(table)));
    }

    private void wrote(TableRows rows) {
      latest.merge(rows.table(), rows, TableRows::and);
    }

    private synchronized void sum() {
      for (TableRows rows : latest.values()) {
        OwnRows.this.add(rows);
        writtenNanos.merge(rows.table(), wroteNanos, Math::max);
        later.merge(rows.table(), rows, TableRows::and);
      }
      latest.clear();
    }

    /**
     * Notes that the session has answered something.
     *
     * @param outside whether no transaction is open now
     */
    public synchronized void answered(boolean outside, long nowNanos) {
      if (!owing) {
        return;
      }
      idle = outside;
      idleSinceNanos = nowNanos;
      owing = !isSettled();
      if (outside && owing) {
        if (earlier.isEmpty()) {
          turn(nowNanos);
        } else if (nowNanos - turnedNanos >= REPORTED_NANOS) {
          earlier.values().forEach(rows -> OwnRows.this.add(rows.told()));
          turn(nowNanos);
        }
      }
    }

    private boolean isSettled() {
      return earlier.isEmpty() && later.isEmpty() && latest.isEmpty();
    }

    private void turn(long nowNanos) {
      sum();
      earlier = later;
      later = new HashMap<>();
      turnedNanos = nowNanos;
      owing = !isSettled();
    }

    /** Notes that something is being sent. */
    public void sending() {
      if (owing) {
        notIdle();
      }
    }

    private synchronized void notIdle() {
      idle = false;
    }

    /**
     * Keeps what was written for ever: nobody knows when the server will count it, as that of a
     * transaction that is prepared.
     */
    public synchronized void putOff() {
      sum();
      List.of(earlier, later)
          .forEach(
              batch -> batch.values().forEach(rows -> OwnRows.this.add(rows.toldOfUncounted())));
      settle();
    }

    /** Notes that the session is closed, or lost. */
    public synchronized void gone(long nowNanos) {
      if (!gone) {
        gone = true;
        idleSinceNanos = nowNanos;
      }
    }

    private synchronized void look(boolean idleReports, long nowNanos) {
      sum();
      long quiet = nowNanos - idleSinceNanos;
      if ((gone && quiet > GONE_NANOS) || (!gone && idle && idleReports && quiet > IDLE_NANOS)) {
        List.of(earlier, later)
            .forEach(batch -> batch.values().forEach(rows -> OwnRows.this.add(rows.told())));
        settle();
      }
      if (isSettled()) {
        owing = false;
        sessions.remove(this);
      }
    }

    private void settle() {
      earlier.clear();
      later.clear();
      owing = false;
    }
  }

  /** Notes what the server has been told of by sessions that have been idle, or gone, for long. */
  void look(boolean idleReports, long nowNanos) {
    sessions.forEach(session -> session.look(idleReports, nowNanos));
  }

  /**
   * Returns what this process has written since it began, the tables first that were written last.
   *
   * @param underWay the tables that are being written, with {@link RowAccount#ANY} for any
   */
  public List<TableRows> rows(Set<Long> underWay) {
    record Written(TableRows rows, long nanosAgo) {}
    long now = System.nanoTime();
    sessions.forEach(session -> session.sum());
    Set<Long> all = new HashSet<>(tables.keySet());
    all.addAll(underWay);
    return all.stream()
        .map(
            table -> {
              TableRows rows =
                  new TableRows(table, 0, 0, 0, 0, 0, 0, false, underWay.contains(table));
              TableRows known = tables.get(table);
              return new Written(
                  known == null ? rows : rows.and(known),
                  now - writtenNanos.getOrDefault(table, now));
            })
        .sorted(Comparator.comparingLong(Written::nanosAgo))
        .map(Written::rows)
        .toList();
  }
}
