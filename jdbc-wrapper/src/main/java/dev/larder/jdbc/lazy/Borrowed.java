package dev.larder.jdbc.lazy;

import dev.larder.engine.CacheCount;
import dev.larder.jdbc.session.Isolation;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import java.sql.SQLException;
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

  /** Sets what the application has set; null for nothing. */
  void setUp(
      @Nullable Isolation isolation, @Nullable Boolean readOnly, @Nullable Boolean autoCommit)
      throws SQLException {
    if (isolation != null && pooled.getTransactionIsolation() != isolation.level()) {
      pooled.setTransactionIsolation(isolation.level());
    }
    if (readOnly != null && pooled.isReadOnly() != readOnly) {
      pooled.setReadOnly(readOnly);
    }
    if (autoCommit != null && pooled.getAutoCommit() != autoCommit) {
      pooled.setAutoCommit(autoCommit);
    }
  }

  /**
   * Notes what was done without it.
   *
   * @param begun whether the transaction has begun for the application
   * @param hit whether a hit was read
   */
  void served(boolean begun, boolean hit) {
    if (begun && caching != null) {
      caching.physical().transaction().hit();
    }
    if (hit && caching != null) {
      caching.physical().reads().everything(); // Nothing older is to be read after it.
    }
  }
}
