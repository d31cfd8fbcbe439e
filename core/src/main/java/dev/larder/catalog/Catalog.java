package dev.larder.catalog;

import dev.larder.store.Daemon;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The current catalog of one database: loads it in the background, and again when it changes.
 *
 * <p>A daemon thread of its own reads the catalog and polls its fingerprint while {@link #current}
 * is being called; after {@value #IDLE_POLLS} periods without a call it releases the connection and
 * ends, and what it knew is not trusted again before it was compared with the database. Nothing
 * here blocks a caller but {@link #awaitLoaded}. Thread-safe.
 *
 * <p>A result must not be kept under a catalog that is no longer current. So whoever fills: resolve
 * with a catalog, capture the versions, and then see that {@link #current} is still that catalog. A
 * catalog that differs takes the place of the old one in three steps: the old one is withdrawn,
 * {@code onChange} makes whatever was captured under it dead, and the new one is published.
 */
public final class Catalog implements AutoCloseable {
  /** How many periods without use end the thread. */
  static final int IDLE_POLLS = 10;

  /** How long the connection is kept once nobody is left who may need it. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  /** How long connections count as scarce. */
  private static final Duration SCARCITY = Duration.ofMinutes(5);

  /** How many failures in a row make the catalog untrusted. */
  static final int TRUSTED_FAILURES = 3;

  /** How often what operators have set is read, unless connections are scarce. */
  public static final Duration CONTROL_PERIOD = Duration.ofSeconds(2);

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LAST_RETRY = Duration.ofSeconds(30);

  private final CatalogLoader loader;
  private final Duration pollPeriod;
  private final Runnable onChange;
  private final Duration scarcity;
  private volatile @Nullable Watcher watcher;
  private final LongAdder failures = new LongAdder();
  private final Object lock = new Object();

  /** What may be used now; null while nothing may. */
  private volatile @Nullable CatalogVersion published;

  /** Grows when a catalog that differs is about to be published. Written under the lock. */
  private volatile long version;

  private volatile DatabaseControls controls = DatabaseControls.NONE;
  private volatile boolean used;
  private volatile @Nullable Exception lastFailure;

  // Guarded by lock.
  private long requests;
  private boolean doubtful;
  private boolean reconnect;
  private @Nullable Long briefSinceNanos;
  private int users;
  private @Nullable Long abandonedNanos;
  private @Nullable Thread worker;
  private long startAgainNanos = System.nanoTime();
  private boolean closed;

  /** What was loaded last, trusted or not; written by the worker only. */
  private volatile @Nullable CatalogVersion loaded;

  /**
   * Creates a catalog that loads nothing yet.
   *
   * @param pollPeriod how long a change that did not pass through this JVM may stay unnoticed
   * @param onChange runs on the background thread between the withdrawal of a catalog and the
   *     publication of one that differs
   */
  public Catalog(CatalogLoader loader, Duration pollPeriod, Runnable onChange) {
    this(loader, pollPeriod, onChange, SCARCITY);
  }

  /** As the other, with another time for which connections count as scarce. */
  Catalog(CatalogLoader loader, Duration pollPeriod, Runnable onChange, Duration scarcity) {
    if (pollPeriod.isNegative() || pollPeriod.isZero()) {
      throw new IllegalArgumentException(
          "pollPeriod is " + pollPeriod + "; it must be longer than zero.");
    }
    this.loader = loader;
    this.pollPeriod = pollPeriod;
    this.onChange = onChange;
    this.scarcity = scarcity;
  }

  /** Whoever looks at the database on the same connection. */
  public interface Watcher {
    /** Looks; called every {@link #CONTROL_PERIOD}, on the background thread. */
    void look(CatalogLoader loader) throws Exception;
  }

  /** Has {@code watcher} look from now on, unless connections are scarce. */
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
   * Returns the catalog as it was read last, whether it may be used or not; null before that. For
   * whoever only wants to name things.
   */
  public @Nullable CatalogVersion latest() {
    return loaded;
  }

  /**
   * Returns what operators have set in the database: read before a catalog is published, and every
   * {@link #CONTROL_PERIOD} from then on.
   */
  public DatabaseControls controls() {
    return controls;
  }

  /**
   * Says that the catalog may have changed: {@link #current} returns null until a comparison with
   * the database that started after this call has ended. Cheap where nothing changed: the catalog
   * is kept if the fingerprint is the same.
   */
  public void reloadRequested() {
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
   * Says that the catalog has possibly changed, though hardly: it is compared with the database at
   * once, and used until then. For what runs while there is no catalog, so that nobody can say what
   * it does: a request for each of them would keep a busy application without one for ever.
   */
  public void doubted() {
    synchronized (lock) {
      doubtful = true;
      lock.notifyAll();
    }
  }

  /**
   * Returns a number that grows whenever the catalog was found to differ, before {@code onChange}
   * runs: what was resolved at another version may not be all that a statement does.
   */
  public long version() {
    return version;
  }

  /**
   * Waits until a catalog is current.
   *
   * @return false if it took longer, or the thread was interrupted
   */
  public boolean awaitLoaded(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (current() == null) {
      long left = deadline - System.nanoTime();
      synchronized (lock) {
        if (left <= 0 || closed) {
          return false;
        }
        // A thread that has died since it was looked for has waked nobody, and is replaced.
        long patience = worker == null ? Math.min(left, FIRST_RETRY.toNanos()) : left;
        if (published == null && !await(Duration.ofNanos(patience))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns how many times reading the catalog has failed. */
  public long failureCount() {
    return failures.sum();
  }

  /** Returns why reading the catalog failed last, or null if it never did since it last worked. */
  public @Nullable Exception lastFailure() {
    return lastFailure;
  }

  /** Says that somebody may need the catalog, until {@link #release}. */
  public void retain() {
    synchronized (lock) {
      users++;
      abandonedNanos = null;
    }
  }

  /**
   * Says that somebody who retained the catalog needs it no more. After the last one the connection
   * is closed soon, so that the database can be copied or dropped.
   */
  public void release() {
    synchronized (lock) {
      users--;
      if (users == 0) {
        abandonedNanos = System.nanoTime();
        lock.notifyAll();
      }
    }
  }

  /**
   * Says that connections are scarce: for some minutes from now on one is open only while it is
   * needed.
   */
  public void connectBriefly() {
    synchronized (lock) {
      briefSinceNanos = System.nanoTime();
      lock.notifyAll();
    }
  }

  /** Returns for how many nanoseconds more connections are scarce; call under the lock. */
  private long scarceNanos() {
    Long since = briefSinceNanos;
    return since == null ? 0 : Math.max(0, since + scarcity.toNanos() - System.nanoTime());
  }

  /** Returns in how many nanoseconds nobody is waited for any longer; call under the lock. */
  private long lingerNanos() {
    Long since = abandonedNanos;
    return since == null ? Long.MAX_VALUE : since + LINGER.toNanos() - System.nanoTime();
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

  private void start() {
    synchronized (lock) {
      if (worker != null || closed || System.nanoTime() - startAgainNanos < 0) {
        return;
      }
      Thread thread = new Thread(this::work, "larder-catalog");
      if (Daemon.start(thread)) {
        worker = thread;
      } else {
        startAgainNanos = System.nanoTime() + FIRST_RETRY.toNanos();
        failures.increment();
        lastFailure = new IllegalStateException("no thread could be started");
      }
    }
  }

  /** Whatever ends the thread, what it knew is not trusted, and the next use starts another. */
  private void work() {
    try {
      follow();
    } finally {
      synchronized (lock) {
        published = null;
        worker = null;
        lock.notifyAll();
      }
    }
  }

  private void follow() {
    int failed = 0;
    int idle = 0;
    long compared = System.nanoTime() - pollPeriod.toNanos();
    long requested = -1;
    long seen;
    do {
      boolean doubted = takeDoubt();
      seen = requestsSoFar();
      boolean due =
          doubted
              || failed > 0
              || seen != requested
              || System.nanoTime() - compared >= pollPeriod.toNanos() - cadence().toNanos();
      boolean fresh = !due;
      try {
        reconnectIfRequested();
        DatabaseControls read = loader.controls();
        if (!read.equals(controls)) {
          controls = read;
        }
        if (requested < 0) {
          look(); // Reading the catalog may take long, and others are to know of this process.
        }
        if (due) {
          fresh = refresh(seen);
          compared = System.nanoTime();
          requested = seen;
        }
        look(); // Last, so that others find its text while the connection is idle.
        failed = 0;
      } catch (Throwable e) {
        failed++;
        failed(e instanceof Exception cause ? cause : new IllegalStateException(e), failed);
      }
      if (due) {
        idle = used ? 0 : idle + 1;
        used = false;
      }
      if (!fresh && failed == 0) {
        continue; // A request came in between.
      }
      pause(seen, failed);
    } while (needed(idle));
    loader.release();
  }

  private void look() throws Exception {
    Watcher present = watcher;
    boolean scarce;
    synchronized (lock) {
      scarce = scarceNanos() > 0;
    }
    if (present != null && !scarce) {
      present.look(loader);
    }
  }

  private boolean takeDoubt() {
    synchronized (lock) {
      boolean doubted = doubtful;
      doubtful = false;
      return doubted;
    }
  }

  private long requestsSoFar() {
    synchronized (lock) {
      return requests;
    }
  }

  private void reconnectIfRequested() {
    boolean requested;
    synchronized (lock) {
      requested = reconnect;
      reconnect = false;
    }
    if (requested) {
      loader.release();
    }
  }

  /** Returns whether no request came in between. */
  private boolean refresh(long seen) throws Exception {
    CatalogVersion before = loaded;
    boolean same = before != null && before.fingerprint().equals(loader.fingerprint());
    CatalogVersion after = same && before != null ? before : loader.load();
    boolean differs = before != null && !after.sameContent(before);
    if (differs) {
      synchronized (lock) {
        version++;
        published = null;
      }
      onChange.run();
    }
    loaded = after;
    lastFailure = null;
    return publish(after, seen);
  }

  private boolean publish(CatalogVersion catalog, long seen) {
    synchronized (lock) {
      if (requests != seen || closed) {
        return closed;
      }
      published = catalog;
      lock.notifyAll();
      return true;
    }
  }

  private void failed(Exception cause, int inARow) {
    failures.increment();
    lastFailure = cause;
    loader.release();
    if (inARow >= TRUSTED_FAILURES) {
      published = null;
    }
  }

  private void pause(long seen, int failed) {
    synchronized (lock) {
      long deadline = System.nanoTime() + pauseNanos(failed);
      boolean waiting = true;
      while (waiting && !closed && ((requests == seen && !doubtful) || failed > 0)) {
        if (scarceNanos() > 0) {
          loader.release();
        }
        long left = Math.min(deadline - System.nanoTime(), lingerNanos());
        waiting = left > 0 && await(Duration.ofNanos(left));
      }
    }
  }

  /** Returns how long nothing needs to be asked; call under the lock. */
  private long pauseNanos(int failed) {
    if (failed > 0) {
      Duration retry = FIRST_RETRY.multipliedBy(1L << Math.min(failed - 1, 16));
      return Math.min(retry.toNanos(), LAST_RETRY.toNanos());
    }
    long scarce = scarceNanos();
    return scarce > 0 ? Math.min(pollPeriod.toNanos(), scarce) : cadence().toNanos();
  }

  /** Returns how often the thread wakes: in step with what is done less often. */
  private Duration cadence() {
    return pollPeriod.compareTo(CONTROL_PERIOD) < 0 ? pollPeriod : CONTROL_PERIOD;
  }

  /** Waits for a change under the lock; returns false if interrupted. The callers loop. */
  @SuppressWarnings("WaitNotInLoop")
  private boolean await(Duration atMost) {
    try {
      lock.wait(Math.max(1, atMost.toMillis()));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Says whether to go on; what is known must be compared again once nobody has needed it. */
  private boolean needed(int idle) {
    synchronized (lock) {
      boolean inUse = (used || idle < IDLE_POLLS) && lingerNanos() > 0;
      if (!closed && inUse && !Thread.currentThread().isInterrupted()) {
        return true;
      }
      published = null;
      return false;
    }
  }
}
