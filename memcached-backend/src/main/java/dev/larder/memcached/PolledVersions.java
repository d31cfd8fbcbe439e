package dev.larder.memcached;

import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.memcached.protocol.VersionReply;
import dev.larder.store.Daemon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Versions as they were a moment ago: all that were asked for lately are read again once a period,
 * in one round trip, by a daemon thread that is there as long as somebody asks. Thread-safe.
 *
 * <p>A version is used for the period and the timeout after its question was sent, by the monotonic
 * clock of this JVM; a thread that pauses for longer makes nothing older, for its answers are then
 * used no more. Versions that were read at several moments are as good as those of the earliest:
 * what has one token at two moments had it in between.
 */
final class PolledVersions implements AutoCloseable {
  private static final long INTEREST = TimeUnit.SECONDS.toNanos(10);

  private final RemoteVersions versions;
  private final long periodNanos;
  private final long usableNanos;
  private final String name;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private volatile boolean closed;
  private volatile boolean running;

  /** Another one whenever something else is known. */
  private final AtomicLong turn = new AtomicLong();

  /** What was read of a key; another one takes its place. */
  private static final class Known {
    final VersionReply reply;
    final long sentAt;

    /** When somebody wanted it last; racy, and better so than a write each time. */
    long wantedAt;

    Known(VersionReply reply, long sentAt, long wantedAt) {
      this.reply = reply;
      this.sentAt = sentAt;
      this.wantedAt = wantedAt;
    }
  }

  /**
   * Creates it.
   *
   * @param timeout the longest that a round trip takes
   */
  PolledVersions(RemoteVersions versions, Duration period, Duration timeout, String name) {
    this.versions = versions;
    this.periodNanos = period.toNanos();
    this.usableNanos = period.plus(timeout).toNanos();
    this.name = name;
  }

  /**
   * What is known of some keys; another one takes its place. Immutable.
   *
   * @param sentAt of the earliest of the questions
   */
  record Answer(long turn, long serverGeneration, long sentAt, VersionReading reading) {}

  /**
   * Returns what is known of {@code keys}, or null where that is not enough.
   *
   * @param last what was returned for them last; null for nothing
   * @param now by {@link System#nanoTime}, when the read had begun
   */
  @Nullable Answer read(List<String> keys, long serverGeneration, @Nullable Answer last, long now) {
    long present = turn.get();
    boolean same =
        last != null && last.turn == present && last.serverGeneration == serverGeneration;
    Answer answer = same ? last : read(keys, serverGeneration, present, now);
    return answer == null || now - answer.sentAt > usableNanos ? null : answer;
  }

  private @Nullable Answer read(List<String> keys, long serverGeneration, long present, long now) {
    List<VersionReply> replies = new ArrayList<>(keys.size());
    long earliest = now;
    for (String key : keys) {
      Known one = known.get(key);
      if (one == null) {
        return null;
      }
      if (now - one.wantedAt > periodNanos) {
        one.wantedAt = now;
      }
      earliest = Math.min(earliest - now, one.sentAt - now) + now;
      replies.add(one.reply);
    }
    return new Answer(
        present, serverGeneration, earliest, VersionReading.of(keys, replies, serverGeneration));
  }

  /**
   * Notes what somebody has read.
   *
   * @param sentAt before the question was sent
   */
  void note(List<String> keys, List<VersionReply> replies, long sentAt) {
    for (int i = 0; i < keys.size(); i++) {
      note(keys.get(i), replies.get(i), sentAt, sentAt);
    }
    turn.incrementAndGet();
    start();
  }

  private void note(String key, VersionReply reply, long sentAt, long wantedAt) {
    known.merge(
        key,
        new Known(reply, sentAt, wantedAt),
        (before, after) -> before.sentAt - after.sentAt > 0 ? before : after);
  }

  private void start() {
    if (!running) {
      synchronized (this) {
        if (!running && !closed) {
          running = Daemon.start(new Thread(this::run, name));
        }
      }
    }
  }

  /** If an error ends the thread, whoever reads versions next starts another. */
  private void run() {
    try {
      while (isNeeded()) {
        long begin = System.nanoTime();
        poll(begin);
        LockSupport.parkNanos(begin + periodNanos - System.nanoTime());
      }
    } catch (Throwable t) {
      running = false;
      throw t;
    }
  }

  private synchronized boolean isNeeded() {
    long now = System.nanoTime();
    known.values().removeIf(one -> now - one.wantedAt > INTEREST);
    running = !known.isEmpty() && !closed;
    return running;
  }

  private void poll(long sentAt) {
    List<String> keys = new ArrayList<>();
    List<Long> wanted = new ArrayList<>();
    known.forEach(
        (key, one) -> {
          keys.add(key);
          wanted.add(one.wantedAt);
        });
    List<VersionReply> replies = versions.look(keys);
    for (int i = 0; i < keys.size(); i++) {
      if (replies.get(i).outcome() != VersionReply.Outcome.UNKNOWN) {
        note(keys.get(i), replies.get(i), sentAt, wanted.get(i));
      }
    }
    turn.incrementAndGet();
  }

  @Override
  public void close() {
    closed = true;
    known.clear();
    turn.incrementAndGet();
  }
}
