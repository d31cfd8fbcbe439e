package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server ends a slot whose reader is too slow for it. */
@Tag("proof")
@Tag("each-server")
final class LostSlotTest {
  private static final int FIRST_WITH_IDLE_TIMEOUT = 180000;
  private static final String QUERY = "SELECT name FROM item WHERE id = ?";

  @AutoClose private static FeedServer server;

  private String database;

  @BeforeEach
  void create() throws SQLException {
    database = server.createItems();
  }

  @BeforeAll
  static void startServer() {
    server = FeedServer.start("max_slot_wal_keep_size=1MB");
  }

  /** Returns the slots of the database. */
  private String slots() throws SQLException {
    return server.ask(
        database,
        "SELECT string_agg(slot_name, ',') FROM pg_replication_slots"
            + " WHERE database = current_database()");
  }

  /** Holds the reader of the log back, and has the server end its slot. */
  private void loseSlot(ServerProxy proxy) throws SQLException {
    proxy.hold(true);
    String lost = slots();
    assertThat(lost).startsWith("larder_");
    Waiting.until(
        "the end of the slot",
        () -> {
          server.execute(
              database,
              "UPDATE item SET name = 'held'",
              "SELECT pg_switch_wal()",
              "UPDATE item SET name = 'held'",
              "SELECT pg_switch_wal()",
              "CHECKPOINT");
          return !lost.equals(slots());
        });
  }

  private void assertNoHitIsOlderThanTheBound(Application application) throws SQLException {
    server.execute(database, "UPDATE item SET name = 'b'");
    long written = System.nanoTime();
    Waiting.until("the new row", () -> "b".equals(application.name(1)));
    assertThat(Duration.ofNanos(System.nanoTime() - written)).isLessThan(Duration.ofMillis(1500));
  }

  private void losesSlot(boolean isTold) throws Exception {
    try (ServerProxy proxy = new ServerProxy(server);
        Application application = Application.open(proxy.through(server.url(database)), "")) {
      application.awaitLive();
      application.awaitHit(QUERY, 1);
      String lost = slots();
      loseSlot(proxy);
      assertNoHitIsOlderThanTheBound(application);
      proxy.hold(!isTold);
      long begun = System.nanoTime();
      Waiting.until("a loss", () -> "1".equals(application.feed("losses")));
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
      proxy.hold(false);
      application.awaitLive();
      application.assertFollows(server, database);
      assertThat(application.feed("losses")).isEqualTo("1");
      assertThat(slots()).startsWith("larder_").doesNotContain(",", lost);
    }
  }

  @Test
  void aSlotThatKeepsTooMuchIsReplacedAndNothingOlderIsServed() throws Exception {
    losesSlot(true);
  }

  /** As where the network has forgotten the connection. */
  @Test
  void aSlotThatIsGoneIsMissedThoughTheConnectionSaysNothing() throws Exception {
    losesSlot(false);
  }

  @Test
  void aFeedIsNoIdleSlot() throws Exception {
    Assumptions.assumeTrue(server.version() >= FIRST_WITH_IDLE_TIMEOUT);
    try (FeedServer own = FeedServer.start("idle_replication_slot_timeout=1s")) {
      own.execute("postgres", "CREATE PUBLICATION larder FOR ALL TABLES");
      try (Following following = Following.live(own.url("postgres"))) {
        for (int i = 0; i < 3; i++) {
          Waiting.pass(Duration.ofSeconds(1));
          own.execute("postgres", "CHECKPOINT");
        }
        following.awaitFresh();
        assertThat(following.status().losses()).isZero();
      }
    }
  }
}
