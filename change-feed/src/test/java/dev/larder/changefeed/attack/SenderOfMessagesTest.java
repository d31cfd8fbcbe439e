package dev.larder.changefeed.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.changefeed.FeedServer;
import dev.larder.changefeed.Following;
import dev.larder.feed.FeedStatus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody who may only connect writes large messages into the log. */
@Tag("each-server")
final class SenderOfMessagesTest {
  private static final int BYTES = 32 << 20;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messageDoesNotReachTheProcess(boolean transactional) throws Exception {
    try (FeedServer server = FeedServer.start()) {
      String database = server.createDatabase();
      server.execute(
          database,
          "CREATE TABLE item (id int PRIMARY KEY)",
          "CREATE PUBLICATION larder FOR TABLE item",
          "CREATE ROLE evil LOGIN");
      try (Following following = Following.live(server.url(database));
          Connection evil = DriverManager.getConnection(server.url(database, "evil"));
          Statement statement = evil.createStatement()) {
        long before = following.status().readBytes();
        statement.execute(
            "SELECT pg_logical_emit_message(%s, 'x', repeat('a', %d))"
                .formatted(transactional, BYTES));
        following.awaitFresh();

        assertThat(following.status().readBytes() - before).isLessThan(BYTES / 10);
        assertThat(following.status().losses()).isZero();
        assertThat(following.status().state()).isEqualTo(FeedStatus.State.LIVE);
      }
    }
  }
}
