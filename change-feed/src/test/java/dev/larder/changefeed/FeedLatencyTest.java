package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.feed.FeedStatus;
import dev.larder.store.TableTag;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long after its acknowledgement a commit is published, and what the threads cost. */
@Tag("proof")
final class FeedLatencyTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final int SECONDS = 20;

  @AutoClose private static FeedServer server;
  private static String database;

  @BeforeAll
  static void start() throws IOException, SQLException {
    server = FeedServer.start();
    database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item SELECT i, 'a' FROM generate_series(1, 1000) i",
        "CREATE PUBLICATION larder FOR TABLE item");
  }

  @Test
  void aCommitIsPublishedWithinMilliseconds() throws Exception {
    try (Following following = Following.live(server.url(database));
        Connection writer = server.connect(database);
        PreparedStatement update =
            writer.prepareStatement("UPDATE item SET name = name || '.' WHERE id = ?")) {
      following.awaitFresh();
      print("50 commits a second", measure(following, update, 500, Duration.ofMillis(20)));
      print("1,000 commits a second", measure(following, update, 5_000, Duration.ofMillis(1)));
      assertThat(following.status().losses()).isZero();
    }
  }

  /** Returns the times from acknowledged to published, sorted. */
  private static long[] measure(
      Following following, PreparedStatement update, int commits, Duration pause)
      throws SQLException {
    TableTag tag = following.tag("public.item");
    List<long[]> acknowledged = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    long next = System.nanoTime();
    long before = following.writes().published();
    for (int i = 0; i < commits; i++) {
      update.setInt(1, 1 + i % 1000);
      update.execute();
      acknowledged.add(new long[] {System.nanoTime(), before + i + 1});
      next += pause.toNanos();
      do {
        settle(following, acknowledged, times);
        LockSupport.parkNanos(20_000);
      } while (System.nanoTime() < next);
    }
    while (!acknowledged.isEmpty()) {
      settle(following, acknowledged, times);
      LockSupport.parkNanos(20_000);
    }
    assertThat(tag.inFlight()).isZero();
    return times.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private static void settle(Following following, List<long[]> acknowledged, List<Long> times) {
    long published = following.writes().published();
    long now = System.nanoTime();
    acknowledged.removeIf(
        each -> {
          boolean done = each[1] <= published;
          if (done) {
            times.add(now - each[0]);
          }
          return done;
        });
  }

  private static void print(String what, long[] sorted) {
    long half = sorted[sorted.length / 2];
    long most = sorted[sorted.length * 99 / 100];
    System.out.printf(
        "%s: acknowledged to published, p50 %.2f ms, p99 %.2f ms, most %.2f ms%n",
        what, half / 1e6, most / 1e6, sorted[sorted.length - 1] / 1e6);
    assertThat(Duration.ofNanos(half)).isLessThan(Duration.ofMillis(50));
    assertThat(Duration.ofNanos(most)).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void anIdleFeedTakesNoProcessor() throws Exception {
    try (Following following = Following.live(server.url(database));
        Connection writer = server.connect(database);
        PreparedStatement update =
            writer.prepareStatement("UPDATE item SET name = '.' WHERE id = ?")) {
      following.awaitFresh();
      Waiting.pass(Duration.ofSeconds(12)); // From then on it rests.
      double begun = idle("an idle feed that has just begun");
      measure(following, update, 20_000, Duration.ofNanos(500_000));
      Waiting.pass(Duration.ofSeconds(12));
      double used = idle("an idle feed that has told of 20,000 commits");
      assertThat(begun).isLessThan(5);
      assertThat(used).isLessThan(5);
      assertThat(following.status().state()).isEqualTo(FeedStatus.State.LIVE);
      assertThat(following.status().losses()).isZero();
    }
  }

  /**
   * Returns how many milliseconds of processor its threads take in a second of nothing. On some
   * virtual machines to wait costs much by itself: it says how much beside it.
   */
  private static double idle(String what) throws SQLException, InterruptedException {
    String logged = server.ask("postgres", "SELECT pg_current_wal_insert_lsn()");
    AtomicLong waiting = new AtomicLong();
    Thread waiter = new Thread(() -> waiting.set(waitOnly()));
    waiter.start();
    long cpu = processorNanos();
    Waiting.pass(Duration.ofSeconds(SECONDS));
    double millis = (processorNanos() - cpu) / 1e6 / SECONDS;
    waiter.join();
    long written =
        Long.parseLong(
            server.ask(
                "postgres", "SELECT pg_current_wal_insert_lsn() - '" + logged + "'::pg_lsn"));
    System.out.printf(
        "%s: %.2f ms of processor a second, %d bytes of log; a thread that does nothing but wait as"
            + " often: %.2f ms%n",
        what, millis, written, waiting.get() / 1e6 / SECONDS);
    assertThat(written).isLessThan(16_384);
    return millis;
  }

  /** Waits as often as an idle feed asks; returns the processor time that this took. */
  private static long waitOnly() {
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(750).toNanos());
    }
    return THREADS.getCurrentThreadCpuTime();
  }

  private static long processorNanos() {
    return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
        .filter(thread -> thread != null && thread.getThreadName().startsWith("larder-feed"))
        .mapToLong(ThreadInfo::getThreadId)
        .map(THREADS::getThreadCpuTime)
        .sum();
  }
}
