package dev.larder.jdbc.feed;

import dev.larder.feed.FeedSettings;
import dev.larder.feed.FeedSource;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.RunningFeed;
import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Starts the {@link FeedReader} that the class path has. Thread-safe. */
public final class FeedReaders implements FeedSource {
  private final FeedConnections connections;

  /** Creates what has looked for nothing yet. */
  public FeedReaders(FeedConnections connections) {
    this.connections = connections;
  }

  /** Returns whether the class path has one. */
  public static boolean isThere() {
    return find().isPresent();
  }

  @Override
  public RunningFeed start(FeedSettings settings, FollowedDatabase followed) {
    FeedReader reader =
        find()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "larder.feed is wal, but what reads the log is not on the class path. Add"
                            + " the artifact dev.larder:larder-feed, or set larder.feed=off."));
    return reader.read(settings, followed, connections);
  }

  /** Returns the one that the class loader of Larder or of the thread knows. */
  private static Optional<FeedReader> find() {
    return first(ServiceLoader.load(FeedReader.class, FeedReaders.class.getClassLoader()))
        .or(() -> first(ServiceLoader.load(FeedReader.class)));
  }

  private static Optional<FeedReader> first(ServiceLoader<FeedReader> loader) {
    Iterator<FeedReader> services = loader.iterator();
    while (true) {
      try {
        return services.hasNext() ? Optional.of(services.next()) : Optional.empty();
      } catch (ServiceConfigurationError e) {
        // Another Larder's, of another class loader: on to the next one.
      }
    }
  }
}
