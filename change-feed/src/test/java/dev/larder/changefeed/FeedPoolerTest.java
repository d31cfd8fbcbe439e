package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.changefeed.ServerProxy.Manner;
import dev.larder.testing.Waiting;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pooler stands before the server: the feed says what to set, and nobody else notices it. */
@Tag("proof")
final class FeedPoolerTest {
  @AutoClose private static FeedServer server;
  private String database;

  @BeforeAll
  static void startServer() {
    server = FeedServer.start();
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.createItems();
  }

  private static String feedUrl(String url) {
    return "&larder.feed.url=" + URLEncoder.encode(url, StandardCharsets.UTF_8);
  }

  @Test
  void behindPgBouncerNothingIsCachedAndTheFeedSaysSo() throws Exception {
    long before = Application.count("LRD-031");
    try (ServerProxy pooler =
            new ServerProxy(server, Manner.INVENTS_PROCESSES, Manner.REFUSES_REPLICATION);
        Application application = Application.open(pooler.through(server.url(database)), "")) {
      application.awaitLost("LRD-031", before);
      assertThat(application.feed("because"))
          .isEqualTo("no connection of the application has reached the primary itself");
      assertThat(application.feed("cure")).contains("nothing is cached");
      application.assertWorksWithout(server, database);
      assertThat(application.hits()).isZero();
    }
  }

  @Test
  void aFeedThatIsSentToPgBouncerSaysSo() throws Exception {
    long before = Application.count("LRD-031");
    try (ServerProxy pooler =
            new ServerProxy(server, Manner.INVENTS_PROCESSES, Manner.REFUSES_REPLICATION);
        Application application =
            Application.open(server.url(database), feedUrl(pooler.through(server.url(database))))) {
      application.awaitLost("LRD-031", before);
      assertThat(application.feed("because")).isEqualTo("it has reached a pooler");
      assertThat(application.feed("cure")).isEqualTo("set larder.feed.url to the server itself");
      application.assertWorksWithout(server, database);
    }
  }

  /** As one that gives each session a process of the server, and its number to the client. */
  @Test
  void aPoolerThatRefusesReplicationIsPassedByAUrl() throws Exception {
    refusesReplication(Manner.REFUSES_REPLICATION, "unsupported startup parameter: replication");
  }

  @Test
  void aPoolerThatForgetsReplicationIsPassedByAUrl() throws Exception {
    refusesReplication(Manner.DROPS_REPLICATION, "CREATE_REPLICATION_SLOT");
  }

  @Test
  void aLogThatIsCutOffAtOnceIsAskedForSeldom() throws Exception {
    try (ServerProxy pooler = new ServerProxy(server, Manner.CUTS_THE_LOG);
        Application application = Application.open(pooler.through(server.url(database)), "")) {
      Waiting.until("a loss", () -> !"0".equals(application.feed("losses")));
      int before = pooler.starts();
      Waiting.pass(Duration.ofSeconds(4));
      int sessions = pooler.starts() - before;
      System.out.println("sessions in 4 s, of a log that is cut off: " + sessions);
      assertThat(sessions).isBetween(4, 14);
      application.assertWorksWithout(server, database);
    }
  }

  private void refusesReplication(Manner manner, String because) throws Exception {
    long before = Application.count("LRD-031");
    try (ServerProxy pooler = new ServerProxy(server, manner)) {
      String url = pooler.through(server.url(database));
      try (Application application = Application.open(url, "")) {
        application.awaitLost("LRD-031", before);
        // The first time the server may have gone before it could be asked.
        Waiting.until("it says why", () -> application.feed("because").contains(because));
        assertThat(application.feed("cure")).isEqualTo("set larder.feed.url to the server itself");
        application.assertWorksWithout(server, database);
        application.awaitHit("SELECT name FROM item WHERE id = ?", 1);
      }
      try (Application past = Application.open(url, feedUrl(server.url(database)))) {
        past.awaitLive();
        past.assertFollows(server, database);
      }
    }
  }
}
