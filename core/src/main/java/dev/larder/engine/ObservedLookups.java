package dev.larder.engine;

import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Uncaptured;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.Renewal;
import dev.larder.store.ResultStore;
import dev.larder.store.VersionVector;

/**
 * Decides about the queries of a cache that only observes. The database answers all of them, and
 * what a cache that is on would have done is counted for each. To know that, a result need not be
 * captured again after each write, nor compared at each hit: {@link Renewal} says under which
 * versions it would have been kept. So of a shape that is asked for often only a sample is
 * captured, timed and compared, and the others cost little more than a bypass. Thread-safe.
 */
final class ObservedLookups {
  private final QueryCache cache;
  private final ResultStore store;
  private final Observation observation = new Observation();

  ObservedLookups(QueryCache cache, ResultStore store) {
    this.cache = cache;
    this.store = store;
  }

  Observation observation() {
    return observation;
  }

  /** Decides about an execution that nothing else keeps from being cached. */
  Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    CacheEntry entry =
        session.mayHit(resolution.statement())
            ? store.get(key, resolution.timeToLiveNanos())
            : null;
    if (entry == null || !(entry.attached() instanceof Renewal renewal)) {
      return cache.miss(shape, key, resolution, session);
    }
    VersionVector versions = renewal.versions();
    if (versions.isUnchanged()) {
      return versions.notAfter(session.snapshotEpoch())
          ? hit(shape, key, resolution, entry, versions)
          : cache.miss(shape, key, resolution, session);
    }
    if (renewal.isFoundOutdated()) {
      cache.entryCounts().invalidated();
    }
    return missed(shape, key, resolution, session, entry, renewal);
  }

  @SuppressWarnings("ReferenceEquality") // The very versions that were captured with the result.
  private Lookup hit(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      CacheEntry entry,
      VersionVector versions) {
    shape.statistics().hit();
    int weight = shape.statistics().observedWeight();
    if (weight == 0) {
      observation.kept(key, resolution, versions, entry.weightBytes(), entry.admittedNanos());
      return Lookup.Counted.ONE;
    }
    CachedResult known = versions == entry.versions() ? entry.result() : null;
    Expected expected = new Expected(known, entry.admittedNanos(), entry.weightBytes());
    return cache.expecting(key, resolution, Capture.of(versions), weight, expected);
  }

  private Lookup missed(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      SessionView session,
      CacheEntry entry,
      Renewal renewal) {
    int cleared = cache.clears();
    Capture capture = cache.capture(resolution, session);
    VersionVector versions = capture.versions();
    // What expires must begin to live anew.
    boolean expires =
        Math.min(resolution.timeToLiveNanos(), entry.timeToLiveNanos()) != Long.MAX_VALUE;
    int weight = versions == null || expires ? 1 : shape.statistics().observedWeight();
    if (versions == null || weight > 0) {
      return cache.miss(shape, key, resolution, capture, cleared, weight);
    }
    shape.statistics().miss();
    return new Uncaptured(key, resolution, versions, entry, renewal);
  }

  /** Notes that a statement has run whose result would have been kept. */
  void ran(Plan plan, Uncaptured miss) {
    miss.renewal().renew(miss.versions());
    plan.shape().statistics().admitted();
    CacheEntry kept = miss.kept();
    observation.kept(
        miss.key(), miss.resolution(), miss.versions(), kept.weightBytes(), kept.admittedNanos());
  }

  /**
   * Forgets what was kept for {@code miss}, because its result now would not be; unless that is
   * still what it was, so that others could be answered with it.
   */
  @SuppressWarnings("ReferenceEquality") // Owners have no other equality.
  void refused(Miss miss) {
    Expected expected = miss.expected();
    CacheEntry entry = expected == null || expected.result() == null ? store.get(miss.key()) : null;
    if (entry != null && entry.owner() == cache) {
      store.remove(miss.key(), entry);
    }
  }
}
