package dev.larder.changefeed.server;

import dev.larder.changefeed.coverage.CoverageWatch;
import dev.larder.changefeed.server.FeedFailure.Step;
import dev.larder.changefeed.server.Holdups.Holdup;
import dev.larder.feed.FeedSettings;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.FollowedWrites;
import dev.larder.feed.ServerSnapshot;
import dev.larder.log.CacheLog;
import dev.larder.log.CacheLog.Trouble;
import dev.larder.store.Daemon;
import dev.larder.store.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that asks the server what is visible: at once when the log has told of a commit, again
 * after short pauses while it is not visible yet, and else now and then; less often while nobody
 * looks anything up. It also looks which tables are covered, and what is waited for.
 */
final class Asker {
  /** How long a position may be unreached before a message is written into the log. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

  private static final long SHORTEST_NANOS = Duration.ofNanos(100_000).toNanos();
  private static final long LONGEST_NANOS = Duration.ofMillis(20).toNanos();

  /** How long after a question another may be asked because somebody waits for the answer. */
  private static final long HURRIED_NANOS = Duration.ofMillis(1).toNanos();

  /** How long nobody must have looked anything up until it is asked less often. */
  private static final long UNUSED_NANOS = Duration.ofSeconds(10).toNanos();

  /** So many times less. */
  private static final int REST = 3;

  private static final long LOOK_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long HOLDUP_NANOS = Duration.ofMillis(500).toNanos();

  /** How long nothing may come from the log although something was written. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(60).toNanos();

  private static final int MOST_FAILED_LOOKS = 3;

  private final Work work;
  private final FollowedWrites writes;
  private final LogMessages messages;
  private final Thread thread;
  private volatile boolean woken;
  private volatile boolean hurried;
  private long pauseNanos = SHORTEST_NANOS;
  private long askedNanos = System.nanoTime();
  private long lookedNanos = System.nanoTime();
  private long usedNanos = System.nanoTime();
  private long heldUpNanos = System.nanoTime() - HOLDUP_NANOS;
  private boolean live;
  private int failedLooks;

  /**
   * What it has to do.
   *
   * @param version of the server, as 170004
   */
  record Work(
      FeedSession session,
      FollowedDatabase followed,
      FeedSettings settings,
      Connection connection,
      int version,
      CoverageWatch coverage) {}

  private Asker(Work work) {
    this.work = work;
    this.writes = work.followed().writes();
    this.messages = new LogMessages(work.connection(), work.version());
    this.thread = new Thread(null, this::run, "larder-feed-asker", 0, false);
  }

  /** Starts one. */
  static Asker start(Work work) throws FeedFailure {
    Asker asker = new Asker(work);
    asker.thread.setContextClassLoader(null);
    if (!Daemon.start(asker.thread)) {
      throw new FeedFailure(Trouble.FEED_LOST, "the system has no thread to give", "", null);
    }
    return asker;
  }

  /** Has it ask at once. */
  void wake() {
    woken = true;
    LockSupport.unpark(thread);
  }

  /** Has it ask soon, unless it has just asked. */
  private void hurry() {
    if (!hurried) {
      hurried = true;
      LockSupport.unpark(thread);
    }
  }

  /** Waits until it has ended: answers have a limit, and so it does. */
  void awaitEnd() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    work.followed().asksSoon(this::hurry);
    try (Question question = new Question(work.connection());
        Surroundings surroundings =
            new Surroundings(
                work.connection(),
                work.session().slot(),
                work.settings().publication(),
                work.version())) {
      while (!work.session().isEnded() && !work.followed().endIfUnused()) {
        if (work.session().isReading()) {
          ask(question, surroundings);
        } else {
          lookWhatHoldsUp();
          park(HOLDUP_NANOS);
        }
      }
    } catch (Throwable t) {
      work.session().fail(Step.ASKING, t);
    } finally {
      work.followed().asksSoon(() -> {});
      finish();
    }
  }

  private void finish() {
    try {
      if (work.session().step() == Step.MAKING_A_SLOT) {
        Holdups.end(work.connection(), work.session().slot());
      }
    } catch (SQLException e) {
      // The next session tries it again.
    } finally {
      work.session().abort();
    }
  }

  private void ask(Question question, Surroundings surroundings) throws SQLException, FeedFailure {
    woken = false;
    hurried = false;
    askedNanos = System.nanoTime();
    if (writes.needsHorizon()) {
      writes.settles(question.horizon());
    }
    if (work.coverage().needsHorizon()) {
      work.coverage().settles(question.horizon());
    }
    cover(question.ask(writes));
    FollowedWrites.Phase phase = writes.phase();
    if (phase == FollowedWrites.Phase.SETTLING) {
      lookWhatHoldsUp();
    } else if (phase == FollowedWrites.Phase.LIVE && !live) {
      live = true;
      work.session().becameLive();
      CacheLog.info(
          "Larder follows the log of " + work.followed().name() + ", " + work.settings() + '.');
      woken = true; // Nothing is fresh yet.
    }
    if (System.nanoTime() - lookedNanos > LOOK_NANOS) {
      look(surroundings);
    }
    pause(phase);
  }

  private void cover(ServerSnapshot snapshot) {
    if (work.coverage().isWaiting()) {
      work.coverage().seen(snapshot);
      work.followed().covered(work.coverage().coverage());
    }
  }

  /** Looks which tables are covered, and whether the server takes this for a standby. */
  private void look(Surroundings surroundings) throws SQLException, FeedFailure {
    lookedNanos = System.nanoTime();
    try {
      surroundings.lookIfChanged(this::look);
      failedLooks = 0;
    } catch (SQLException e) {
      // A table may have been dropped meanwhile.
      failedLooks++;
      if (failedLooks == MOST_FAILED_LOOKS || !work.connection().isValid(1)) {
        throw e;
      }
    }
  }

  private void look() throws SQLException, FeedFailure {
    ServerNeeds.checkStandbys(ServerNeeds.read(work.connection()));
    Holdups.checkIsThere(work.connection(), work.session().slot());
    boolean found = work.coverage().look(work.connection());
    work.followed().missed(work.coverage().rewritten());
    work.followed().covered(work.coverage().coverage());
    if (!found) {
      throw work.session().noPublication();
    }
  }

  private void lookWhatHoldsUp() throws SQLException {
    if (System.nanoTime() - heldUpNanos < HOLDUP_NANOS) {
      return;
    }
    heldUpNanos = System.nanoTime();
    Holdup found =
        work.session().isReading()
            ? Holdups.of(work.connection(), writes.settling())
            : Holdups.of(work.connection(), work.session().slot());
    work.session().waitsFor(found);
  }

  private void pause(FollowedWrites.Phase phase) throws SQLException, FeedFailure {
    long due = askedNanos + untilNext(phase);
    boolean written = false;
    while (!woken && !work.session().isEnded()) {
      long now = System.nanoTime();
      long left = (hurried ? Math.min(due, askedNanos + HURRIED_NANOS) : due) - now;
      if (left <= 0) {
        return;
      }
      long behind = Moment.now() - writes.behindSince();
      if (writes.isBehind() && !written) {
        if (behind >= PATIENCE_NANOS) {
          written = true;
          messages.write(writes.position());
          checkSilence(behind);
        } else {
          left = Math.min(left, PATIENCE_NANOS - behind);
        }
      }
      park(left);
    }
  }

  private long untilNext(FollowedWrites.Phase phase) {
    if (phase == FollowedWrites.Phase.SETTLING) {
      return LONGEST_NANOS;
    }
    if (writes.isPending()) {
      long pause = pauseNanos;
      pauseNanos = Math.min(2 * pause, LONGEST_NANOS);
      return pause;
    }
    pauseNanos = SHORTEST_NANOS;
    long interval = work.settings().askInterval().toNanos();
    if (work.followed().wasUsed()) {
      usedNanos = askedNanos;
    }
    boolean unused = askedNanos - usedNanos > UNUSED_NANOS;
    return unused && work.followed().rest() ? REST * interval : interval;
  }

  private void checkSilence(long behind) throws FeedFailure {
    long silent = System.nanoTime() - work.session().heardNanos();
    if (Math.min(silent, behind) > SILENCE_NANOS) {
      throw new FeedFailure(
          Trouble.FEED_LOST, "nothing has come from the log for a minute", "", null);
    }
  }

  /** Waits without the lock of anything; a wake that comes before ends it at once. */
  private void park(long nanos) {
    if (!woken) {
      LockSupport.parkNanos(this, nanos);
    }
    Thread.interrupted(); // Nobody has a reason to, and it would not pause any more.
  }

  boolean messagesAreForbidden() {
    return messages.areForbidden();
  }
}
