package dev.larder.jdbc.statement;

import dev.larder.engine.QueryCache;
import dev.larder.log.CacheLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Whoever wants to be told of each hit. Thread-safe. */
public final class HitListeners {
  /** Nearly always empty. */
  static final List<Consumer<QueryCache>> ALL = new CopyOnWriteArrayList<>();

  private HitListeners() {}

  /** Adds a listener. */
  public static void add(Consumer<QueryCache> listener) {
    ALL.add(listener);
  }

  /** Removes a listener. */
  public static void remove(Consumer<QueryCache> listener) {
    ALL.remove(listener);
  }

  /** Tells all of them. */
  static void hit(QueryCache cache) {
    for (Consumer<QueryCache> listener : ALL) {
      try {
        listener.accept(cache);
      } catch (RuntimeException e) {
        CacheLog.trouble(CacheLog.Trouble.INTERNAL, "a listener of hits", e);
      }
    }
  }
}
