package dev.larder.radar;

import dev.larder.store.RowAccount;
import java.util.ArrayList;
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

  private final Map<Long, Cell> cells = new ConcurrentHashMap<>();
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();

  /** The counts of one table; guarded by itself. */
  private static final class Cell {
    long changed;
    long removed;
    long changedReported;
    long removedReported;
    long doubts;
    long openDoubts;
    boolean conflicts;
    long writtenNanos;
  }

  /** What was written between two moments by one session. */
  private static final class Batch {
    final Map<Long, long[]> rows = new HashMap<>();
    final Set<Long> uncounted = new HashSet<>();

    boolean isEmpty() {
      return rows.isEmpty() && uncounted.isEmpty();
    }
  }

  private Cell cell(long table) {
    return cells.computeIfAbsent(table, oid -> new Cell());
  }

  /** Returns the account of a new session. */
  public Session session() {
    return new Session();
  }

  /** What one session has written that the server may not have been told of. Thread-safe. */
  public final class Session {
    private Batch earlier = new Batch();
    private Batch later = new Batch();
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

    private synchronized void add(RowAccount known, long rows) {
      owing = true;
      idle = false;
      sessions.add(this);
      long now = System.nanoTime();
      if (known.table() != 0) {
        long changed = known.changes() ? rows : 0;
        long removed = known.removes() ? rows : 0;
        Cell cell = cell(known.table());
        synchronized (cell) {
          cell.changed += changed;
          cell.removed += removed;
          cell.conflicts |= known.conflicts();
          cell.writtenNanos = now;
        }
        long[] sum = later.rows.computeIfAbsent(known.table(), oid -> new long[2]);
        sum[0] += changed;
        sum[1] += removed;
      }
      for (long table : known.uncounted()) {
        Cell cell = cell(table);
        synchronized (cell) {
          cell.doubts++;
          cell.openDoubts += later.uncounted.add(table) ? 1 : 0;
          cell.writtenNanos = now;
        }
      }
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
      if (outside && !isSettled()) {
        if (earlier.isEmpty()) {
          turn(nowNanos);
        } else if (nowNanos - turnedNanos >= REPORTED_NANOS) {
          report(earlier);
          turn(nowNanos);
        }
      }
      owing = !isSettled();
    }

    private boolean isSettled() {
      return earlier.isEmpty() && later.isEmpty();
    }

    private void turn(long nowNanos) {
      earlier = later;
      later = new Batch();
      turnedNanos = nowNanos;
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
      earlier.rows.clear();
      later.rows.clear();
      report(earlier);
      report(later);
      later = new Batch();
      earlier = new Batch();
      owing = false;
    }

    /** Notes that the session is closed, or lost. */
    public synchronized void gone(long nowNanos) {
      if (!gone) {
        gone = true;
        idleSinceNanos = nowNanos;
      }
    }

    private synchronized void look(boolean idleReports, long nowNanos) {
      long quiet = nowNanos - idleSinceNanos;
      if ((gone && quiet > GONE_NANOS) || (!gone && idle && idleReports && quiet > IDLE_NANOS)) {
        report(earlier);
        report(later);
        earlier = new Batch();
        later = new Batch();
      }
      if (isSettled()) {
        owing = false;
        sessions.remove(this);
      }
    }

    private void report(Batch batch) {
      batch.rows.forEach(
          (table, rows) -> {
            Cell cell = cell(table);
            synchronized (cell) {
              cell.changedReported += rows[0];
              cell.removedReported += rows[1];
            }
          });
      for (long table : batch.uncounted) {
        Cell cell = cell(table);
        synchronized (cell) {
          cell.openDoubts--;
        }
      }
    }
  }

  /** Notes what the server has been told of by sessions that have been idle, or gone, for long. */
  void look(boolean idleReports, long nowNanos) {
    sessions.forEach(session -> session.look(idleReports, nowNanos));
  }

  /**
   * Returns the counts, those of the tables written last first.
   *
   * @param underWay the tables that are being written, with {@link RowAccount#ANY} for any
   */
  public List<TableRows> rows(Set<Long> underWay) {
    record Written(TableRows rows, long nanos) {}
    List<Written> written = new ArrayList<>();
    cells.forEach(
        (table, cell) -> {
          synchronized (cell) {
            written.add(
                new Written(
                    new TableRows(
                        table,
                        cell.changed,
                        cell.removed,
                        cell.changed - cell.changedReported,
                        cell.removed - cell.removedReported,
                        cell.doubts,
                        cell.openDoubts > 0,
                        cell.conflicts,
                        underWay.contains(table)),
                    cell.writtenNanos));
          }
        });
    for (long table : underWay) {
      if (!cells.containsKey(table)) {
        written.add(
            new Written(
                new TableRows(table, 0, 0, 0, 0, 0, false, false, true), System.nanoTime()));
      }
    }
    written.sort((one, other) -> Long.signum(other.nanos - one.nanos));
    return written.stream().map(Written::rows).toList();
  }
}
