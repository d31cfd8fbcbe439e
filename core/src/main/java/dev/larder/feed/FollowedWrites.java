package dev.larder.feed;

import dev.larder.store.Moment;
import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The protocol by which the commits that a server's log tells of become writes of {@link
 * TableVersions}. Thread-safe; nothing blocks or does I/O.
 *
 * <p><b>A commit is in the log before it is visible.</b> Who would publish it at its message, and
 * then keep what a snapshot without it returns, would have the old row for ever. So a message is an
 * announce, and the publish waits for a snapshot that sees the transaction as ended.
 *
 * <ol>
 *   <li>The message of a commit is {@linkplain #committed announced}, and nothing else.
 *   <li>Another connection asks the server for a snapshot and for where its log ends, the insert
 *       position and not the flushed one: an asynchronous commit is visible before it is flushed.
 *       {@link #question} is called before that is sent, {@link #answered} with the answer.
 *   <li>A commit is published once a snapshot that was asked for after its announce does not have
 *       it in progress. On a primary no later snapshot has.
 *   <li>{@link #reached} says up to where messages were handled. Once that is where the log ended
 *       in an answer, everything that was visible when it was asked for has been announced, as it
 *       was in the log before: {@link #fresh} is that moment.
 *   <li>A hit needs that its stamps hold, and that {@code fresh}, which is read before, is late
 *       enough.
 *   <li>Before anything can be {@code fresh}, the commits that were in the log before the reading
 *       began must be visible: every transaction must have ended that has an identifier before one
 *       that was {@linkplain #settles assigned} after the reading began. A snapshot does not name
 *       them all: those that have begun since the last one ended are beyond its end. Then
 *       everything is published.
 * </ol>
 *
 * <p>So an entry that was captured before the announce is ended by the publish; one that was
 * captured between the two finds the writer in flight; one that was captured after the publish was
 * read from a snapshot later than the one that saw the commit. No clocks of two machines are
 * compared.
 */
public final class FollowedWrites {
  /** What {@link #fresh} is while nothing is known: before every moment. */
  public static final long NEVER = Long.MIN_VALUE / 2;

  private static final int MOST_UNREACHED = 1_024;

  /** How far the following is. */
  public enum Phase {
    /** Nobody reads the log. */
    OFF,
    /** It is read, and commits from before may not be visible yet. */
    SETTLING,
    /** Everything is announced. */
    LIVE
  }

  /**
   * A question to the server that is about to be sent.
   *
   * @param moment by {@link Moment}
   * @param announced how many commits had been announced
   */
  public record Question(long moment, long announced) {}

  private record Announced(int transaction, long number, PendingWrite write) {}

  private record Answered(long moment, long logEnd) {}

  private final TableVersions versions;

  // Guarded by this.
  private final ArrayDeque<Announced> pending = new ArrayDeque<>();
  private final ArrayDeque<Answered> unreached = new ArrayDeque<>();
  private Set<Long> settling = Set.of();
  private Phase phase = Phase.OFF;
  private long horizon;
  private long announced;
  private long published;

  /** Written under this. */
  private volatile long position;

  /** Written under this; read by hits. */
  private volatile long fresh = NEVER;

  /** Creates what nobody has begun to read for yet. */
  public FollowedWrites(TableVersions versions) {
    this.versions = versions;
  }

  /**
   * Returns a moment such that every commit that was visible then is announced; {@link #NEVER}
   * where there is none.
   */
  public long fresh() {
    return fresh;
  }

  /** Returns how far the following is. */
  public synchronized Phase phase() {
    return phase;
  }

  /** Returns how many commits were announced so far, and wait to be visible or have been. */
  public synchronized long announced() {
    return announced;
  }

  /** Returns how many commits were published so far. */
  public synchronized long published() {
    return published;
  }

  /** Returns whether an answer is waited for: a commit may not be visible yet. */
  public synchronized boolean isPending() {
    return !pending.isEmpty();
  }

  /** Returns whether the log has not been read up to where it ended in the last answer. */
  public synchronized boolean isBehind() {
    return !unreached.isEmpty();
  }

  /**
   * Says that the log is read from a consistent point on, which lies before this call: every later
   * commit will be told of.
   */
  public synchronized void begun() {
    stopped();
    phase = Phase.SETTLING;
  }

  /**
   * Says which transactions may have committed before the reading began: those before {@code
   * horizon}.
   *
   * @param horizon the identifier, with its epoch, of a transaction of the feed's own that has
   *     ended, and that has begun after {@link #begun} was called
   */
  public synchronized void settles(long horizon) {
    if (phase == Phase.SETTLING) {
      this.horizon = horizon;
    }
  }

  /**
   * Says that the log is not read any more. What was announced is published: until {@link #begun}
   * and everything is published nothing is {@link #fresh}.
   */
  public synchronized void stopped() {
    fresh = NEVER;
    phase = Phase.OFF;
    position = 0;
    horizon = 0;
    unreached.clear();
    settling = Set.of();
    pending.forEach(each -> versions.publish(each.write()));
    published += pending.size();
    pending.clear();
  }

  /**
   * Announces a commit that the log tells of. To be called before {@link #reached} with its end.
   *
   * @param transaction its identifier, without the epoch
   * @param present returns whether the catalog is still that by which the writes were found; where
   *     it is not, it is a write of everything
   */
  public synchronized void committed(int transaction, WriteSet writes, BooleanSupplier present) {
    if (phase == Phase.OFF || writes.isEmpty()) {
      return;
    }
    PendingWrite write = versions.announce(writes);
    // After the announce: whoever changes the catalog widens what is announced.
    if (!writes.unknown() && !present.getAsBoolean()) {
      versions.widen(write);
    }
    announced++;
    if (ProtocolStep.PUBLISH_WHEN_VISIBLE.isTaken()) {
      pending.add(new Announced(transaction, announced, write));
    } else {
      versions.publish(write);
      published++;
    }
  }

  /** Says that everything before {@code position} in the log was handled. */
  public synchronized void reached(long position) {
    if (Long.compareUnsigned(position, this.position) > 0) {
      this.position = position;
      freshen();
    }
  }

  /** Returns up to where everything in the log was handled; 0 for nowhere yet. */
  public long position() {
    return position;
  }

  /** Returns when it was first asked where the log ends that is not reached; now if it is. */
  public synchronized long behindSince() {
    return unreached.isEmpty() ? Moment.now() : unreached.getFirst().moment();
  }

  /** Says that the server is about to be asked. */
  public synchronized Question question() {
    return new Question(Moment.now(), announced);
  }

  /**
   * Takes the answer to a question: published is what the snapshot sees.
   *
   * @param logEnd where the log ended, by its insert position
   */
  public synchronized void answered(Question question, ServerSnapshot snapshot, long logEnd) {
    Iterator<Announced> each = pending.iterator();
    while (each.hasNext()) {
      Announced one = each.next();
      if (one.number() <= question.announced() && !snapshot.isInProgress(one.transaction())) {
        versions.publish(one.write());
        published++;
        each.remove();
      }
    }
    if (phase == Phase.SETTLING) {
      settle(snapshot);
    } else if (phase == Phase.LIVE) {
      if (unreached.size() == MOST_UNREACHED) {
        unreached.removeLast(); // That position is passed on the way to the next.
      }
      unreached.add(new Answered(question.moment(), logEnd));
      freshen();
    }
  }

  private void settle(ServerSnapshot snapshot) {
    if (horizon == 0) {
      return;
    }
    settling = snapshot.inProgressBefore(horizon);
    if (snapshot.hasEndedBefore(horizon) || !ProtocolStep.SETTLE_BEFORE_FOLLOWING.isTaken()) {
      versions.publish(versions.announce(WriteSet.UNKNOWN));
      phase = Phase.LIVE;
    }
  }

  private void freshen() {
    while (!unreached.isEmpty()
        && Long.compareUnsigned(unreached.getFirst().logEnd(), position) <= 0) {
      fresh = Math.max(fresh, unreached.removeFirst().moment());
    }
  }

  /** Returns whether {@link #settles} is waited for. */
  public synchronized boolean needsHorizon() {
    return phase == Phase.SETTLING && horizon == 0;
  }

  /** Returns the transactions that must end before anything is fresh. */
  public synchronized Set<Long> settling() {
    return settling;
  }
}
