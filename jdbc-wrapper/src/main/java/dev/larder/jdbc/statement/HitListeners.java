package dev.larder.jdbc.statement;

import dev.larder.engine.CacheLog;
import dev.larder.engine.QueryCache;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whoever wants to be told of each hit. Thread-safe. */
public final class HitListeners {
  /** Null while there are none; never changed once it is set. */
  private static volatile @Nullable List<Consumer<QueryCache>> listeners;

  private HitListeners() {}

  /** Adds a listener. */
  public static synchronized void add(Consumer<QueryCache> listener) {
    List<Consumer<QueryCache>> more = present();
    more.add(listener);
    listeners = more;
  }

  /** Removes a listener. */
  public static synchronized void remove(Consumer<QueryCache> listener) {
    List<Consumer<QueryCache>> fewer = present();
    fewer.remove(listener);
    listeners = fewer.isEmpty() ? null : fewer;
  }

  private static List<Consumer<QueryCache>> present() {
    List<Consumer<QueryCache>> known = listeners;
    return known == null ? new ArrayList<>() : new ArrayList<>(known);
  }

  static void hit(QueryCache cache) {
    List<Consumer<QueryCache>> told = listeners;
    if (told != null) {
      tell(told, cache);
    }
  }

  private static void tell(List<Consumer<QueryCache>> told, QueryCache cache) {
    for (Consumer<QueryCache> listener : told) {
      try {
        listener.accept(cache);
      } catch (RuntimeException e) {
        CacheLog.trouble(CacheLog.Trouble.INTERNAL, "a listener of hits", e);
      }
    }
  }
}
