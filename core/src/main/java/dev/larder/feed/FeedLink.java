package dev.larder.feed;

import dev.larder.FeedOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.SecretText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The feed of one database, while a connection wants it: there is one for all connections of the
 * JVM. Thread-safe.
 */
public final class FeedLink {
  /** How long it goes on for whoever connects anew each time. */
  static final Duration LINGER = Duration.ofSeconds(10);

  private static final FeedStatus UNIDENTIFIED =
      new FeedStatus(
          FeedStatus.State.LOST,
          "the server does not say which database it is",
          "allow the user to execute pg_control_system() and pg_control_checkpoint()",
          "",
          0,
          0);

  private final FollowedDatabase followed;
  private final @Nullable FeedSource source;

  // Guarded by this.
  private @Nullable RunningFeed running;
  private @Nullable FeedSettings settings;
  private int users;
  private long leftNanos;

  /**
   * Creates a link that follows nothing.
   *
   * @param source starts to read the log; null where it cannot be told whose log that is
   */
  public FeedLink(FollowedDatabase followed, @Nullable FeedSource source) {
    this.followed = followed;
    this.source = source;
    followed.endIfUnused(this::endIfUnused);
  }

  /** Returns what is known of the writes of others. */
  public FollowedDatabase followed() {
    return followed;
  }

  /**
   * Says that a connection with this configuration is opened, until {@link #leave}.
   *
   * @throws IllegalStateException if what reads the log is not there, or others follow it by other
   *     settings: says what to do
   */
  public synchronized void join(QueryCacheConfig config) {
    if (!config.isFollowing()) {
      return;
    }
    FeedSettings wanted =
        new FeedSettings(
            config.get(FeedOptions.PUBLICATION),
            config.find(FeedOptions.URL).map(SecretText::text).orElse(null),
            config.get(FeedOptions.ASK_INTERVAL));
    if (running != null && !wanted.equals(settings)) {
      if (users > 0) {
        throw new IllegalStateException(
            "Connections of this JVM to the same database follow its log by other settings ("
                + settings
                + "; this one: "
                + wanted
                + "). Give all of them the same larder.feed.publication, larder.feed.url and"
                + " larder.feed.askInterval.");
      }
      end();
    }
    if (running == null && source != null) {
      running = source.start(wanted, followed);
    }
    settings = wanted;
    users++;
  }

  /** Says that a connection with this configuration is closed. */
  public synchronized void leave(QueryCacheConfig config) {
    if (config.isFollowing()) {
      users--;
      leftNanos = System.nanoTime();
    }
  }

  /** Ends the feed if no connection has wanted it for a while; returns whether it has ended. */
  private synchronized boolean endIfUnused() {
    if (users == 0 && System.nanoTime() - leftNanos > LINGER.toNanos()) {
      end();
    }
    return running == null;
  }

  private void end() {
    RunningFeed ending = running;
    running = null;
    settings = null;
    if (ending != null) {
      ending.close();
    }
  }

  /** Returns what goes on. */
  public FeedStatus status() {
    RunningFeed present;
    synchronized (this) {
      if (source == null && users > 0) {
        return UNIDENTIFIED;
      }
      present = running;
    }
    return present == null ? FeedStatus.OFF : present.status();
  }
}
