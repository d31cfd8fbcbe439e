package dev.larder.jdbc.lazy;

import dev.larder.engine.CacheCount;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the pool.
 *
 * @param pooled as the pool has handed it out
 * @param caching the connection of Larder below the pool, or null where there is none
 * @param first the settings with which the pool has handed it out for the first time; null where it
 *     is known already that it is not as the others are
 */
record Borrowed(
    Connection pooled, @Nullable CachingConnection caching, @Nullable SessionFingerprint first) {

  /** Counts it, where a cache is below the pool. */
  void count(CacheCount why) {
    if (caching != null) {
      caching.physical().cache().count(why);
    }
  }

  /** The exception goes to callers that declare it, as all methods of a connection do. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Exception> E unchanged(Exception e) throws E {
    throw (E) e;
  }
}
