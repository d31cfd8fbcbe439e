package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Sharing;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.log.CacheLog;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteQuestion;
import dev.larder.remote.RemoteReading;
import dev.larder.remote.RemoteTokens;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.Tag;
import dev.larder.store.VersionVector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides about queries whose results are shared with other JVMs. A result that is kept here, too,
 * is hit if neither this JVM nor another has written what it read: the versions of this JVM say the
 * one, the shared versions the other, and both must. Thread-safe.
 */
final class SharedLookups implements LookupStrategy {
  private final QueryCache cache;
  private final Database database;
  private final ResultStore near;

  SharedLookups(QueryCache cache, ResultStore near) {
    this.cache = cache;
    this.database = cache.database();
    this.near = near;
  }

  @Override
  public Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    RemoteCache remote = database.remote().cache();
    if (remote == null) {
      return cache.bypass(shape, BypassReason.SHARED_UNREACHABLE);
    }
    if (session.transaction().hasSnapshot()) {
      // By its epoch one JVM cannot tell what others wrote after the snapshot.
      return cache.bypass(shape, BypassReason.SHARED_SNAPSHOT);
    }
    RemoteQuestion question = question(key, resolution, session);
    CacheEntry entry = near(key, resolution);
    boolean asks = cache.admissions().asksDatabase(shape);
    if (asks && entry != null) {
      near.remove(key, entry);
    } else if (entry != null && entry.attached() instanceof RemoteTokens tokens) {
      RemoteReading reading = remote.validate(question, tokens);
      if (reading.permits(tokens)) {
        return nearHit(shape, new Sharing(question, reading, tokens), resolution, entry);
      }
      RemoteReading.Verdict verdict = reading.verdict(known(key, resolution));
      if (verdict != RemoteReading.Verdict.READABLE) {
        return refused(shape, key, resolution, verdict);
      }
      outdated(key, entry);
    }
    return remoteLookup(remote, question, shape, resolution, session, asks);
  }

  /** Returns what a result depends on, as far as that is known before there is one. */
  private static List<? extends Tag> known(QueryKey key, Resolution resolution) {
    return resolution
        .statement()
        .keys()
        .reads()
        .dependencies(resolution.statement().readTags(), key.literals(), key.binds())
        .tags();
  }

  private RemoteQuestion question(QueryKey key, Resolution resolution, SessionView session) {
    return new RemoteQuestion(
        key,
        System.nanoTime(),
        resolution.timeToLiveNanos(),
        resolution.statement().readTags(),
        resolution.catalog().content(),
        database.remote().catalogVersion(resolution.catalog()),
        session.serverGeneration().number());
  }

  private @Nullable CacheEntry near(QueryKey key, Resolution resolution) {
    CacheEntry entry = near.get(key, resolution.timeToLiveNanos());
    if (entry != null && !database.versions().isCurrent(entry)) {
      outdated(key, entry);
      return null;
    }
    return entry;
  }

  private void outdated(QueryKey key, CacheEntry entry) {
    near.remove(key, entry);
    cache.entryCounts().invalidated();
  }

  private Lookup nearHit(
      ShapePlan shape, Sharing sharing, Resolution resolution, CacheEntry entry) {
    if (cache.verification().isDue()) {
      cache.verification().expected(shape.statistics(), Count.NEAR_HITS);
      Capture capture = Capture.of(entry.versions()).with(sharing);
      QueryKey key = sharing.question().key();
      return new Checked(new Miss(key, resolution, capture, 0), 1, Expected.of(entry));
    }
    shape.statistics().hit();
    return new Lookup.Hit(entry.result());
  }

  /**
   * Looks for a shared result.
   *
   * @param asks whether to miss it though it is there
   */
  private Lookup remoteLookup(
      RemoteCache remote,
      RemoteQuestion question,
      ShapePlan shape,
      Resolution resolution,
      SessionView session,
      boolean asks) {
    QueryKey key = question.key();
    // Before the shared versions are read: what is found under those is not older than this.
    Capture capture = cache.misses().capture(key, resolution, session);
    if (capture.refusal() != null) {
      return cache.misses().isQuarantined(capture, resolution)
          ? cache.bypass(shape, BypassReason.QUARANTINED)
          : miss(shape, key, resolution, capture);
    }
    RemoteReading reading = asks ? remote.validateNow(question) : remote.read(question);
    RemoteReading.Verdict verdict = reading.verdict(known(key, resolution));
    if (verdict != RemoteReading.Verdict.READABLE) {
      return refused(shape, key, resolution, verdict);
    }
    RemoteReading.Shared shared = reading.shared();
    Sharing sharing = new Sharing(question, reading, shared == null ? null : shared.tokens());
    if (!cache.misses().isOfPresentCatalog(resolution)) {
      capture = Capture.refused(BypassReason.CATALOG_LOADING);
    } else if (shared != null) {
      return fetched(remote, sharing, shape, resolution, capture, shared);
    }
    return miss(shape, key, resolution, capture.with(sharing));
  }

  /** What the fetched rows show to depend on is captured now, as it has been since the capture. */
  private Lookup fetched(
      RemoteCache remote,
      Sharing sharing,
      ShapePlan shape,
      Resolution resolution,
      Capture capture,
      RemoteReading.Shared shared) {
    VersionVector versions = cache.misses().versions(capture, resolution, shared.result());
    if (versions == null) {
      Capture refused = Capture.refused(BypassReason.BEING_WRITTEN);
      return miss(shape, sharing.question().key(), resolution, refused);
    }
    long nanos = remote.nearNanos(sharing.question(), true);
    keepNear(sharing, shared.tokens(), versions, shared.result(), nanos, shape.runs().usualNanos());
    return remoteHit(shape, sharing, resolution, versions, shared.result());
  }

  private Lookup remoteHit(
      ShapePlan shape,
      Sharing sharing,
      Resolution resolution,
      VersionVector versions,
      CachedResult shared) {
    if (cache.verification().isDue()) {
      cache.verification().expected(shape.statistics(), Count.REMOTE_HITS);
      QueryKey key = sharing.question().key();
      Miss miss = new Miss(key, resolution, Capture.of(versions).with(sharing), 0);
      long now = System.nanoTime();
      long weight = shared.weightBytes();
      return new Checked(miss, 1, new Expected(shared, versions, now, weight, versions.sum()));
    }
    shape.statistics().add(Count.REMOTE_HITS, 1);
    return new Lookup.Hit(shared);
  }

  private Lookup refused(
      ShapePlan shape, QueryKey key, Resolution resolution, RemoteReading.Verdict verdict) {
    BypassReason reason =
        switch (verdict) {
          case UNREACHABLE -> null;
          case OTHER_CATALOG -> BypassReason.CATALOG_LOADING;
          case BEING_WRITTEN -> BypassReason.BEING_WRITTEN;
          case NOT_READY, READABLE -> BypassReason.SHARED_NOT_READY;
        };
    if (reason == null) {
      CacheLog.trouble(CacheLog.Trouble.SHARED, "it does not answer");
      return cache.bypass(shape, BypassReason.SHARED_UNREACHABLE);
    }
    if (reason == BypassReason.CATALOG_LOADING) {
      database.catalog().doubted();
    }
    return miss(shape, key, resolution, Capture.refused(reason));
  }

  private Lookup miss(ShapePlan shape, QueryKey key, Resolution resolution, Capture capture) {
    return cache.misses().miss(shape, key, resolution, capture, 0);
  }

  @Override
  public long keep(Miss miss, VersionVector versions, CachedResult result, long databaseNanos) {
    Sharing sharing = miss.capture().shared();
    RemoteCache remote = database.remote().cache();
    RemoteTokens tokens = sharing == null ? null : sharing.reading().tokens(versions.tags());
    if (remote != null && sharing != null && tokens != null) {
      remote.keep(sharing.question(), tokens, result);
      long nanos = remote.nearNanos(sharing.question(), false);
      keepNear(sharing, tokens, versions, result, nanos, databaseNanos);
    }
    return result.weightBytes();
  }

  private void keepNear(
      Sharing sharing,
      RemoteTokens tokens,
      VersionVector versions,
      CachedResult result,
      long nearNanos,
      long databaseNanos) {
    if (nearNanos > 0) {
      QueryKey key = sharing.question().key().detach();
      CacheEntry entry = new CacheEntry(result, versions, null, nearNanos, cache, tokens, 0);
      near.put(key, entry, databaseNanos);
    }
  }
}
