package dev.larder.engine;

import dev.larder.engine.Lookup.Expected;
import dev.larder.engine.Lookup.Miss;
import dev.larder.feed.FollowedDatabase;
import dev.larder.result.ResultComparison;
import dev.larder.store.Moment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The verification of a cache that follows the writes of others: a row may differ because a commit
 * is visible that was not announced yet. So a difference counts only once all that was visible is
 * announced, if what the result depends on has not changed until then. Of tables that the feed does
 * not tell of nothing counts. Thread-safe.
 */
final class FollowedVerification extends Verification {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final FollowedDatabase followed;
  private final long patienceNanos;

  /**
   * Creates the verification of a share of the hits of a cache.
   *
   * @param patienceNanos how long it is waited for what is announced
   */
  FollowedVerification(QueryCache cache, double share, long patienceNanos) {
    super(cache, share);
    this.followed = cache.database().feed().followed();
    this.patienceNanos = patienceNanos;
  }

  @Override
  boolean different(Plan plan, Miss miss, Expected expected, ResultComparison comparison) {
    Resolution resolution = miss.resolution();
    return (resolution.policy().areAllFollowed(resolution.statement())
            && isAllAnnounced()
            && mayCompare(miss, expected))
        ? super.different(plan, miss, expected, comparison)
        : inconclusive();
  }

  private boolean isAllAnnounced() {
    long answered = Moment.now();
    followed.askSoon();
    while (followed.writes().fresh() < answered) {
      if (Moment.now() - answered > patienceNanos || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }
}
