package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.log.CacheLog;
import dev.larder.log.QuietPeriods;
import dev.larder.result.CachedResult;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The hits of one cache that need no connection of a pool, and why others need one. Thread-safe.
 */
public final class UnpooledHits {
  /** What {@link #state()} says while hits need no connection. */
  public static final String ON = "on";

  private static final String UNHEARD = "the server does not answer";

  private final QueryCache cache;
  private final QuietPeriods<String> quiet = new QuietPeriods<>(Duration.ofMinutes(10));
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
   * @param session with settings, without a transaction that has written or has a snapshot; custom
   *     settings that differ between connections of the pool are not in them
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
        || resolution.key().readsAny()
        || (resolution.key().needsAny() && !resolution.settingsAreIn(settings))) {
      return null;
    }
    SessionFingerprint read = settings.hasCustom() ? settings.keeping(resolution.key()) : settings;
    QueryKey key = new QueryKey(shape.shape(), read, plan.literals(), binds, options);
    CachedResult result = cache.strategy().peek(shape, key, resolution, session);
    if (result != null) {
      cache.count(CacheCount.UNPOOLED_HITS);
    }
    return result;
  }

  /** Says that hits need no connection. */
  public void on() {
    state = ON;
  }

  /** Says why hits need a connection, where that is as it should be. */
  public void off(String reason) {
    state = reason;
  }

  /**
   * Says why hits need a connection, where somebody may want to know; the log says each once in ten
   * minutes.
   */
  public void trouble(String reason) {
    if (reason.equals(state)) {
      return;
    }
    state = reason;
    if (quiet.isDue(reason, System.nanoTime())) {
      String name = cache.config().get(CacheOptions.NAME);
      CacheLog.always(CacheLog.Trouble.POOL_NEEDED, reason + "; cache " + name);
    } else {
      CacheLog.count(CacheLog.Trouble.POOL_NEEDED);
    }
  }

  /** Returns whether the server was heard within the lease. */
  public boolean isHeard() {
    long heard = cache.database().catalog().heardNanos();
    return System.nanoTime() - heard < cache.config().get(CacheOptions.LAZY_LEASE).toNanos();
  }

  /** Says that hits need a connection until the server is heard again. */
  public void unheard() {
    if (state.equals(ON)) {
      trouble(UNHEARD);
    }
  }

  /** Returns {@link #ON}, or why hits need a connection. */
  public String state() {
    return state.equals(UNHEARD) && isHeard() ? ON : state;
  }
}
