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
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import java.util.List;

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
  private final TableVersions versions;
  private final Observation observation = new Observation();

  ObservedLookups(QueryCache cache, ResultStore store, TableVersions versions) {
    this.cache = cache;
    this.store = store;
    this.versions = versions;
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
    List<TableTag> tags = resolution.statement().readTags();
    if (!renewal.isOf(tags)) {
      return cache.miss(shape, key, resolution, session); // The catalog has changed.
    }
    long kept = renewal.sum();
    long sum = versions.sum(tags);
    if (sum == kept) {
      return session.snapshotEpoch() == Long.MAX_VALUE
              || cache.capture(resolution, session).versions() != null
          ? hit(shape, key, resolution, session, entry, sum)
          : cache.miss(shape, key, resolution, session);
    }
    if (renewal.isFoundOutdated()) {
      cache.entryCounts().invalidated();
    }
    return missed(shape, key, resolution, session, entry, renewal, sum);
  }

  private Lookup hit(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      SessionView session,
      CacheEntry entry,
      long sum) {
    int weight = shape.statistics().observedWeight();
    Capture capture = weight == 0 ? null : cache.capture(resolution, session);
    VersionVector captured = capture == null ? null : capture.versions();
    if (captured != null && captured.sum() != sum) {
      return cache.miss(shape, key, resolution, session, weight); // Written just now.
    }
    shape.statistics().hit();
    if (capture == null || captured == null) {
      observation.kept(key, resolution, sum, entry.weightBytes(), entry.admittedNanos());
      return Lookup.Counted.ONE;
    }
    // Unchanged after that capture: what is kept was read under the very versions.
    CachedResult known = entry.versions().isUnchanged() ? entry.result() : null;
    Expected expected = new Expected(known, entry.admittedNanos(), entry.weightBytes());
    return cache.expecting(key, resolution, capture, weight, expected);
  }

  private Lookup missed(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      SessionView session,
      CacheEntry entry,
      Renewal renewal,
      long sum) {
    // What expires must begin to live anew, and a snapshot has to be compared with each version.
    boolean isPlain =
        sum != TableVersions.IN_FLUX
            && session.snapshotEpoch() == Long.MAX_VALUE
            && Math.min(resolution.timeToLiveNanos(), entry.timeToLiveNanos()) == Long.MAX_VALUE
            && cache.isOfPresentCatalog(resolution);
    int weight = isPlain ? shape.statistics().observedWeight() : 1;
    if (weight > 0) {
      return cache.miss(shape, key, resolution, session, weight);
    }
    shape.statistics().miss();
    return new Uncaptured(key, resolution, sum, entry, renewal);
  }

  /** Notes that a statement has run whose result would have been kept. */
  void ran(Plan plan, Uncaptured miss) {
    miss.renewal().renew(miss.sum());
    plan.shape().statistics().admitted();
    CacheEntry kept = miss.kept();
    observation.kept(
        miss.key(), miss.resolution(), miss.sum(), kept.weightBytes(), kept.admittedNanos());
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
