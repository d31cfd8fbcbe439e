package dev.larder.jdbc.background;

import dev.larder.QueryCacheConfig;
import dev.larder.WarmupOptions;
import dev.larder.engine.DatabaseIdentity;
import dev.larder.engine.HotQueries;
import dev.larder.engine.QueryCache;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.database.Opened;
import dev.larder.log.CacheLog;
import dev.larder.log.CacheLog.Trouble;
import dev.larder.log.MessageText;
import dev.larder.log.QuietPeriods;
import dev.larder.store.Daemon;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The warm start of one cache: reads the file, asks for the queries of each user who connects, and
 * notes which are hot from time to time, and once the cache is no longer in use. One thread, while
 * a connection uses the cache; thread-safe.
 */
final class WarmStart {
  /** Whoever connects anew each time has the file written once in this time, not each time. */
  private static final long LINGER_NANOS = 1_000_000_000;

  private final QueryCache cache;
  private final WarmupFile file;
  private final int limit;
  private final long intervalNanos;
  private final Thread thread;
  private final Queue<Opened.Opening<BackgroundConnection>> users = new ConcurrentLinkedQueue<>();

  /** What the file had, and was not asked yet; guarded by this. */
  private final Set<ByteBuffer> waiting = new LinkedHashSet<>();

  /** Whether {@link #waiting} has been read; guarded by this. */
  private boolean read;

  /** Whether the file is another's, as far as can be told, and is to be left; guarded by this. */
  private boolean foreign;

  private final QuietPeriods<Trouble> quiet = new QuietPeriods<>(Duration.ofMinutes(10));
  private volatile long written = System.nanoTime();

  WarmStart(QueryCache cache) {
    QueryCacheConfig config = cache.config();
    DatabaseIdentity identity = cache.database().identity();
    String database =
        "database " + identity.databaseOid() + " of cluster " + identity.systemIdentifier();
    this.cache = cache;
    this.file = new WarmupFile(config.find(WarmupOptions.FILE).orElseThrow(), database);
    this.limit = Math.toIntExact(config.get(WarmupOptions.QUERIES));
    this.intervalNanos = config.get(WarmupOptions.INTERVAL).toNanos();
    this.thread = new Thread(this::run, "larder-warmup");
  }

  /** Starts the thread; returns whether the system had one to give. */
  boolean start() {
    return Daemon.start(thread);
  }

  /** Has the queries asked of a user who has connected. */
  void ask(Opened.Opening<BackgroundConnection> user) {
    users.add(user);
    wake();
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  /** Returns whether the cache is in use, or a user's queries are to be asked. */
  boolean isNeeded() {
    return !users.isEmpty() || BackgroundConnection.isUsedByOthers(cache);
  }

  private void run() {
    try {
      read();
      do {
        rounds();
        write();
      } while (!WarmStarts.ended(this, cache));
    } catch (RuntimeException | Error e) {
      CacheLog.trouble(Trouble.WARMUP_READ, "its thread has failed", e);
      throw e;
    }
  }

  /** Works until the cache has not been in use for a moment. */
  private void rounds() {
    long unusedSince = 0;
    while (true) {
      Opened.Opening<BackgroundConnection> user = users.poll();
      if (user != null) {
        new Asking(cache, waiting(), this::asked).of(user);
      }
      writeIfDue();
      long now = System.nanoTime();
      boolean needed = isNeeded();
      if (needed) {
        unusedSince = 0;
      } else if (unusedSince == 0) {
        unusedSince = now;
      } else if (now - unusedSince >= LINGER_NANOS) {
        return;
      }
      if (users.isEmpty()) {
        LockSupport.parkNanos(needed ? intervalNanos - (now - written) : LINGER_NANOS);
        boolean unused = Thread.interrupted(); // Nobody has a reason to.
      }
    }
  }

  // ---- read

  private synchronized void read() {
    try {
      waiting.addAll(file.read());
    } catch (WarmupFile.Unusable e) {
      foreign = e.isForeign();
      CacheLog.always(Trouble.WARMUP_READ, MessageText.of(e));
    } catch (IOException e) {
      foreign = true;
      CacheLog.always(Trouble.WARMUP_READ, e.toString());
    }
    read = true;
  }

  private synchronized List<ByteBuffer> waiting() {
    return List.copyOf(waiting);
  }

  /** Notes that a query was asked, so that only its result keeps it in the file. */
  private void asked(ByteBuffer query) {
    synchronized (this) {
      waiting.remove(query);
    }
    writeIfDue();
  }

  // ---- write

  private void writeIfDue() {
    if (System.nanoTime() - written >= intervalNanos) {
      write();
    }
  }

  /** Notes the queries that are hot, and those that still wait, unless there are none. */
  synchronized void write() {
    written = System.nanoTime();
    if (!read || foreign) {
      return;
    }
    try {
      Collection<ByteBuffer> queries = queries();
      if (!queries.isEmpty()) {
        file.write(queries);
      }
    } catch (IOException e) {
      if (quiet.isDue(Trouble.WARMUP_WRITE, System.nanoTime())) {
        CacheLog.always(Trouble.WARMUP_WRITE, file + ": " + e);
      } else {
        CacheLog.count(Trouble.WARMUP_WRITE);
      }
    }
  }

  private Collection<ByteBuffer> queries() throws IOException {
    Set<ByteBuffer> queries = hot(cache, limit);
    for (ByteBuffer each : waiting) {
      if (queries.size() < limit) {
        queries.add(each);
      }
    }
    return queries;
  }

  /** Returns the queries of a cache that can be asked again, the most profitable first. */
  static Set<ByteBuffer> hot(QueryCache cache, int limit) throws IOException {
    Map<SessionFingerprint, ByteBuffer> sessions = new HashMap<>();
    Set<ByteBuffer> queries = new LinkedHashSet<>();
    for (QueryKey key : HotQueries.of(cache, limit)) {
      ByteBuffer session = sessions.computeIfAbsent(key.session(), HotQuery::of);
      ByteBuffer query = HotQuery.write(key, session);
      if (query != null) {
        queries.add(query);
      }
    }
    return queries;
  }
}
