package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories of readers with a feed and of writers outside. {@code -Dlarder.feed.seconds=…} runs
 * each for so long.
 */
@Tag("proof")
@Tag("each-server")
final class FollowedHistoryTest {
  private static final Duration TIME = Duration.ofSeconds(Long.getLong("larder.feed.seconds", 10));

  private static void holds(
      Duration maxLag,
      String options,
      long pauseMicros,
      FollowedHistory.@Nullable Fault fault,
      String... settings)
      throws Exception {
    try (FeedServer server = FeedServer.start(settings)) {
      FollowedHistory history = new FollowedHistory(server, maxLag, options);
      history.run(TIME, 3, 2, pauseMicros, fault);

      System.out.println(
          "proof: reads beside writers outside="
              + history.reads()
              + "\nproof: hits beside writers outside="
              + history.hits()
              + "\nproof: writes outside="
              + history.writes()
              + "\nthe oldest row was outdated for "
              + history.worstMicros()
              + " µs");
      assertThat(history.violations()).isEmpty();
      assertThat(history.quiescence()).isEmpty();
      assertThat(history.hits()).isGreaterThan(history.reads() / 10);
      assertThat(history.writes()).isGreaterThan(TIME.toSeconds() * 20);
    }
  }

  @Test
  void noRowIsOlderThanTheBound() throws Exception {
    holds(Duration.ofSeconds(1), "", 10_000, null);
  }

  @Test
  void noRowIsOlderThanAShortBoundWithManyWrites() throws Exception {
    holds(Duration.ofMillis(200), "&larder.feed.askInterval=20ms", 500, null);
  }

  @Test
  void aSessionSeesNoTimeRunBackwards() throws Exception {
    holds(
        Duration.ofSeconds(1),
        "&larder.feed.order=session&larder.feed.askInterval=10ms",
        20_000,
        null);
  }

  @Test
  void noRowIsOlderWhenTheFeedIsLost() throws Exception {
    holds(
        Duration.ofMillis(500),
        "",
        5_000,
        (history, random) -> {
          try {
            history.killWalsenders();
          } catch (SQLException e) {
            // It is tried again.
          }
        });
  }

  @Test
  void noRowIsOlderWhenTheServerEndsTheSlotOfASlowReader() throws Exception {
    AtomicLong lost = new AtomicLong();
    holds(
        Duration.ofMillis(500),
        "",
        5_000,
        (history, random) -> {
          if (history.loseSlot(Duration.ofMillis(300 + random.nextInt(700)))) {
            lost.incrementAndGet();
          }
        },
        "max_slot_wal_keep_size=1MB");
    System.out.println("slots that the server has ended: " + lost);
    assertThat(lost.get()).isGreaterThan(TIME.toSeconds() / 5);
  }
}
