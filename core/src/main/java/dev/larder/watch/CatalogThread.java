package dev.larder.watch;

import dev.larder.catalog.CatalogChange;
import dev.larder.catalog.CatalogStamps;
import dev.larder.catalog.CatalogVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads and compares the catalog in the background, as long as it is used. One thread at a time.
 */
final class CatalogThread implements Runnable {
  /** How many periods without use end the thread. */
  static final int IDLE_POLLS = 10;

  /** How many failures in a row make the catalog untrusted. */
  static final int TRUSTED_FAILURES = 3;

  static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LAST_RETRY = Duration.ofSeconds(30);

  private final Catalog catalog;
  private final CatalogLoader loader;
  private final long pollNanos;

  /** How often the thread wakes: in step with what is done less often. */
  private final long cadenceNanos;

  /** Those of the last comparison. */
  private CatalogStamps stamps = CatalogStamps.of("");

  private int failed;
  private int idle;
  private long compared;

  /** The requests that were met last; -1 for none. */
  private long requested;

  CatalogThread(Catalog catalog, CatalogLoader loader, Duration pollPeriod) {
    this.catalog = catalog;
    this.loader = loader;
    pollNanos = pollPeriod.toNanos();
    cadenceNanos = Math.min(pollNanos, Catalog.CONTROL_PERIOD.toNanos());
  }

  @Override
  public void run() {
    failed = 0;
    idle = 0;
    compared = System.nanoTime() - pollNanos;
    requested = -1;
    try {
      do {
        turn();
      } while (isNeeded());
      loader.release();
    } finally {
      catalog.ended();
    }
  }

  private void turn() {
    long seen;
    boolean due;
    synchronized (catalog.lock) {
      seen = catalog.requests;
      due = catalog.doubtful || failed > 0 || seen != requested || isPeriodOver();
      catalog.doubtful = false;
    }
    boolean fresh = !due;
    try {
      fresh = read(seen, due);
      failed = 0;
    } catch (Throwable e) {
      failed();
    }
    if (due) {
      idle = catalog.used ? 0 : idle + 1;
      catalog.used = false;
    }
    if (fresh || failed > 0) { // Otherwise a request came in between.
      pause(seen);
    }
  }

  /** Reads what operators have set, and compares the catalog if that is due. */
  private boolean read(long seen, boolean due) throws Exception {
    if (reconnectRequested()) {
      loader.release();
    }
    long asked = System.nanoTime();
    DatabaseControls read = loader.controls();
    catalog.heardNanos = asked;
    if (!read.equals(catalog.controls)) { // Whoever uses it compares by identity.
      catalog.controls = read;
    }
    if (requested < 0) {
      look(); // Reading the catalog may take long, and others are to know of this process.
    }
    boolean fresh = true;
    if (due) {
      fresh = compare(seen);
      compared = System.nanoTime();
      requested = seen;
    }
    look(); // Last, so that others find its text while the connection is idle.
    return fresh;
  }

  private boolean reconnectRequested() {
    synchronized (catalog.lock) {
      boolean reconnect = catalog.reconnect;
      catalog.reconnect = false;
      return reconnect;
    }
  }

  private boolean isPeriodOver() {
    return System.nanoTime() - compared >= pollNanos - cadenceNanos;
  }

  private void look() throws Exception {
    Catalog.Watcher watcher = catalog.watcher;
    boolean scarce;
    synchronized (catalog.lock) {
      scarce = scarceNanos() > 0;
    }
    if (watcher != null && !scarce) {
      watcher.look(loader);
    }
  }

  /** Returns whether no request came in between. */
  private boolean compare(long seen) throws Exception {
    CatalogVersion before = catalog.loaded;
    boolean repeated = isRepeated();
    boolean same = !repeated && before != null && stamps.fingerprint().equals(loader.fingerprint());
    CatalogVersion after = same && before != null ? before : changed(before, repeated);
    catalog.loaded = after;
    synchronized (catalog.lock) {
      if (catalog.requests != seen || catalog.closed) {
        return catalog.closed;
      }
      catalog.published = after;
      catalog.answeredRisks = catalog.risks;
      catalog.lock.notifyAll();
      return true;
    }
  }

  /** Reads what differs, and tells what may be touched; returns the catalog as it is now. */
  private CatalogVersion changed(@Nullable CatalogVersion before, boolean repeated)
      throws Exception {
    if (before != null && !repeated) {
      CatalogStamps now = loader.stamps();
      CatalogChange rows = CatalogChange.ofRows(before, stamps, now);
      if (rows != null && !rows.everything()) {
        stamps = now;
        tell(rows, before, before);
        return before;
      }
    }
    withdraw(); // Reading may take long, and nothing is to be used that differs.
    CatalogVersion after = loader.load();
    if (before != null) {
      tell(
          repeated ? CatalogChange.EVERYTHING : CatalogChange.between(before, stamps, after),
          before,
          after);
    }
    catalog.read = after;
    stamps = after.stamps();
    return after;
  }

  private void withdraw() {
    synchronized (catalog.lock) {
      catalog.published = null;
    }
  }

  private void tell(CatalogChange change, CatalogVersion before, CatalogVersion after) {
    catalog.read = after;
    if (!change.isNothing()) {
      synchronized (catalog.lock) {
        catalog.published = null;
        catalog.changed(change);
      }
      catalog.listener.changed(change, after.sameContent(before));
    }
  }

  /** After several changes the catalog may look as before, and not have been meanwhile. */
  private boolean isRepeated() {
    synchronized (catalog.lock) {
      return catalog.risks - catalog.answeredRisks > 1;
    }
  }

  private void failed() {
    failed++;
    catalog.failures.increment();
    loader.release();
    if (failed >= TRUSTED_FAILURES) {
      catalog.published = null;
    }
  }

  private void pause(long seen) {
    synchronized (catalog.lock) {
      long deadline = System.nanoTime() + pauseNanos();
      boolean waiting = true;
      while (waiting
          && !catalog.closed
          && ((catalog.requests == seen && !catalog.doubtful) || failed > 0)) {
        if (scarceNanos() > 0) {
          loader.release();
        }
        long left = Math.min(deadline - System.nanoTime(), lingerNanos());
        waiting = left > 0 && catalog.await(left);
      }
    }
  }

  /** Returns how long nothing needs to be asked; call under the lock. */
  private long pauseNanos() {
    if (failed > 0) {
      return Math.min(FIRST_RETRY.toNanos() << Math.min(failed - 1, 16), LAST_RETRY.toNanos());
    }
    return scarceNanos() > 0 ? Math.min(pollNanos, scarceNanos()) : cadenceNanos;
  }

  /** Returns for how many nanoseconds more connections are scarce; call under the lock. */
  private long scarceNanos() {
    return Math.max(0, catalog.scarceUntilNanos - System.nanoTime());
  }

  /** Returns in how many nanoseconds nobody is waited for any longer; call under the lock. */
  private long lingerNanos() {
    Long until = catalog.lingersUntilNanos;
    return until == null ? Long.MAX_VALUE : until - System.nanoTime();
  }

  /** Says whether to go on; what is known must be compared again once nobody has needed it. */
  private boolean isNeeded() {
    synchronized (catalog.lock) {
      boolean inUse = (catalog.used || idle < IDLE_POLLS) && lingerNanos() > 0;
      if (!catalog.closed && inUse && !Thread.currentThread().isInterrupted()) {
        return true;
      }
      catalog.published = null;
      return false;
    }
  }
}
