package dev.larder.watch;

import dev.larder.catalog.CatalogChange;
import dev.larder.catalog.CatalogVersion;
import dev.larder.store.Daemon;
import dev.larder.store.WriteSet;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The current catalog of one database: loads it in the background, and again when it changes.
 *
 * <p>A daemon thread of its own reads the catalog and polls its fingerprint while {@link #current}
 * is being called; after {@value CatalogThread#IDLE_POLLS} periods without a call it releases the
 * connection and ends, and what it knew is not trusted again before it was compared with the
 * database. Nothing here blocks a caller but {@link #awaitLoaded}. Thread-safe.
 *
 * <p>A result must not be kept under a catalog that is no longer current. So whoever fills: resolve
 * with a catalog, capture the versions, and then see that {@link #current} is still that catalog. A
 * catalog that differs takes the place of the old one in three steps: the old one is withdrawn, the
 * listener makes whatever was captured under it dead, and the new one is published.
 */
public final class Catalog implements AutoCloseable {
  /** How often what operators have set is read, unless connections are scarce. */
  public static final Duration CONTROL_PERIOD = Duration.ofSeconds(2);

  /** How long the connection is kept once nobody is left who may need it. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  /** How long connections count as scarce. */
  private static final Duration SCARCITY = Duration.ofMinutes(5);

  private final CatalogThread thread;
  private final Duration scarcity;
  final CatalogListener listener;
  final LongAdder failures = new LongAdder();

  /** What may be used now; null while nothing may. */
  volatile @Nullable CatalogVersion published;

  /** What was read last, trusted or not. Where it differs, it is set before the version grows. */
  volatile @Nullable CatalogVersion read;

  /** What was read last and, where it differed, told to the listener. */
  volatile @Nullable CatalogVersion loaded;

  /** Grows when a catalog that differs is about to be published. Written under the lock. */
  volatile long version;

  volatile DatabaseControls controls = DatabaseControls.NONE;
  volatile @Nullable Watcher watcher;
  volatile boolean used;

  /** When the last question was sent that the server has answered, by System.nanoTime. */
  volatile long heardNanos = System.nanoTime() - SCARCITY.toNanos();

  final Object lock = new Object();

  // Guarded by lock.
  long requests;

  /** The requests after something that may leave no trace, and may have been undone. */
  long risks;

  /** The {@link #risks} that the published catalog was compared for. */
  long answeredRisks;

  boolean doubtful;
  boolean reconnect;
  @Nullable Long lingersUntilNanos;
  long scarceUntilNanos = System.nanoTime();
  boolean closed;
  private int users;
  private boolean working;
  private long startAgainNanos = System.nanoTime();

  /** The last changes that touch some relations only. */
  private final LatestChanges changes = new LatestChanges();

  /** Whoever looks at the database on the same connection. */
  public interface Watcher {
    /** Looks; called every {@link #CONTROL_PERIOD}, on the background thread. */
    void look(CatalogLoader loader) throws Exception;
  }

  /**
   * Creates a catalog that loads nothing yet.
   *
   * @param pollPeriod how long a change that did not pass through this JVM may stay unnoticed
   * @param listener is told on the background thread between the withdrawal of a catalog and the
   *     publication of one that differs
   */
  public Catalog(CatalogLoader loader, Duration pollPeriod, CatalogListener listener) {
    this(loader, pollPeriod, listener, SCARCITY);
  }

  /** As the other, with another time for which connections count as scarce. */
  Catalog(CatalogLoader loader, Duration pollPeriod, CatalogListener listener, Duration scarcity) {
    if (pollPeriod.isNegative() || pollPeriod.isZero()) {
      throw new IllegalArgumentException(
          "pollPeriod is " + pollPeriod + "; it must be longer than zero.");
    }
    this.thread = new CatalogThread(this, loader, pollPeriod);
    this.listener = listener;
    this.scarcity = scarcity;
  }

  /** Has {@code other} look from now on, unless connections are scarce. */
  public void watch(Watcher other) {
    watcher = other;
  }

  /** Returns what statements are to be resolved with, or null while that is being found out. */
  public @Nullable CatalogVersion current() {
    if (!used) {
      used = true;
    }
    CatalogVersion catalog = published;
    if (catalog == null) {
      start();
    }
    return catalog;
  }

  /**
   * Returns the catalog as it was read last, or null: it may be outdated. Whoever reads {@link
   * #version} before that gets no older catalog than that of this version.
   */
  public @Nullable CatalogVersion latest() {
    return read;
  }

  /** Returns what operators have set, read before a catalog is published and every two seconds. */
  public DatabaseControls controls() {
    return controls;
  }

  /**
   * Returns when the last question was sent that the server has answered, by {@link
   * System#nanoTime}; long ago if there was none. While the catalog is in use there is one every
   * {@link #CONTROL_PERIOD}.
   */
  public long heardNanos() {
    return heardNanos;
  }

  /** Returns whether the catalog of that {@link #version} may be used now. */
  public boolean isPresent(long ofVersion) {
    return current() != null && version == ofVersion;
  }

  /** Returns a number that grows when the catalog was found to differ, before that is told. */
  public long version() {
    return version;
  }

  /** Notes a change, and that there is another version; call under the lock. */
  void changed(CatalogChange change) {
    long next = version + 1;
    changes.add(next, change);
    version = next;
  }

  /**
   * Returns whether a change since the version {@code since} may concern what was found out then of
   * {@code writes}. Call after the write was made known.
   */
  public boolean concerns(long since, WriteSet writes) {
    return version != since && changes.concern(since, writes);
  }

  /**
   * Says that the catalog may have changed: {@link #current} returns null until a comparison that
   * started after this call has ended. A catalog with the same fingerprint is kept.
   */
  public void reloadRequested() {
    synchronized (lock) {
      risks++;
      comparisonRequested();
    }
  }

  /**
   * As {@link #reloadRequested}, after a statement of which there is a trace in any case, though it
   * be undone before the comparison.
   */
  public void comparisonRequested() {
    synchronized (lock) {
      requests++;
      published = null;
      lock.notifyAll();
    }
  }

  /** As {@link #reloadRequested}; the comparison is over a new connection. */
  public void reconnectRequested() {
    synchronized (lock) {
      reconnect = true;
      reloadRequested();
    }
  }

  /**
   * Says that the catalog may have changed, though it hardly has: it is compared with the database
   * at once, and used until then. For statements that run while there is no catalog, so that nobody
   * knows what they do: a request for each would keep a busy application without one for ever.
   */
  public void doubted() {
    synchronized (lock) {
      doubtful = true;
      lock.notifyAll();
    }
  }

  /** Waits until a catalog is current; returns false if it took longer or was interrupted. */
  public boolean awaitLoaded(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (current() == null) {
      long left = deadline - System.nanoTime();
      synchronized (lock) {
        if (left <= 0 || closed) {
          return false;
        }
        // If no thread is at work, nobody will wake this one, and another has to be started.
        long patience = working ? left : Math.min(left, CatalogThread.FIRST_RETRY.toNanos());
        if (published == null && !await(patience)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Says that somebody may need the catalog, until {@link #release}. */
  public void retain() {
    synchronized (lock) {
      users++;
      lingersUntilNanos = null;
    }
  }

  /**
   * Undoes {@link #retain}. After the last one the connection is closed soon, so that the database
   * can be copied or dropped.
   */
  public void release() {
    synchronized (lock) {
      users--;
      if (users == 0) {
        lingersUntilNanos = System.nanoTime() + LINGER.toNanos();
        lock.notifyAll();
      }
    }
  }

  /** Says that connections are scarce: for some minutes one is open only while it is needed. */
  public void connectBriefly() {
    synchronized (lock) {
      scarceUntilNanos = System.nanoTime() + scarcity.toNanos();
      lock.notifyAll();
    }
  }

  /** Stops for good: {@link #current} returns null from now on. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      published = null;
      lock.notifyAll();
    }
  }

  /** Returns how many times reading the catalog has failed. */
  long failureCount() {
    return failures.sum();
  }

  private void start() {
    synchronized (lock) {
      if (working || closed || System.nanoTime() - startAgainNanos < 0) {
        return;
      }
      working = Daemon.start(new Thread(thread, "larder-catalog"));
      if (!working) {
        startAgainNanos = System.nanoTime() + CatalogThread.FIRST_RETRY.toNanos();
        failures.increment();
      }
    }
  }

  /** Says that the thread ends: what it knew is not trusted, and the next use starts another. */
  void ended() {
    synchronized (lock) {
      published = null;
      working = false;
      lock.notifyAll();
    }
  }

  /** Waits for a change under the lock; returns false if interrupted. The callers loop. */
  @SuppressWarnings("WaitNotInLoop")
  boolean await(long nanos) {
    try {
      lock.wait(Math.max(1, Duration.ofNanos(nanos).toMillis()));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
