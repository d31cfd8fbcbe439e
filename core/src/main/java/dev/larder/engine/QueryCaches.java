package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.local.LocalResultStore;
import dev.larder.log.CacheLog;
import dev.larder.store.ResultStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The caches of this JVM, one for each database and configuration: those that a connection uses,
 * and the last {@value #MAX_IDLE} of the others. Thread-safe.
 */
public final class QueryCaches {
  /** How many unused caches are kept for whoever connects anew each time. */
  static final int MAX_IDLE = 32;

  private record CacheIdentity(DatabaseIdentity database, QueryCacheConfig config) {}

  private static final class Use {
    final QueryCache cache;
    int connections;

    Use(QueryCache cache) {
      this.cache = cache;
    }
  }

  /** By the time of their last use; guarded by the class. */
  private static final Map<CacheIdentity, Use> CACHES = new LinkedHashMap<>(16, 0.75f, true);

  private static final List<Consumer<QueryCache>> WATCHERS = new CopyOnWriteArrayList<>();

  private QueryCaches() {}

  /**
   * Returns the cache of {@code config} for {@code database}, until {@link #release}.
   *
   * @throws IllegalStateException if results cannot be shared with other JVMs as {@code config}
   *     says
   */
  public static QueryCache acquire(Database database, QueryCacheConfig config) {
    database.remote().join(config.remote().orElse(null));
    joinFeed(database, config);
    CacheIdentity identity = new CacheIdentity(database.identity(), config);
    Use use;
    boolean made = false;
    boolean first;
    synchronized (QueryCaches.class) {
      use = CACHES.get(identity);
      if (use == null) {
        use = new Use(new QueryCache(database, config, storeOf(config)));
        CACHES.put(identity, use);
        made = true;
      }
      first = use.connections++ == 0;
    }
    database.catalog().retain();
    database.radar().join(config);
    if (made) {
      CacheLog.info(SettingsText.started(use.cache));
      SettingsText.undeclared(config).ifPresent(CacheLog::info);
    }
    if (first) {
      tell(use.cache);
    }
    return use.cache;
  }

  private static void joinFeed(Database database, QueryCacheConfig config) {
    try {
      database.feed().join(config);
    } catch (RuntimeException e) {
      database.remote().leave();
      throw e;
    }
  }

  private static void tell(QueryCache cache) {
    for (Consumer<QueryCache> watcher : WATCHERS) {
      try {
        watcher.accept(cache);
      } catch (RuntimeException e) {
        CacheLog.trouble(CacheLog.Trouble.INTERNAL, "a watcher of the caches", e);
      }
    }
  }

  /**
   * Has {@code watcher} told of every cache when its first connection opens, when its last one has
   * closed, and when it was let go; on the thread that does it, outside of any lock. As threads may
   * overtake each other, {@link #all} and {@link #isUsed} say what is true.
   */
  public static void watch(Consumer<QueryCache> watcher) {
    WATCHERS.add(watcher);
  }

  /** Ends {@link #watch}. */
  public static void unwatch(Consumer<QueryCache> watcher) {
    WATCHERS.remove(watcher);
  }

  /** Returns the caches that there are by now. */
  public static synchronized Collection<QueryCache> all() {
    return CACHES.values().stream().map(use -> use.cache).toList();
  }

  /** Returns the caches that may hit what {@code cache} keeps, itself included. */
  @SuppressWarnings("ReferenceEquality") // Databases have no other equality.
  public static Collection<QueryCache> namesakes(QueryCache cache) {
    return all().stream()
        .filter(other -> other.database() == cache.database())
        .filter(
            other ->
                other.config().get(CacheOptions.NAME).equals(cache.config().get(CacheOptions.NAME)))
        .toList();
  }

  /**
   * Returns whether all that may hit results of {@code database} follow the server's log, and need
   * not be told of a write.
   */
  @SuppressWarnings("ReferenceEquality") // As above.
  public static boolean allFollow(Database database) {
    return !database.isHitElsewhere()
        && all().stream()
            .filter(cache -> cache.database() == database)
            .allMatch(cache -> cache.config().isFollowing());
  }

  /** Returns whether a connection uses {@code cache}. */
  public static boolean isUsed(QueryCache cache) {
    return connections(cache) > 0;
  }

  /** Returns how many connections use {@code cache}. */
  public static synchronized int connections(QueryCache cache) {
    Use use = CACHES.get(identityOf(cache));
    return use != null && use.cache == cache ? use.connections : 0;
  }

  /** Says that a connection that acquired {@code cache} is closed. */
  public static void release(QueryCache cache) {
    List<QueryCache> changed = new ArrayList<>();
    synchronized (QueryCaches.class) {
      Use use = CACHES.get(identityOf(cache));
      if (use != null) {
        use.connections--;
        cache.database().catalog().release();
        cache.database().radar().leave(cache.config());
        cache.database().feed().leave(cache.config());
        cache.database().remote().leave();
        if (use.connections == 0) {
          changed.add(use.cache);
        }
      }
      letGo(changed);
    }
    changed.forEach(QueryCaches::tell);
  }

  /** Lets go of those that were idle longest, but for {@value #MAX_IDLE}. */
  private static void letGo(List<QueryCache> gone) {
    long idle = CACHES.values().stream().filter(each -> each.connections == 0).count();
    for (Iterator<Use> each = CACHES.values().iterator(); idle > MAX_IDLE && each.hasNext(); ) {
      Use oldest = each.next();
      if (oldest.connections == 0) {
        each.remove();
        oldest.cache.clear();
        gone.add(oldest.cache);
        idle--;
      }
    }
  }

  private static CacheIdentity identityOf(QueryCache cache) {
    return new CacheIdentity(cache.database().identity(), cache.config());
  }

  static synchronized int count() {
    return CACHES.size();
  }

  private static ResultStore storeOf(QueryCacheConfig config) {
    return config.find(CacheOptions.MAX_BYTES).isEmpty()
            && config.find(CacheOptions.MAX_ENTRIES).isEmpty()
        ? LocalResultStore.shared()
        : LocalResultStore.of(
            config.find(CacheOptions.MAX_BYTES).orElse(LocalResultStore.sharedMaxBytes()),
            config.find(CacheOptions.MAX_ENTRIES).stream().mapToLong(Long::longValue).findFirst());
  }
}
