package dev.larder.engine;

import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.CacheEntry;
import dev.larder.store.Outdating;
import dev.larder.store.ProtocolStep;
import dev.larder.store.RecentWrites;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lets a cache use results for a declared time after they became outdated. Made with the first
 * statement that declares it, so that others cost nothing. Thread-safe.
 *
 * <p>From half of that time on, one execution at a time asks the database, while all others go on
 * with what there is.
 */
final class Staleness {
  private final QueryCache cache;
  private final RecentWrites writes;
  private final LongAdder hits = new LongAdder();

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

  /** Returns how often an outdated result was used. */
  long hits() {
    return hits.sum();
  }

  void resetStatistics() {
    hits.reset();
  }

  /** Notes that a session has read a result that is current. */
  void read(Resolution resolution, SessionView session) {
    SessionReads reads = session.reads();
    if (reads != null && reads.areKept()) {
      reads.saw(resolution.statement().readTags());
    }
  }

  /** Returns what the query or its tables declare, or else the session; 0 or less for nothing. */
  private static long stalenessNanos(Resolution resolution, SessionReads reads) {
    Duration declared = reads.staleness();
    return resolution.stalenessNanos() != 0 || declared == null
        ? resolution.stalenessNanos()
        : CachePolicy.nanos(declared);
  }

  /** Decides whether {@code entry}, which is not current, is used all the same. */
  boolean mayUse(CacheEntry entry, Resolution resolution, SessionView session) {
    ResolvedStatement statement = resolution.statement();
    SessionReads reads = session.reads();
    if (!(entry.attached() instanceof Shown shown)
        || reads == null
        || !reads.areKept()
        || stalenessNanos(resolution, reads) <= 0
        || !session.transaction().isPlain()
        || cache.database().quarantine().holds(statement.readTags())) {
      return false;
    }
    Outdating outdating = writes.outdating(entry);
    if (outdating == null || !reads.mayReadBefore(statement.readTags(), outdating.epoch())) {
      return false;
    }
    long now = System.nanoTime();
    long most = stalenessNanos(resolution, reads);
    long age = outdating.ageNanos(now);
    if ((age > most && ProtocolStep.LIMIT_OUTDATED.isTaken())
        || (age > most / 2 && outdating.isToAsk(now, most / 2))) {
      return false;
    }
    reads.saw(statement.readTags(), shown.epoch());
    hits.increment();
    return true;
  }
}
