package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Uncaptured;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.Renewal;
import dev.larder.store.ResultStore;
import dev.larder.store.TableTag;
import dev.larder.store.VersionVector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the queries of a cache that only observes. The database answers all of them, and
 * what a cache that is on would have done is counted for each. To know that, a result need not be
 * captured again after each write, nor compared at each hit: {@link Renewal} says under which
 * versions it would have been kept. So of a shape that is asked for often only a sample is
 * captured, timed and compared, and the others cost little more than a bypass. Thread-safe.
 */
final class ObservedLookups extends LocalLookups {
  private final QueryCache cache;
  private final Misses misses;
  private final ResultStore store;
  private final Observation observation;

  ObservedLookups(QueryCache cache, ResultStore store, Observation observation) {
    super(cache, store);
    this.cache = cache;
    this.misses = cache.misses();
    this.store = store;
    this.observation = observation;
  }

  @Override
  Renewal attached(Resolution resolution, VersionVector captured, @Nullable CacheEntry before) {
    return new Renewal(resolution.statement().readTags(), captured);
  }

  @Override
  public Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    CacheEntry entry = store.get(key, resolution.timeToLiveNanos());
    List<TableTag> tags = resolution.statement().readTags();
    TransactionView transaction = session.transaction();
    if (entry == null
        || !(entry.attached() instanceof Renewal renewal)
        || !renewal.isOf(tags) // The catalog has changed.
        || (transaction.hasSnapshot() && !transaction.hasRun(resolution.statement()))) {
      return misses.miss(shape, key, resolution, session);
    }
    long kept = renewal.sum();
    long sum = entry.versions().presentSum();
    if (sum == kept) {
      return mayHit(key, resolution, session, entry)
          ? hit(shape, key, resolution, session, entry, sum)
          : misses.miss(shape, key, resolution, session);
    }
    CacheEntry unchanged = unchangedBeside(entry, key, resolution, session);
    if (unchanged != null) {
      return hit(shape, key, resolution, session, unchanged, unchanged.versions().sum());
    }
    if (renewal.isFoundOutdated()) {
      cache.entryCounts().invalidated();
    }
    return missed(shape, key, resolution, session, entry, renewal, sum);
  }

  @Override
  public @Nullable CachedResult peek(
      ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    return null; // The database answers each execution, and it is counted then.
  }

  /** Compares with a snapshot what was renewed without a capture, or what was captured. */
  private boolean mayHit(
      QueryKey key, Resolution resolution, SessionView session, CacheEntry entry) {
    TransactionView transaction = session.transaction();
    return !transaction.hasSnapshot()
        || (entry.versions().isOfTables()
            ? misses.capture(key, resolution, session).versions() != null
            : transaction.mayHit(resolution.statement(), entry.versions()));
  }

  private Lookup hit(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      SessionView session,
      CacheEntry entry,
      long sum) {
    int weight = shape.statistics().observedWeight();
    Capture capture = weight == 0 ? null : misses.capture(key, resolution, session);
    VersionVector captured = capture == null ? null : capture.versions();
    if (captured != null && entry.versions().presentSum() != sum) {
      return missed(shape, key, resolution, session, weight); // Written just now.
    }
    shape.statistics().hit();
    if (capture == null || captured == null) {
      observation.kept(key, resolution, sum, entry.weightBytes(), entry.admittedNanos());
      return Lookup.Counted.ONE;
    }
    // Unchanged after that capture: what is kept was read under the very versions.
    VersionVector versions = entry.versions();
    CachedResult known = versions.isUnchanged() ? entry.result() : null;
    Expected expected =
        new Expected(known, versions, entry.admittedNanos(), entry.weightBytes(), sum);
    return new Checked(new Miss(key, resolution, capture, cache.clears()), weight, expected);
  }

  private Lookup missed(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      SessionView session,
      CacheEntry entry,
      Renewal renewal,
      long sum) {
    // What expires must begin to live anew, a snapshot has to be compared with each version, and
    // on which rows a result rests may be known by the result alone.
    boolean isPlain =
        sum != VersionVector.IN_FLIGHT
            && entry.versions().isOfTables()
            && !session.transaction().hasSnapshot()
            && Math.min(resolution.timeToLiveNanos(), entry.timeToLiveNanos()) == Long.MAX_VALUE
            && misses.isOfPresentCatalog(resolution);
    int weight = isPlain ? shape.statistics().observedWeight() : 1;
    if (weight > 0) {
      return missed(shape, key, resolution, session, weight);
    }
    shape.statistics().miss();
    return new Uncaptured(key, resolution, sum, entry, renewal);
  }

  /** Counts a miss that stands for {@code weight} ones, and captures what it needs. */
  private Lookup missed(
      ShapePlan shape, QueryKey key, Resolution resolution, SessionView session, int weight) {
    return misses.miss(shape, key, resolution, session) instanceof Miss miss
        ? new Checked(miss, weight, null)
        : Lookup.Bypass.of(BypassReason.QUARANTINED);
  }
}
