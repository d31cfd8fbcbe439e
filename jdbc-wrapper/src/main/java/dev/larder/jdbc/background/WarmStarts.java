package dev.larder.jdbc.background;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.WarmupOptions;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.database.Opened;
import dev.larder.store.SessionFingerprint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The warm starts of the caches that are in use and have a file. Thread-safe. */
public final class WarmStarts {
  /** Guarded by the class. */
  private static final Map<QueryCache, WarmStart> RUNNING = new HashMap<>();

  /** Notes the queries of all of them as the JVM ends; null while there are none. */
  private static @Nullable Thread ending;

  static {
    QueryCaches.watch(WarmStarts::changed);
  }

  private WarmStarts() {}

  /** Notes that the application has opened a connection: with the first one a cache gets warm. */
  public static void opened(PhysicalConnection physical) {
    QueryCache cache = physical.cache();
    QueryCacheConfig config = cache.config();
    Opened.Opening<BackgroundConnection> background = physical.further().background();
    if (config.find(WarmupOptions.FILE).isPresent()
        && config.get(CacheOptions.MODE) != QueryCacheConfig.Mode.OBSERVE
        && !cache.database().identity().isUnknown()
        && background != null) {
      SessionFingerprint session = physical.state().tracker().current();
      String user = session == null ? "" : session.sessionUser();
      begin(cache, cache.warmsUp(user) ? background : null);
    }
  }

  private static synchronized void begin(
      QueryCache cache, Opened.@Nullable Opening<BackgroundConnection> background) {
    WarmStart running = RUNNING.get(cache);
    WarmStart due = running == null ? new WarmStart(cache) : running;
    if (background != null) {
      due.ask(background);
    }
    if (running == null && due.start()) {
      RUNNING.put(cache, due);
      writeAtTheEnd();
    }
  }

  private static void writeAtTheEnd() {
    if (ending == null) {
      Thread made = new Thread(WarmStarts::writeAll, "larder-warmup-end");
      try {
        Runtime.getRuntime().addShutdownHook(made);
        ending = made;
      } catch (IllegalStateException e) {
        // It is ending.
      }
    }
  }

  private static void writeAll() {
    List<WarmStart> all;
    synchronized (WarmStarts.class) {
      all = List.copyOf(RUNNING.values());
    }
    all.forEach(WarmStart::write);
  }

  /** Ends {@code start} unless it has got something to do; returns whether it has ended. */
  static synchronized boolean ended(WarmStart start, QueryCache cache) {
    if (start.isNeeded()) {
      return false;
    }
    RUNNING.remove(cache, start);
    Thread hook = ending;
    if (RUNNING.isEmpty() && hook != null) {
      ending = null;
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // It is running.
      }
    }
    return true;
  }

  private static void changed(QueryCache cache) {
    WarmStart running;
    synchronized (WarmStarts.class) {
      running = RUNNING.get(cache);
    }
    if (running != null) {
      running.wake();
    }
  }
}
