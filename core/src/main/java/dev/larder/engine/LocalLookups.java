package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.engine.Lookup.Asked;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Miss;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.FaultPoint;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.Weighed;
import org.jspecify.annotations.Nullable;

/**
 * Finds and keeps results in the memory of this JVM alone. With {@code larder.verify} the database
 * answers a share of the hits, too. Thread-safe.
 */
class LocalLookups implements LookupStrategy {
  private final QueryCache cache;
  private final ResultStore store;
  private final TableVersions versions;
  private final boolean verifies;

  LocalLookups(QueryCache cache, ResultStore store) {
    this.cache = cache;
    this.store = store;
    this.versions = cache.database().versions();
    this.verifies = cache.config().get(CacheOptions.VERIFY) > 0;
  }

  @Override
  public Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    CacheEntry found = find(key, resolution, session);
    if (found != null) {
      CacheEntry entry =
          versions.isCurrent(found) ? found : unchangedBeside(found, key, resolution, session);
      if (entry == null) {
        // It stays: that the next result takes its place costs less than to remove it first.
        if (found.isFoundOutdated()) {
          cache.entryCounts().invalidated();
        }
        if (mayUseOutdated(found, key, resolution, session)) {
          shape.statistics().hit();
          return new Lookup.Hit(found.result());
        }
      } else if (session.transaction().mayHit(resolution.statement(), entry.versions())) {
        if (verifies && cache.verification().isDue()) {
          return expected(shape, key, resolution, entry);
        }
        Staleness declared = cache.staleness;
        if (declared != null) {
          declared.read(entry, resolution, session);
        }
        shape.statistics().hit();
        return new Lookup.Hit(entry.result());
      }
    }
    return miss(shape, key, resolution, session);
  }

  /** Returns the entry of {@code key} that may be looked at now, or null. */
  @Nullable CacheEntry find(QueryKey key, Resolution resolution, SessionView session) {
    return store.get(key, resolution.timeToLiveNanos());
  }

  /** Counts a miss, and captures what it needs. */
  Lookup miss(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    return cache.misses().miss(shape, key, resolution, session);
  }

  private boolean mayUseOutdated(
      CacheEntry entry, QueryKey key, Resolution resolution, SessionView session) {
    Staleness declared = cache.staleness;
    return declared != null && declared.mayUse(entry, key, resolution, session);
  }

  @Override
  public @Nullable CachedResult peek(
      ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    // Who verifies decides where the database can be asked.
    CacheEntry found = verifies ? null : find(key, resolution, session);
    CacheEntry entry =
        found == null || versions.isCurrent(found)
            ? found
            : unchangedBeside(found, key, resolution, session);
    if (entry == null) {
      return null;
    }
    shape.statistics().hit();
    return entry.result();
  }

  /** Has the database answer in place of an entry that is current. */
  private Lookup expected(ShapePlan shape, QueryKey key, Resolution resolution, CacheEntry entry) {
    cache.verification().expected(shape.statistics(), ShapeStatistics.Count.NEAR_HITS);
    Miss miss = new Miss(key, resolution, Capture.of(entry.versions()), cache.clears());
    return new Checked(miss, 1, Lookup.Expected.of(entry));
  }

  /**
   * Returns an entry that may be hit in place of one that is not current, or null: where rows were
   * written, but no column of theirs that the query uses. It becomes one that is current, as if the
   * database had just returned the result.
   */
  final @Nullable CacheEntry unchangedBeside(
      CacheEntry entry, QueryKey key, Resolution resolution, SessionView session) {
    int clears = entry.clears(); // Of its read: what a clear has forgotten since stays forgotten.
    if (!entry.isUnchangedBeside()
        || !session.transaction().isPlain()
        || clears != cache.clears()) {
      return null;
    }
    Capture capture = cache.misses().capture(key, resolution, session);
    if (!entry.isUnchangedBeside()) {
      return null; // Only what was unchanged after the capture was so at the capture, too.
    }
    FaultPoint.RENEWING.pass();
    if (!ProtocolStep.CAPTURE_BEFORE_RENEWING.isTaken()) {
      capture = cache.misses().capture(key, resolution, session);
    }
    VersionVector later = cache.misses().versions(capture, resolution, entry.result());
    if (later == null) {
      return entry; // Rows are just being written: it cannot be kept anew, and yet is right.
    }
    CacheEntry renewed = entry.under(later, capture.columns(), attached(resolution, later, entry));
    foundCurrent(renewed, capture);
    put(new Miss(key, resolution, capture, clears), renewed, 0);
    return renewed;
  }

  /**
   * Returns what is kept beside a result.
   *
   * @param before the entry that it is the result of, if it is kept anew
   */
  @Nullable Weighed attached(
      Resolution resolution, VersionVector captured, @Nullable CacheEntry before) {
    return cache.staleness == null ? null : new Shown(versions.epoch());
  }

  @Override
  public long keep(Miss miss, VersionVector captured, CachedResult result, long databaseNanos) {
    Asked asked = miss.asked();
    long allowed = miss.resolution().timeToLiveNanos();
    long timeToLive = asked == null ? allowed : Math.min(allowed, asked.leftNanos());
    Weighed attached =
        asked == null
            ? attached(miss.resolution(), captured, null)
            : asked.byClock()
                ? new ShownClock(versions.epoch(), asked.sent())
                : new ShownTimed(versions.epoch(), asked.sent());
    VersionVector columns = miss.capture().columns();
    int clears = miss.clears();
    CacheEntry entry =
        new CacheEntry(result, captured, columns, timeToLive, cache, attached, clears);
    foundCurrent(entry, miss.capture());
    long weightBytes = put(miss, entry, databaseNanos);
    Staleness.kept(entry, miss);
    return weightBytes;
  }

  /**
   * For those who ask later since when an entry is outdated, though nobody has found it current.
   */
  private void foundCurrent(CacheEntry entry, Capture capture) {
    if (cache.staleness != null) {
      entry.currentAt(capture.epoch());
    }
  }

  /** Keeps an entry, unless the cache was cleared since its look-up; returns its weight. */
  final long put(Miss miss, CacheEntry entry, long databaseNanos) {
    QueryKey key = miss.key().detach();
    store.put(key, entry, databaseNanos);
    if (cache.clears() != miss.clears()) {
      store.remove(key, entry);
    }
    return entry.weightBytes();
  }
}
