package dev.larder.engine;

import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.Lookup.Sharing;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteQuestion;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The execution of one miss, while others that miss the same key wait for it. It says only that it
 * has ended, not how: whoever has waited looks up again. Thread-safe.
 */
public final class Flight {
  private final Flights flights;
  private final QueryKey key;
  private final ShapePlan shape;
  private final long deadlineNanos;
  private final Thread leader = Thread.currentThread();
  private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  /** What this JVM has the lease of; null for nothing. The leader's own. */
  private @Nullable RemoteQuestion leased;

  Flight(Flights flights, QueryKey key, ShapePlan shape, long deadlineNanos) {
    this.flights = flights;
    this.key = key;
    this.shape = shape;
    this.deadlineNanos = deadlineNanos;
  }

  QueryKey key() {
    return key;
  }

  /** Returns whether the calling thread asks the database. */
  public boolean isLedHere() {
    return leader == Thread.currentThread();
  }

  /** Returns whether nobody need wait for it any more. */
  public boolean hasEnded() {
    return ended;
  }

  /** Returns how long it may still be waited for; not above 0 where it takes too long already. */
  public long leftNanos() {
    return deadlineNanos - System.nanoTime();
  }

  /**
   * Asks for the lease of what the leader has missed. The JVM then has it until the flight ends.
   *
   * @return whether no other JVM is known to have it
   */
  public boolean takesLease(Miss miss) {
    Sharing shared = miss.capture().shared();
    RemoteCache remote = flights.sharedCache();
    if (shared == null || remote == null) {
      return true;
    }
    if (!remote.lease(shared.question(), Flights.leaseNanos(shape, miss))) {
      return false;
    }
    leased = shared.question();
    return true;
  }

  /** Has the calling thread woken when it ends, from {@link LockSupport#park}. */
  public void wakesMe() {
    waiting.add(Thread.currentThread());
  }

  /**
   * Lets everybody go who waits for it. To end it twice changes nothing.
   *
   * @param answered whether the database has answered, and did not fail
   */
  public void end(boolean answered) {
    if (!ended && (answered || ProtocolStep.END_FAILED_FLIGHTS.isTaken())) {
      ended = true;
      if (!answered) {
        shape.runs().vain();
      }
      flights.ended(this);
      RemoteCache remote = leased == null ? null : flights.sharedCache();
      if (remote != null && leased != null && ProtocolStep.RELEASE_LEASES.isTaken()) {
        remote.release(leased);
      }
      waiting.forEach(LockSupport::unpark);
    }
  }
}
