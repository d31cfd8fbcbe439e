package dev.larder.jdbc.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.feed.FeedSettings;
import dev.larder.feed.FollowedDatabase;
import dev.larder.store.TableVersions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The reader of the log is an artifact of its own. */
final class FeedReadersTest {
  private static final class NoConnections implements FeedConnections {
    @Override
    public Connection ask() throws SQLException {
      throw new Refusal(Refusal.Reason.NO_WAY);
    }

    @Override
    public Connection follow() throws SQLException {
      throw new Refusal(Refusal.Reason.NO_WAY);
    }
  }

  @Test
  void withoutTheArtifactItIsNamed() {
    assertThat(FeedReaders.isThere()).isFalse();
    FeedReaders readers = new FeedReaders(new NoConnections());
    FeedSettings settings = new FeedSettings("larder", null, Duration.ofMillis(250));
    FollowedDatabase followed = new FollowedDatabase("test", new TableVersions(), () -> null);
    assertThatThrownBy(() -> readers.start(settings, followed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Add the artifact dev.larder:larder-feed, or set larder.feed=off.");
  }
}
