package dev.larder.jdbc;

import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import java.util.List;
import java.util.function.Consumer;

/** The caches of this JVM, for whoever watches or switches them. Thread-safe. */
public final class LarderCaches {
  private LarderCaches() {}

  /**
   * Returns the caches that there are by now: one for each database and settings, made by the first
   * connection with them.
   */
  public static List<LarderCache> all() {
    return QueryCaches.all().stream().map(LarderCache::new).toList();
  }

  /**
   * Has {@code watcher} told of every cache, those that exist and those to come, each at least
   * once, on the thread that opens its first connection.
   *
   * @return ends it when closed
   */
  public static Watch watch(Consumer<LarderCache> watcher) {
    Consumer<QueryCache> told = cache -> watcher.accept(new LarderCache(cache));
    QueryCaches.watch(told);
    all().forEach(watcher);
    return () -> QueryCaches.unwatch(told);
  }

  /** What {@link #watch} has begun. */
  public interface Watch extends AutoCloseable {
    /** Ends it. */
    @Override
    void close();
  }
}
