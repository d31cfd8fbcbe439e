package dev.larder.changefeed.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.changefeed.FeedServer;
import dev.larder.changefeed.server.FeedFailure.Step;
import dev.larder.log.CacheLog.Trouble;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a server refuses is named by its cause, and comes with the cure of that cause. */
@Tag("gate")
final class FeedFailureTest {
  private static final String REPLICATION =
      "&replication=database&assumeMinServerVersion=10&preferQueryMode=simple";

  private static FeedFailure of(Step step, ThrowingCallable refused) {
    return FeedFailure.of(step, Objects.requireNonNull(Assertions.catchThrowable(refused)));
  }

  private static FeedFailure of(Step step, String words, String state) {
    return FeedFailure.of(step, new SQLException(words, state));
  }

  @Test
  void aServerThatAllowsNoSlotHasNoRoom() throws IOException, SQLException {
    try (FeedServer server = FeedServer.start("max_replication_slots=0");
        Connection connection = DriverManager.getConnection(server.url("postgres") + REPLICATION)) {
      FeedFailure failure =
          of(
              Step.MAKING_A_SLOT,
              () -> SlotCommands.of("larder", server.version()).make(connection));
      assertThat(failure.trouble()).isEqualTo(Trouble.FEED_ROOM);
      assertThat(failure.cure()).contains("max_replication_slots");
    }
  }

  @Test
  void aLimitOfTheRoleOrTheDatabaseIsNoLackOfWalsenders() throws IOException, SQLException {
    try (FeedServer server = FeedServer.start("max_wal_senders=0")) {
      server.execute("postgres", "CREATE ROLE narrow LOGIN CONNECTION LIMIT 0");
      FeedFailure limited =
          of(Step.ASKING, () -> DriverManager.getConnection(server.url("postgres", "narrow")));
      assertThat(limited.trouble()).isEqualTo(Trouble.FEED_ROOM);
      assertThat(limited.cure()).contains("CONNECTION LIMIT").doesNotContain("max_wal_senders");
      FeedFailure full =
          of(
              Step.CONNECTING,
              () -> DriverManager.getConnection(server.url("postgres") + REPLICATION));
      assertThat(full.trouble()).isEqualTo(Trouble.FEED_ROOM);
      assertThat(full.cure()).contains("max_wal_senders");
    }
  }

  @Test
  void aDatabaseThatIsNotThereIsTheWrongOne() throws IOException {
    try (FeedServer server = FeedServer.start()) {
      FeedFailure failure =
          of(Step.ASKING, () -> DriverManager.getConnection(server.url("nowhere")));
      assertThat(failure.trouble()).isEqualTo(Trouble.FEED_SERVER);
      assertThat(failure.cure()).contains("larder.feed.url");
    }
  }

  @Test
  void aRoleThatIsNotLetInIsNoLossOfTheFeed() {
    for (Step step : new Step[] {Step.ASKING, Step.CONNECTING}) {
      for (String state : new String[] {"28000", "28P01", "08004"}) {
        FeedFailure failure = of(step, "FATAL: not you", state);
        assertThat(failure.trouble()).as(state).isEqualTo(Trouble.FEED_ROLE);
        assertThat(failure.cure()).contains("password", "pg_hba.conf", "larder.feed.url");
      }
    }
    FeedFailure refused = of(Step.CONNECTING, "FATAL: permission denied", "42501");
    assertThat(refused.trouble()).isEqualTo(Trouble.FEED_ROLE);
    assertThat(refused.cure()).startsWith("ALTER ROLE");
  }

  @Test
  void allElseIsALoss() {
    assertThat(of(Step.READING, "an I/O error", "08006").trouble()).isEqualTo(Trouble.FEED_LOST);
    assertThat(of(Step.ASKING, "denied", "42501").trouble()).isEqualTo(Trouble.FEED_LOST);
    assertThat(of(Step.READING, "not ready", "55000").trouble()).isEqualTo(Trouble.FEED_LOST);
  }
}
