package dev.larder.jdbc.background;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.engine.Database;
import dev.larder.engine.Refresh;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.database.Opened;
import dev.larder.store.Daemon;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The outdated results of one database that are asked for again in the background, so that no
 * reader waits: each key once at a time, by as many threads as there are connections at most. What
 * is more than they can do, or what a new session of the same user would have under another key, is
 * left to the reader. There is one while there is something to do. Thread-safe.
 */
public final class Refreshes {
  private static final int MOST_THREADS = 2;
  private static final int MOST_WAITING = 16;

  /** Guarded by the class. */
  private static final Map<Database, Refreshes> RUNNING = new HashMap<>();

  private final Database database;
  private final BlockingQueue<Task> waiting = new ArrayBlockingQueue<>(MOST_WAITING);

  /** What waits, or is being asked; guarded by the class. */
  private final Set<QueryKey> underWay = new HashSet<>();

  /** Guarded by the class. */
  private int threads;

  private Refreshes(Database database) {
    this.database = database;
  }

  /**
   * What is to be asked.
   *
   * @param opening opens a connection that probably has the same key for it
   */
  record Task(Refresh refresh, HotQuery query, Opened.Opening<BackgroundConnection> opening) {}

  /** Notes that the application has opened a connection: what it declares is refreshed here. */
  public static void opened(PhysicalConnection physical) {
    QueryCacheConfig config = physical.cache().config();
    Opened.Opening<BackgroundConnection> background = physical.further().background();
    SessionFingerprint session = physical.state().tracker().current();
    if (background != null
        && session != null
        && config.remote().isEmpty()
        && config.get(CacheOptions.MODE) != QueryCacheConfig.Mode.OBSERVE
        && !physical.cache().database().identity().isUnknown()) {
      physical.reads().refreshes(refresh -> takes(refresh, session, background));
    }
  }

  /** Has a query asked that a new session like {@code session} has under the same key. */
  private static boolean takes(
      Refresh refresh,
      SessionFingerprint session,
      Opened.Opening<BackgroundConnection> background) {
    if (!refresh.isOf(session)) {
      return false; // It has taken another role, or has set something.
    }
    HotQuery query = query(refresh.key());
    return query != null && add(new Task(refresh, query, background));
  }

  private static @Nullable HotQuery query(QueryKey key) {
    try {
      ByteBuffer written = HotQuery.write(key, HotQuery.of(key.session()));
      return written == null ? null : HotQuery.checked(written);
    } catch (IOException e) {
      return null; // It is no such query.
    }
  }

  private static synchronized boolean add(Task task) {
    Database database = task.refresh().cache().database();
    return RUNNING.computeIfAbsent(database, Refreshes::new).accept(task);
  }

  private boolean accept(Task task) {
    synchronized (Refreshes.class) {
      if (underWay.contains(task.refresh().key())) {
        return true;
      }
      if (threads < MOST_THREADS && threads <= underWay.size()) {
        threads += Daemon.start(new Thread(new RefreshThread(this), "larder-refresh")) ? 1 : 0;
      }
      boolean taken = threads > 0 && waiting.offer(task);
      if (taken) {
        underWay.add(task.refresh().key());
      } else if (threads == 0) {
        RUNNING.remove(database, this);
      }
      return taken;
    }
  }

  /** Returns what is to be asked next, or null where there was nothing in so long. */
  @Nullable Task next(long atMostNanos) throws InterruptedException {
    return waiting.poll(atMostNanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Ends what was asked.
   *
   * @param failed whether it would probably fail again
   */
  void end(Task task, boolean failed) {
    synchronized (Refreshes.class) {
      underWay.remove(task.refresh().key());
    }
    task.refresh().end(failed);
  }

  /** Ends the calling thread unless there is something to do; returns whether it has ended. */
  boolean ended() {
    synchronized (Refreshes.class) {
      if (!waiting.isEmpty()) {
        return false;
      }
      leave();
      return true;
    }
  }

  /** Ends the calling thread, which has failed, and what only it could have asked. */
  void failed() {
    boolean last;
    synchronized (Refreshes.class) {
      leave();
      last = threads == 0;
    }
    for (Task left = last ? waiting.poll() : null; left != null; left = waiting.poll()) {
      end(left, true);
    }
  }

  private void leave() {
    threads--;
    if (threads == 0) {
      RUNNING.remove(database, this);
    }
  }
}
