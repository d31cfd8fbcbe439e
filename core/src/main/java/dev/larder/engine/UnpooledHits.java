package dev.larder.engine;

import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The hits of one cache that need no connection of a pool, and why others need one. Thread-safe.
 */
public final class UnpooledHits {
  private final QueryCache cache;
  private final LongAdder hits = new LongAdder();
  private volatile String state = "no data source asks for it";

  UnpooledHits(QueryCache cache) {
    this.cache = cache;
  }

  /**
   * Returns the result of a hit for a session of which no connection is at hand, or null. Only a
   * hit is counted: whoever asks the database then counts the rest.
   *
   * @param binds see {@link QueryKey}
   * @param options see {@link QueryKey}
   * @param session with settings, without a transaction that has written or has a snapshot
   */
  public @Nullable CachedResult look(Plan plan, Object[] binds, long options, SessionView session) {
    ShapePlan shape = plan.shape();
    SessionFingerprint settings = session.settings();
    if (!cache.enabled()
        || shape.textBypass() != null
        || session.bypass() != null
        || settings == null) {
      return null;
    }
    Resolution resolution = cache.resolutions().resolve(plan, settings);
    if (resolution == null
        || resolution.bypass() != null
        || (resolution.readsSettings() && !resolution.settingsAreIn(settings))) {
      return null;
    }
    QueryKey key = new QueryKey(shape.shape(), settings, plan.literals(), binds, options);
    CachedResult result = cache.strategy().peek(shape, key, resolution, session);
    if (result != null) {
      hits.increment();
    }
    return result;
  }

  /** Says whether hits need no connection: "on", or why they need one. */
  public void state(String words) {
    state = words;
  }

  /** Returns what {@link #state(String)} has said last. */
  public String state() {
    return state;
  }

  /** Returns how many hits there were. */
  public long hits() {
    return hits.sum();
  }

  void resetStatistics() {
    hits.reset();
  }
}
