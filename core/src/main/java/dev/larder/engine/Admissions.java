package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.ProtocolStep;
import dev.larder.store.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * Ends the misses of one cache, each by one call: what the database has answered is kept, or it is
 * counted why not. Thread-safe.
 */
public final class Admissions {
  private final QueryCache cache;
  private final LookupStrategy strategy;
  private final MissListener listener;

  Admissions(QueryCache cache, LookupStrategy strategy, MissListener listener) {
    this.cache = cache;
    this.strategy = strategy;
    this.listener = listener;
  }

  /**
   * Ends a miss: keeps {@code result} where that is allowed.
   *
   * @param databaseNanos how long the statement ran
   */
  public void admit(Plan plan, Miss miss, CachedResult result, long databaseNanos) {
    VersionVector versions =
        ProtocolStep.CAPTURE_BEFORE_SENDING.isTaken()
            ? miss.capture().versions()
            : cache.database().versions().capture(miss.resolution().statement().readTags());
    boolean enabled = cache.enabled();
    if (versions == null || !enabled) {
      reject(plan, miss, enabled ? null : BypassReason.DISABLED, databaseNanos);
      return;
    }
    long weightBytes = strategy.keep(miss, versions, result);
    plan.shape().columns(result.columns());
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.databaseTime(databaseNanos);
    statistics.admitted();
    listener.kept(miss, weightBytes);
  }

  /**
   * Ends a miss whose result is not kept.
   *
   * @param reason why not, where it is not that the miss was refused; null where that is not known
   * @param databaseNanos how long the statement ran
   */
  public void reject(Plan plan, Miss miss, @Nullable BypassReason reason, long databaseNanos) {
    if (reason != null) {
      listener.cannotKeep(miss);
    }
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.databaseTime(databaseNanos);
    BypassReason refusal = reason == null ? miss.capture().refusal() : reason;
    statistics.rejected(refusal);
    if (refusal != null) {
      cache.bypassCounts().refused(refusal, databaseNanos);
    }
    listener.notKept();
  }

  /** Keeps a result in place of what the cache has; counts nothing. */
  void replace(Miss miss, CachedResult result) {
    VersionVector versions = miss.capture().versions();
    if (versions != null && cache.enabled()) {
      strategy.keep(miss, versions, result);
    }
  }
}
