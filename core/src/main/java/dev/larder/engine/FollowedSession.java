package dev.larder.engine;

import dev.larder.FeedOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.FeedOrder;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.LogPosition;
import dev.larder.feed.ThreadPosition;
import dev.larder.store.CacheEntry;
import dev.larder.store.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What a session must see of the writes of others, beyond what every session does: whatever is
 * before a position in the log, and with {@code larder.feed.order=session} whatever it has seen
 * before. Thread-safe.
 */
public final class FollowedSession {
  private static final long NEVER = Long.MIN_VALUE;

  private final FollowedDatabase followed;
  private final boolean ordered;

  /** What it has seen may be as late as this moment, if it is ordered. */
  private volatile long seen;

  private volatile @Nullable LogPosition position;

  /** What it sees must not be older than this moment. */
  private volatile long told = NEVER;

  private FollowedSession(FollowedDatabase followed, boolean ordered) {
    this.followed = followed;
    this.ordered = ordered;
  }

  /** Returns what a new session of {@code cache} must see; null where nobody follows others. */
  public static @Nullable FollowedSession of(QueryCache cache) {
    QueryCacheConfig config = cache.config();
    return config.isFollowing()
        ? new FollowedSession(
            cache.database().feed().followed(), config.get(FeedOptions.ORDER) == FeedOrder.SESSION)
        : null;
  }

  /** Says that the database has answered something. */
  public void answered() {
    if (ordered) {
      saw(Moment.now());
    }
  }

  /**
   * Says that another session has just told it something: what it sees from now on is no older than
   * this moment.
   */
  public void told() {
    told = Moment.now();
  }

  /** Sets from which position in the log on the session must see everything; null for none. */
  public void position(@Nullable LogPosition wanted) {
    position = wanted;
  }

  /** Returns from which position in the log on the session must see everything, or null. */
  public @Nullable LogPosition position() {
    return position;
  }

  /**
   * Returns whether a session, or what the thread does, asks for everything before a position: what
   * is outdated is not that, however long it may be used.
   */
  static boolean asksForPosition(SessionView session) {
    FollowedSession own = session.followed();
    ThreadPosition thread = ThreadPosition.current();
    return (own != null && own.position != null) || (thread != null && thread.asksForSomething());
  }

  /**
   * Returns whether an entry may be hit if it is current after this call.
   *
   * @param fresh up to when everything is known that was visible
   * @param resolution of what the entry is the result of
   */
  boolean maySee(CacheEntry entry, long fresh, Resolution resolution) {
    LogPosition wanted = position;
    boolean may =
        (wanted == null || wanted.isWithin(followed.reached()))
            && (told == NEVER || isNoOlder(entry, told, fresh, resolution))
            && (!ordered || isInOrder(entry, fresh));
    if (!may) {
      followed.askSoon();
    }
    return may;
  }

  private static boolean isNoOlder(
      CacheEntry entry, long moment, long fresh, Resolution resolution) {
    return (fresh >= moment && resolution.policy().areAllFollowed(resolution.statement()))
        || (entry.attached() instanceof ShownTimed shown && shown.sent() >= moment);
  }

  private boolean isInOrder(CacheEntry entry, long fresh) {
    ShownTimed shown = entry.attached() instanceof ShownTimed timed ? timed : null;
    if (shown == null || (fresh < seen && shown.sent() < seen)) {
      return false;
    }
    saw(shown.there());
    return true;
  }

  private synchronized void saw(long moment) {
    seen = Math.max(seen, moment);
  }
}
