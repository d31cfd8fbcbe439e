package dev.larder.changefeed;

import dev.larder.changefeed.server.FeedLoop;
import dev.larder.feed.FeedSettings;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.RunningFeed;
import dev.larder.jdbc.feed.FeedConnections;
import dev.larder.jdbc.feed.FeedReader;

/** Reads the log of PostgreSQL by logical decoding. Larder finds it by itself. Stateless. */
public final class PostgresFeedReader implements FeedReader {
  /** For {@link java.util.ServiceLoader}. */
  public PostgresFeedReader() {}

  @Override
  public RunningFeed read(
      FeedSettings settings, FollowedDatabase followed, FeedConnections connections) {
    return FeedLoop.start(settings, followed, connections);
  }
}
