package dev.larder.changefeed.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.changefeed.FeedServer;
import dev.larder.testing.Waiting;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Somebody reads the log and the status, and looks for the feed's password. */
final class ReaderOfMessagesTest {
  /** Keeps what is logged. */
  private static final class Kept extends Handler {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage() + ' ' + line.getThrown());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void feedThatTheDriverCannotParseShowsNoPassword() throws Exception {
    Logger logger = Logger.getLogger("dev.larder");
    Kept kept = new Kept();
    logger.addHandler(kept);
    String feed = "jdbc:postgresql://localhost:none/db?user=bob&password=hunter2";
    try (FeedServer server = FeedServer.start();
        Connection connection =
            DriverManager.getConnection(
                server.url(server.createDatabase()).replaceFirst("^jdbc:", "jdbc:larder:")
                    + "&larder.writers=any&larder.feed=wal&larder.feed.url="
                    + URLEncoder.encode(feed, StandardCharsets.UTF_8))) {
      Waiting.until("a failure of the feed", () -> !because(connection).isEmpty());

      assertThat(because(connection)).contains("localhost:none").doesNotContain("hunter2");
      assertThat(kept.lines)
          .anyMatch(line -> line.contains("localhost:none"))
          .noneMatch(line -> line.contains("hunter2"));
    } finally {
      logger.removeHandler(kept);
    }
  }

  private static String because(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.feed")) {
      String because = row.next() ? row.getString("because") : null;
      return because == null ? "" : because;
    }
  }
}
