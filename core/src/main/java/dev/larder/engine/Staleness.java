package dev.larder.engine;

import dev.larder.engine.Lookup.Miss;
import dev.larder.lexer.StatementShape;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.ResolvedStatement.Clock;
import dev.larder.store.CacheEntry;
import dev.larder.store.Outdating;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import dev.larder.store.RecentWrites;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets a cache use results for a declared time after they became outdated. Made with the first
 * statement that declares it, so that others cost nothing. Thread-safe.
 *
 * <p>From half of that time on the database is asked again, while all go on with what there is: in
 * the background where that can be, else by one execution at a time.
 */
final class Staleness {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Of how many shapes that is known at a time. */
  private static final int MOST_PAUSED = 256;

  private final QueryCache cache;
  private final RecentWrites writes;

  /** Until when the queries of a shape are not asked in the background, because one has failed. */
  private final ConcurrentMap<StatementShape, Long> paused = new ConcurrentHashMap<>();

  private Staleness(QueryCache cache) {
    this.cache = cache;
    this.writes = RecentWrites.of(cache.database().versions());
  }

  /** Has a cache know what staleness needs, from now on. */
  static void begin(QueryCache cache) {
    synchronized (cache) {
      if (cache.staleness == null) {
        Staleness made = new Staleness(cache);
        made.writes.begin();
        cache.staleness = made;
      }
    }
  }

  /** Returns what a session has seen before a miss, or null where nobody needs to know. */
  static SessionReads.@Nullable Before before(QueryCache cache, SessionView session) {
    SessionReads reads = session.reads();
    return cache.staleness == null || reads == null ? null : reads.before();
  }

  /** Has the session that asked for a result know it again. */
  static void kept(CacheEntry entry, Miss miss) {
    if (miss.before() != null && entry.attached() instanceof Shown shown) {
      miss.before().wasShown(miss.resolution().statement().readTags(), shown);
    }
  }

  /** Notes that a session has read a result that is current. */
  void read(CacheEntry entry, Resolution resolution, SessionView session) {
    SessionReads reads = session.reads();
    if (reads != null && reads.areKept()) {
      if (resolution.statement().clock() == Clock.UNKNOWN) {
        reads.sawClock();
      }
      if (entry.attached() instanceof Shown shown) {
        reads.saw(resolution.statement().readTags(), shown);
      } else {
        reads.saw(resolution.statement().readTags());
      }
    }
  }

  /** Returns what the query or its tables declare, or else the session; 0 or less for nothing. */
  static long stalenessNanos(Resolution resolution, SessionReads reads) {
    Duration declared = reads.staleness();
    return resolution.stalenessNanos() != 0 || declared == null
        ? resolution.stalenessNanos()
        : CachePolicy.nanos(declared);
  }

  /** Decides whether {@code entry}, which is not current, is used all the same. */
  boolean mayUse(CacheEntry entry, QueryKey key, Resolution resolution, SessionView session) {
    ResolvedStatement statement = resolution.statement();
    SessionReads reads = session.reads();
    if (!(entry.attached() instanceof Shown shown)
        || reads == null
        || !reads.areKept()
        || FollowedSession.asksForPosition(session)
        || stalenessNanos(resolution, reads) <= 0
        || !session.transaction().isPlain()
        || cache.database().quarantine().holds(statement.readTags())) {
      return false;
    }
    Outdating outdating = writes.outdating(entry);
    if (outdating == null || !reads.mayRead(shown, statement.readTags(), outdating.epoch())) {
      return false;
    }
    long now = System.nanoTime();
    long most = stalenessNanos(resolution, reads);
    long age = outdating.ageNanos(now);
    if ((age > most && ProtocolStep.LIMIT_OUTDATED.isTaken())
        || (age > most / 2
            && outdating.isToAsk(now, most / 2)
            && !isAskedElsewhere(entry, key, resolution, outdating, reads))) {
      return false;
    }
    reads.saw(statement.readTags(), shown);
    cache.count(CacheCount.STALE_HITS);
    return true;
  }

  /** Has the database asked in the background; returns false where the caller is to ask it. */
  private boolean isAskedElsewhere(
      CacheEntry entry,
      QueryKey key,
      Resolution resolution,
      Outdating outdating,
      SessionReads reads) {
    Refresh.Taker taker = reads.refreshes();
    return taker != null
        && !(entry.attached() instanceof ShownClock)
        && !outdating.isAskedInPlace()
        && !isPaused(key.shape())
        && taker.takes(new Refresh(cache, this, key.detach(), resolution.key(), entry, outdating));
  }

  private boolean isPaused(StatementShape shape) {
    Long until = paused.get(shape);
    if (until != null && System.nanoTime() - until >= 0) {
      paused.remove(shape, until);
      return false;
    }
    return until != null;
  }

  /** Notes how a refresh has ended. */
  void refreshed(StatementShape shape, boolean replaced, boolean failed) {
    cache.count(replaced ? CacheCount.STALE_REFRESHES : CacheCount.STALE_REFRESH_FAILURES);
    if (failed && !replaced) {
      long now = System.nanoTime();
      if (paused.size() >= MOST_PAUSED) {
        paused.values().removeIf(until -> now - until >= 0);
      }
      if (paused.size() < MOST_PAUSED) {
        paused.put(shape, now + PAUSE_NANOS);
      }
    }
  }
}
