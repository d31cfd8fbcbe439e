package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Miss;
import dev.larder.store.QueryKey;
import dev.larder.store.VersionVector;

/**
 * Counts the misses of one cache, and captures what their results may be kept under. Thread-safe.
 */
final class Misses {
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
}
