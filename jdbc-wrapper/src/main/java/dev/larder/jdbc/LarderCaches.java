package dev.larder.jdbc;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.jdbc.statement.HitListeners;
import dev.larder.log.CacheLog;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The caches of this JVM, for whoever watches or switches them. Thread-safe. */
public final class LarderCaches {
  private LarderCaches() {}

  /**
   * {@return the caches that there are by now: one for each database and settings, made by the
   * first connection with them}
   */
  public static List<LarderCache> all() {
    return QueryCaches.all().stream().map(LarderCache::new).toList();
  }

  /**
   * Has {@code watcher} told of every cache, those that exist and those to come, each at least
   * once, on the thread that opens its first connection; and again when its last connection has
   * closed, when another first one opens, and when it was let go because it was idle for long.
   * Which caches there are by then is what {@link #all} says. Holding a cache keeps it from being
   * collected.
   *
   * @param watcher quick, and prepared to be called by several threads
   * @return ends it when closed
   */
  public static Watch watch(Consumer<LarderCache> watcher) {
    Consumer<QueryCache> told = cache -> watcher.accept(new LarderCache(cache));
    QueryCaches.watch(told);
    all().forEach(watcher);
    return () -> QueryCaches.unwatch(told);
  }

  /**
   * Has {@code listener} told of every query that is answered from memory, of whichever cache: on
   * the thread that asks, before it has its answer; so a span that is current there may be marked.
   * It must be quick. While there is no listener this costs a hit one reading of a field.
   *
   * @param listener quick, and prepared to be called by several threads
   * @return ends it when closed
   */
  public static Watch onHit(Consumer<LarderCache> listener) {
    Consumer<QueryCache> told = cache -> listener.accept(new LarderCache(cache));
    HitListeners.add(told);
    return () -> HitListeners.remove(told);
  }

  /**
   * Why an execution had nothing to do with the cache, or its result was not kept.
   *
   * @param name as in {@link LarderCache#bypasses}
   * @param description in words that follow "not cached because", as {@code bypass_reason} of
   *     {@link LarderCache#queries} has them
   * @param cure what can be done about it; names of options and SQL are in backticks
   */
  public record Reason(String name, String description, String cure) {}

  /** {@return every reason that there is} */
  public static List<Reason> reasons() {
    return Arrays.stream(BypassReason.values())
        .map(reason -> new Reason(LarderCache.nameOf(reason), reason.description(), reason.cure()))
        .toList();
  }

  /**
   * {@return how often there was each trouble in this JVM, by its code such as {@code LRD-003}} The
   * log reports one at most once in ten minutes; here each counts.
   */
  public static Map<String, Long> troubles() {
    return CacheLog.counts();
  }

  /** What {@link #watch} or {@link #onHit} has begun. */
  public interface Watch extends AutoCloseable {
    /** Ends it. */
    @Override
    void close();
  }
}
