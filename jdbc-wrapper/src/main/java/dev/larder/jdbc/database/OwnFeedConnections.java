package dev.larder.jdbc.database;

import dev.larder.feed.FeedSettings;
import dev.larder.feed.FeedSource;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.RunningFeed;
import dev.larder.jdbc.feed.FeedConnections;
import dev.larder.jdbc.feed.FeedReaders;
import dev.larder.jdbc.feed.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The connections of the feed of one database. Thread-safe. */
final class OwnFeedConnections implements FeedSource {
  /** How long the server's connections are left to the application where it had none left. */
  private static final Duration SCARCITY = Duration.ofMinutes(1);

  private static final Map<String, String> PATIENT =
      Map.of(
          "ApplicationName", "larder-feed",
          "connectTimeout", "10",
          "loginTimeout", "15",
          // Else the thread that logs in stays after loginTimeout.
          "socketTimeout", "60",
          "tcpKeepAlive", "true");

  private static final Map<String, String> REPLICATION =
      Map.of(
          "replication", "database",
          "assumeMinServerVersion", "10",
          "preferQueryMode", "simple");

  private final OwnConnections own;

  /** Those that are open for questions, and may have been closed since. */
  private final Set<Connection> asking = ConcurrentHashMap.newKeySet();

  private volatile long scarceUntilNanos = System.nanoTime();

  OwnFeedConnections(OwnConnections own) {
    this.own = own;
  }

  @Override
  public RunningFeed start(FeedSettings settings, FollowedDatabase followed) {
    return new FeedReaders(new Wanted(settings.url())).start(settings, followed);
  }

  /** Leaves the connections of the server to the application for some time. */
  void giveUp() {
    scarceUntilNanos = System.nanoTime() + SCARCITY.toNanos();
    asking.forEach(OwnFeedConnections::abort);
    asking.clear();
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is closed already.
    }
  }

  /** The connections of a feed. */
  private final class Wanted implements FeedConnections {
    /** Another way to the server; null for that of the application. */
    private final @Nullable String url;

    Wanted(@Nullable String url) {
      this.url = url;
    }

    @Override
    public Connection ask() throws SQLException {
      if (System.nanoTime() - scarceUntilNanos < 0) {
        throw new Refusal(Refusal.Reason.SCARCE);
      }
      asking.removeIf(OwnConnections::isClosed);
      ConnectionFactory factory = factory();
      Connection connection =
          own.checked(url == null ? factory.connectUnattended() : factory.connect(url, PATIENT))
              .connection();
      asking.add(connection);
      return connection;
    }

    @Override
    public Connection follow() throws SQLException {
      Map<String, String> parameters = new LinkedHashMap<>(PATIENT);
      parameters.putAll(REPLICATION);
      Connection connection = own.checked(factory().connect(url, parameters)).connection();
      // Nothing comes of a database in which nothing happens.
      connection.setNetworkTimeout(Runnable::run, 0);
      return connection;
    }

    private ConnectionFactory factory() throws Refusal {
      ConnectionFactory factory = own.newest();
      if (factory != null) {
        return factory;
      }
      throw new Refusal(Refusal.Reason.NO_WAY);
    }
  }
}
