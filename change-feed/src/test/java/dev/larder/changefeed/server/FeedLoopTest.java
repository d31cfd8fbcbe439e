package dev.larder.changefeed.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.changefeed.FeedServer;
import dev.larder.feed.FeedSettings;
import dev.larder.feed.FeedStatus.State;
import dev.larder.feed.FollowedDatabase;
import dev.larder.jdbc.feed.FeedConnections;
import dev.larder.store.TableVersions;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A feed that begins while the one before is still at its end. */
final class FeedLoopTest {
  /** Opens connections once it may. */
  private record Held(String url, CountDownLatch asked, CountDownLatch may)
      implements FeedConnections {
    @Override
    public Connection ask() throws SQLException {
      asked.countDown();
      try {
        may.await();
      } catch (InterruptedException e) {
        throw new SQLException(e);
      }
      return DriverManager.getConnection(url);
    }

    @Override
    public Connection follow() throws SQLException {
      return DriverManager.getConnection(
          url + "&replication=database&assumeMinServerVersion=10&preferQueryMode=simple");
    }
  }

  @Test
  void itFollowsThoughTheOneBeforeEndsLater()
      throws IOException, SQLException, InterruptedException {
    try (FeedServer server = FeedServer.start()) {
      String database = server.createDatabase();
      server.execute(database, "CREATE PUBLICATION larder");
      FollowedDatabase followed = new FollowedDatabase("the test", new TableVersions(), () -> null);
      FeedSettings settings = new FeedSettings("larder", null, Duration.ofMillis(100));
      CountDownLatch first = new CountDownLatch(1);
      Held slow = new Held(server.url(database), new CountDownLatch(1), first);
      FeedLoop before = FeedLoop.start(settings, followed, slow);
      slow.asked().await();
      before.close();

      Held quick = new Held(server.url(database), new CountDownLatch(1), new CountDownLatch(0));
      FeedLoop after = FeedLoop.start(settings, followed, quick);
      long connects = 0;
      for (int i = 0; i < 100 && after.status().state() != State.LIVE; i++, connects++) {
        Waiting.pass(Duration.ofMillis(10));
      }
      first.countDown();
      Waiting.until("live", () -> after.status().state() == State.LIVE);
      Waiting.until("ended", () -> before.hasEnded());
      assertThat(after.status().state()).isEqualTo(State.LIVE);
      after.close();
    }
  }
}
