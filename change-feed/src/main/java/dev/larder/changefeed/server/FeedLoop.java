package dev.larder.changefeed.server;

import dev.larder.feed.FeedSettings;
import dev.larder.feed.FeedStatus;
import dev.larder.feed.FeedStatus.State;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.RunningFeed;
import dev.larder.jdbc.feed.FeedConnections;
import dev.larder.log.CacheLog;
import dev.larder.store.Daemon;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that reads the log of a database, in one {@link FeedSession} after another.
 * Thread-safe.
 */
public final class FeedLoop implements RunningFeed {
  private static final long SHORTEST_NANOS = Duration.ofMillis(200).toNanos();
  private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

  private final FeedSettings settings;
  private final FollowedDatabase followed;
  private final FeedConnections connections;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;
  private volatile @Nullable FeedSession session;
  private volatile @Nullable FeedFailure failure;
  private final AtomicLong losses = new AtomicLong();
  private final AtomicLong readBytes = new AtomicLong();

  private FeedLoop(FeedSettings settings, FollowedDatabase followed, FeedConnections connections) {
    this.settings = settings;
    this.followed = followed;
    this.connections = connections;
  }

  /** Starts one. */
  public static FeedLoop start(
      FeedSettings settings, FollowedDatabase followed, FeedConnections connections) {
    FeedLoop loop = new FeedLoop(settings, followed, connections);
    loop.startThread();
    return loop;
  }

  /** Starts the thread; if the system has none to give, whoever asks for the status tries again. */
  private synchronized void startThread() {
    if (thread == null && !closed) {
      Thread made = new Thread(null, this::run, "larder-feed", 0, false);
      made.setContextClassLoader(null);
      if (Daemon.start(made)) {
        thread = made;
      }
    }
  }

  private void run() {
    followed.reading().lock();
    try {
      follow();
    } finally {
      followed.reading().unlock();
    }
  }

  private void follow() {
    long pause = SHORTEST_NANOS;
    String slot = "";
    while (!closed && !followed.endIfUnused()) {
      FeedSession next = new FeedSession(settings, followed, connections);
      session = next;
      if (closed) {
        next.end(); // Whoever has closed this has not seen it.
      }
      FeedFailure ended = next.run(slot);
      slot = next.slot();
      readBytes.addAndGet(next.readBytes());
      session = null;
      if (!closed) {
        failure = ended;
        losses.addAndGet(next.isReading() ? 1 : 0);
        report(ended);
        pause = next.wasLive() ? SHORTEST_NANOS : pause;
        sleep(pause);
        pause = Math.min(2 * pause, LONGEST_NANOS);
      }
    }
  }

  private void report(FeedFailure ended) {
    String detail = followed.name() + ": " + ended.because();
    if (ended.cure().isEmpty()) {
      CacheLog.trouble(ended.trouble(), detail);
    } else {
      CacheLog.troubleToCure(ended.trouble(), detail, ended.cure());
    }
  }

  /** Returns whether its thread has ended. */
  boolean hasEnded() {
    Thread started = thread;
    return started != null && !started.isAlive();
  }

  private void sleep(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !closed; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      Thread.interrupted(); // Nobody has a reason to, and it would not pause any more.
    }
  }

  @Override
  public FeedStatus status() {
    startThread();
    FeedSession now = session;
    FeedFailure last = failure;
    if (closed) {
      return status(State.OFF, "", "", now);
    }
    if (now == null || (last != null && now.step().compareTo(FeedFailure.Step.MAKING_A_SLOT) < 0)) {
      return last == null
          ? status(State.STARTING, "", "", now)
          : status(State.LOST, last.because(), last.cure(), now);
    }
    return switch (followed.writes().phase()) {
      case OFF -> status(State.STARTING, now.holdup().because(), now.holdup().cure(), now);
      case SETTLING -> status(State.SETTLING, now.holdup().because(), now.holdup().cure(), now);
      case LIVE -> live(now);
    };
  }

  private FeedStatus live(FeedSession now) {
    if (now.messagesAreForbidden()) {
      return status(
          State.LIVE,
          "the role may not write messages into the log, so that open transactions hold hits up",
          "GRANT EXECUTE ON FUNCTION pg_logical_emit_message(boolean, text, text, boolean) TO …",
          now);
    }
    return status(State.LIVE, "", "", now);
  }

  private FeedStatus status(State state, String because, String cure, @Nullable FeedSession of) {
    long read = readBytes.get() + (of == null ? 0 : of.readBytes());
    return new FeedStatus(state, because, cure, of == null ? "" : of.slot(), read, losses.get());
  }

  @Override
  public void close() {
    closed = true;
    FeedSession open = session;
    if (open != null) {
      open.end();
    }
    LockSupport.unpark(thread);
  }
}
