package dev.larder.changefeed;

import dev.larder.catalog.CatalogVersion;
import dev.larder.feed.FeedSettings;
import dev.larder.feed.FeedStatus;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.FollowedWrites;
import dev.larder.feed.RunningFeed;
import dev.larder.jdbc.database.Companions;
import dev.larder.jdbc.database.OwnConnections;
import dev.larder.store.Moment;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A database that is followed, by versions of tables that nobody else writes. */
public final class Following implements AutoCloseable {
  static final String PUBLICATION = "larder";

  private final Connection larder;
  private final OwnConnections own;
  private final TableVersions versions = new TableVersions();
  private final FollowedDatabase followed;
  private final RunningFeed feed;

  private Following(Connection larder, OwnConnections own, @Nullable String url) {
    this.larder = larder;
    this.own = own;
    this.followed =
        new FollowedDatabase("the test", versions, () -> own.database().catalog().current());
    this.feed =
        own.feed().start(new FeedSettings(PUBLICATION, url, Duration.ofMillis(250)), followed);
  }

  /** Starts to follow the database behind the driver's URL. */
  public static Following start(String url) throws SQLException {
    return start(url, null);
  }

  public static Following start(String url, @Nullable String feedUrl) throws SQLException {
    Connection larder = DriverManager.getConnection("jdbc:larder:" + url.substring(5));
    OwnConnections own = Objects.requireNonNull(Companions.behind(url)).connections();
    if (!own.database().catalog().awaitLoaded(Duration.ofSeconds(30))) {
      throw new SQLException("no catalog");
    }
    return new Following(larder, own, feedUrl);
  }

  /** As {@link #start}, and waits until all is followed. */
  public static Following live(String url) throws SQLException {
    Following following = start(url);
    following.awaitLive();
    return following;
  }

  public void awaitLive() {
    await(FeedStatus.State.LIVE);
  }

  void await(FeedStatus.State state) {
    Waiting.until(
        Duration.ofSeconds(60), () -> state + ", but " + status(), () -> status().state() == state);
  }

  public FeedStatus status() {
    return feed.status();
  }

  FollowedDatabase followed() {
    return followed;
  }

  public FollowedWrites writes() {
    return followed.writes();
  }

  TableVersions versions() {
    return versions;
  }

  /** Returns the catalog, once it has the table. */
  public CatalogVersion catalogWith(String table) {
    own.database().catalog().reloadRequested();
    Waiting.until(
        "a catalog with " + table,
        () -> {
          CatalogVersion now = own.database().catalog().current();
          return now != null && now.oidOf(table) != null;
        });
    return Objects.requireNonNull(own.database().catalog().current());
  }

  TableTag tag(String table) {
    return versions.tag(
        TableTag.Scope.RELATION, Objects.requireNonNull(catalogWith(table).oidOf(table)));
  }

  /** Waits until everything that was visible before this call is published. */
  public void awaitFresh() {
    long now = Moment.now();
    Waiting.until("fresh", () -> writes().fresh() >= now && !writes().isPending());
  }

  @Override
  public void close() throws SQLException {
    feed.close();
    larder.close();
  }
}
