package dev.larder.jdbc.feed;

import dev.larder.feed.FeedSettings;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.RunningFeed;

/**
 * What reads the log of a server. A module of its own provides it; {@link FeedReaders} finds it by
 * {@link java.util.ServiceLoader}. Thread-safe.
 */
public interface FeedReader {
  /**
   * Starts to read, on threads of its own, and goes on until it is closed, whatever fails.
   *
   * @param followed is told of what is found
   * @param connections opens connections to the server
   */
  RunningFeed read(FeedSettings settings, FollowedDatabase followed, FeedConnections connections);
}
