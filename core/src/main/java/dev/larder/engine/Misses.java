package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.result.CachedResult;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import dev.larder.store.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * The misses of one cache: captures what a result may be kept under before the statement is sent,
 * and keeps the result afterwards. Thread-safe.
 */
public final class Misses {
  private final QueryCache cache;
  private final Database database;

  Misses(QueryCache cache) {
    this.cache = cache;
    this.database = cache.database();
  }

  /** Counts a miss, and captures what it needs. */
  Lookup miss(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    int clears = cache.clears();
    Capture capture = capture(resolution, session);
    return isQuarantined(capture, resolution)
        ? cache.bypass(shape, BypassReason.QUARANTINED)
        : miss(shape, key, resolution, capture, clears);
  }

  /** Counts a miss for which {@code capture} was captured after {@code clears} was read. */
  Miss miss(ShapePlan shape, QueryKey key, Resolution resolution, Capture capture, int clears) {
    shape.statistics().miss();
    return new Miss(key, resolution, capture, clears);
  }

  /** Returns whether a capture was refused because of tables that are in quarantine. */
  boolean isQuarantined(Capture capture, Resolution resolution) {
    return capture.refusal() == BypassReason.BEING_WRITTEN
        && database.quarantine().holds(resolution.statement().readTags());
  }

  /** Captures the versions of what is read, or says why its result may not be kept. */
  Capture capture(Resolution resolution, SessionView session) {
    VersionVector versions = database.versions().capture(resolution.statement().readTags());
    if (versions == null) {
      return Capture.refused(BypassReason.BEING_WRITTEN);
    }
    if (!versions.notAfter(session.transaction().newestEpoch())) {
      return Capture.refused(BypassReason.SNAPSHOT);
    }
    // After the capture: a catalog that changes from now on invalidates everything, and so what was
    // captured.
    return isOfPresentCatalog(resolution)
        ? Capture.of(versions)
        : Capture.refused(BypassReason.CATALOG_LOADING);
  }

  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  boolean isOfPresentCatalog(Resolution resolution) {
    return database.catalog().current() == resolution.catalog();
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
            : database.versions().capture(miss.resolution().statement().readTags());
    boolean enabled = cache.enabled();
    if (versions == null || !enabled) {
      reject(plan, miss, enabled ? null : BypassReason.DISABLED, databaseNanos);
      return;
    }
    long weightBytes = cache.strategy().keep(miss, versions, result);
    plan.shape().columns(result.columns());
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.add(Count.DATABASE_NANOS, databaseNanos);
    statistics.add(Count.ADMISSIONS, 1);
    cache.verification().kept(miss, weightBytes);
  }

  /**
   * Ends a miss whose result is not kept.
   *
   * @param reason why not, where it is not that the miss was refused; null where that is not known
   * @param databaseNanos how long the statement ran
   */
  public void reject(Plan plan, Miss miss, @Nullable BypassReason reason, long databaseNanos) {
    if (reason != null) {
      cache.verification().cannotKeep(miss);
    }
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.add(Count.DATABASE_NANOS, databaseNanos);
    BypassReason refusal = reason == null ? miss.capture().refusal() : reason;
    statistics.rejected(refusal);
    if (refusal != null) {
      cache.bypassCounts().refused(refusal, databaseNanos);
    }
    cache.verification().notKept();
  }

  /** Keeps a result in place of what the cache has; counts nothing. */
  void replace(Miss miss, CachedResult result) {
    VersionVector versions = miss.capture().versions();
    if (versions != null && cache.enabled()) {
      cache.strategy().keep(miss, versions, result);
    }
  }
}
