package dev.larder.engine;

import dev.larder.store.CacheEntry;
import dev.larder.store.KeySettings;
import dev.larder.store.Outdating;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;

/**
 * An outdated result that all go on with while a thread of Larder's own asks the database again.
 * Whoever has {@linkplain Taker#takes taken} it must {@link #end} it, whatever happens.
 * Thread-safe.
 */
public final class Refresh {
  private final QueryCache cache;
  private final Staleness staleness;
  private final QueryKey key;
  private final KeySettings settings;
  private final CacheEntry outdated;
  private final Outdating outdating;

  Refresh(
      QueryCache cache,
      Staleness staleness,
      QueryKey key,
      KeySettings settings,
      CacheEntry outdated,
      Outdating outdating) {
    this.cache = cache;
    this.staleness = staleness;
    this.key = key;
    this.settings = settings;
    this.outdated = outdated;
    this.outdating = outdating;
  }

  /** Takes what is to be asked in the background. */
  @FunctionalInterface
  public interface Taker {
    /** Undertakes to ask; returns false where the caller is to ask. Does not wait. */
    boolean takes(Refresh refresh);
  }

  /** Returns the key under which the outdated result is to be replaced. */
  public QueryKey key() {
    return key;
  }

  /** Returns whether {@code session} has the key for the query. */
  public boolean isOf(SessionFingerprint session) {
    return key.session().equals(session.keeping(settings));
  }

  /** Returns the cache that has the outdated result. */
  public QueryCache cache() {
    return cache;
  }

  /** Returns whether another result has taken the place of the outdated one. */
  @SuppressWarnings("ReferenceEquality") // It is the entry itself, or another one.
  public boolean isReplaced() {
    CacheEntry present = cache.store().get(key, Long.MAX_VALUE);
    return present != null && present != outdated;
  }

  /**
   * Ends it: unless the result was replaced, the next reader asks.
   *
   * @param failed whether it would probably fail again, so that readers ask for a while
   */
  public void end(boolean failed) {
    boolean replaced = isReplaced();
    if (!replaced) {
      outdating.askInPlace();
    }
    staleness.refreshed(key.shape(), replaced, failed);
  }
}
