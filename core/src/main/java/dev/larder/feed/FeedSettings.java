package dev.larder.feed;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the log of a database is followed: the same for all connections of a JVM to it. Immutable.
 *
 * @param publication the name of the publication of the tables that are followed
 * @param url another way to the server, as past a pooler; null for that of the connections
 * @param askInterval how often the server is asked at least, if nothing is committed
 */
public record FeedSettings(String publication, @Nullable String url, Duration askInterval) {
  @Override
  public String toString() {
    return "publication "
        + publication
        + (url == null ? "" : ", larder.feed.url")
        + ", every "
        + askInterval.toMillis()
        + " ms";
  }
}
