package dev.larder.engine;

import dev.larder.FeedOptions;
import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Asked;
import dev.larder.engine.Lookup.Miss;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.FollowedWrites;
import dev.larder.feed.ThreadPosition;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.Moment;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.VersionVector;
import dev.larder.store.Weighed;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Finds and keeps results of a database whose log is {@linkplain FollowedWrites followed}, because
 * others write, too. A result that is current is hit if all that was visible at a moment that is
 * not too long ago has been announced, or if the result itself was asked for since then. So nothing
 * is older than the declared time, whatever happens to the feed. Thread-safe.
 */
final class FollowedLookups extends LocalLookups {
  /** How many results can be kept at once. */
  private static final int LOCKS = 64;

  private static final long OPEN = 0;

  private final QueryCache cache;
  private final ResultStore store;
  private final FollowedDatabase followed;
  private final FollowedWrites writes;
  private final long maxLagNanos;
  private final Object[] locks = new Object[LOCKS];
  private final LongAdder tooOld = new LongAdder();

  /** Since when results were not used; racy: two threads may note two moments that are near. */
  private volatile long closedSince = OPEN;

  private long closedNanos; // Guarded by this.

  FollowedLookups(QueryCache cache, ResultStore store) {
    super(cache, store);
    this.cache = cache;
    this.store = store;
    this.followed = cache.database().feed().followed();
    this.writes = followed.writes();
    this.maxLagNanos = cache.config().get(FeedOptions.MAX_LAG).toNanos();
    Arrays.setAll(locks, index -> new Object());
  }

  @Override
  public Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    return session.transaction().hasSnapshot() && ProtocolStep.BYPASS_SNAPSHOTS.isTaken()
        ? cache.bypass(shape, BypassReason.FOLLOWED_SNAPSHOT)
        : super.lookup(shape, key, resolution, session);
  }

  /** Before the epoch is read, by which the entry is found current, it is seen what is known. */
  @Override
  @Nullable CacheEntry find(QueryKey key, Resolution resolution, SessionView session) {
    followed.use();
    long fresh = writes.fresh();
    CacheEntry found = super.find(key, resolution, session);
    if (found == null || !isKnown(found, resolution, fresh)) {
      return null;
    }
    FollowedSession own = session.followed();
    return threadMaySee() && (own == null || own.maySee(found, fresh, resolution)) ? found : null;
  }

  private boolean threadMaySee() {
    ThreadPosition thread = ThreadPosition.current();
    if (thread == null
        || thread.isWithin(cache.database().identity().systemIdentifier(), followed.reached())) {
      return true;
    }
    followed.askSoon();
    return false;
  }

  private boolean isKnown(CacheEntry entry, Resolution resolution, long fresh) {
    long now = Moment.now();
    if (fresh >= now - maxLagNanos && resolution.policy().knowsCoverage()) {
      if (closedSince != OPEN) {
        open(now);
      }
      return true;
    }
    boolean known = isKnownAnyway(entry, resolution, now - maxLagNanos);
    if (!known) {
      tooOld.increment();
      closedSince = closedSince == OPEN ? now : closedSince;
    }
    return known;
  }

  /** Returns whether an entry may be hit although it is not known what others have written. */
  private boolean isKnownAnyway(CacheEntry entry, Resolution resolution, long oldest) {
    return (entry.attached() instanceof ShownTimed shown && shown.sent() >= oldest)
        || !resolution.policy().isFollowed(resolution.statement())
        || !ProtocolStep.LIMIT_UNKNOWN.isTaken();
  }

  private synchronized void open(long now) {
    if (closedSince != OPEN) {
      closedNanos += now - closedSince;
      closedSince = OPEN;
    }
  }

  /** Returns how often a result was not used because it was not known what others have written. */
  long tooOld() {
    return tooOld.sum();
  }

  /** Returns for how long that was so, as far as somebody asked. */
  synchronized long closedNanos() {
    long since = closedSince;
    return closedNanos + (since == OPEN ? 0 : Moment.now() - since);
  }

  @Override
  Lookup miss(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    Asked asked = new Asked(Moment.now(), Long.MAX_VALUE, false);
    return cache.misses().miss(shape, key, resolution, session, asked);
  }

  @Override
  @Nullable Weighed attached(
      Resolution resolution, VersionVector captured, @Nullable CacheEntry before) {
    return before == null ? null : before.attached(); // It was not asked for again.
  }

  /**
   * A commit may be visible before it is announced. So of two results that were asked for at the
   * same time, under the same versions, one can be older: nobody knows which, and none is kept.
   */
  @Override
  public long keep(Miss miss, VersionVector captured, CachedResult result, long databaseNanos) {
    Asked asked = miss.asked();
    if (asked == null) {
      return 0; // Nobody knows how old it is.
    }
    synchronized (locks[Math.floorMod(miss.key().hashCode(), LOCKS)]) {
      CacheEntry other = store.get(miss.key());
      if (other != null
          && other.attached() instanceof ShownTimed shown
          && asked.sent() < shown.there()
          && cache.database().versions().isCurrent(other)
          && !isSame(other.result(), result)
          && ProtocolStep.KEEP_NEITHER.isTaken()) {
        store.remove(miss.key(), other);
        return 0;
      }
      return super.keep(miss, captured, result, databaseNanos);
    }
  }

  private static boolean isSame(CachedResult one, CachedResult other) {
    int rows = one.rows().count();
    int columns = one.columns().count();
    if (rows != other.rows().count() || !one.columns().equals(other.columns())) {
      return false;
    }
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        if (!Arrays.equals(one.rows().value(row, column), other.rows().value(row, column))) {
          return false;
        }
      }
    }
    return true;
  }
}
