package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.feed.FeedStatus;
import dev.larder.store.LeftOut;
import dev.larder.store.Moment;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.Tag;
import dev.larder.store.VersionVector;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A commit is in the log before it is visible: for as long as its synchronous standby is missing,
 * here.
 */
@SuppressWarnings("try") // A step is left out until it is closed.
@org.junit.jupiter.api.Tag("each-server")
final class VisibilityHolesTest {
  @AutoClose private static FeedServer server;
  private String database;

  @BeforeAll
  static void startServer() {
    server = FeedServer.start();
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.createItems();
    server.execute(database, "UPDATE item SET name = 'old'");
  }

  @AfterEach
  void standbyIsNotAskedAnyMore() throws SQLException {
    standby("");
  }

  private static void standby(String name) throws SQLException {
    server.execute(
        "postgres",
        "ALTER SYSTEM SET synchronous_standby_names = '" + name + "'",
        "SELECT pg_reload_conf()");
    Waiting.until(
        "the setting", () -> server.ask("postgres", "SHOW synchronous_standby_names").equals(name));
  }

  private String visibleName() throws SQLException {
    return server.ask(database, "SELECT name FROM item");
  }

  /** Begins to commit what nobody sees while the standby is missing. */
  private CompletableFuture<Void> update() {
    return CompletableFuture.runAsync(
        () -> {
          try {
            server.execute(database, "UPDATE item SET name = 'new'");
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void awaitWaitingCommit() throws SQLException {
    Waiting.until(
        "a commit that waits for its standby",
        () ->
            server.ask("postgres", "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                != null);
  }

  private static @Nullable VersionVector capture(Following following) {
    TableTag tag = following.tag("public.item");
    return following.versions().capture(List.<Tag>of(tag, tag.rows()));
  }

  private static void awaitAsks(Following following) {
    long now = Moment.now();
    Waiting.until("answers", () -> following.writes().fresh() > now);
  }

  /** Returns whether a reader could keep the old row beyond the commit. */
  private boolean oldRowIsKeptBeyondTheMessage() throws Exception {
    try (Following following = Following.live(server.url(database))) {
      following.tag("public.item");
      long announced = following.writes().announced();
      standby("missing");
      CompletableFuture<Void> update = update();
      awaitWaitingCommit();
      Waiting.until("the message", () -> following.writes().announced() > announced);
      awaitAsks(following);
      assertThat(visibleName()).isEqualTo("old");
      VersionVector captured = capture(following);
      standby("");
      update.get();
      assertThat(visibleName()).isEqualTo("new");
      following.awaitFresh();
      return captured != null && captured.isUnchanged();
    }
  }

  @Test
  void aCommitIsPublishedOnceItIsVisible() throws Exception {
    assertThat(oldRowIsKeptBeyondTheMessage()).isFalse();
  }

  @Test
  void whoPublishesAtTheMessageKeepsTheOldRow() throws Exception {
    try (LeftOut step = new LeftOut(ProtocolStep.PUBLISH_WHEN_VISIBLE)) {
      assertThat(oldRowIsKeptBeyondTheMessage()).isTrue();
    }
  }

  @Test
  void aCancelledWaitPublishesToo() throws Exception {
    try (Following following = Following.live(server.url(database))) {
      long published = following.writes().published();
      standby("missing");
      CompletableFuture<Void> update = update();
      awaitWaitingCommit();
      Waiting.until("the message", () -> following.writes().isPending());
      assertThat(following.writes().published()).isEqualTo(published);
      server.execute(
          "postgres",
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      update.get();
      assertThat(visibleName()).isEqualTo("new");
      following.awaitFresh();
      assertThat(following.writes().published()).isGreaterThan(published);
    }
  }

  /**
   * The slot is made in steps, each of which waits for the transactions that it finds. What begins
   * and commits between the second and the last is never told of.
   */
  private @Nullable VersionVector liveWhileACommitFromBeforeIsNotVisible() throws Exception {
    try (Connection first = server.connect(database);
        Connection second = server.connect(database)) {
      String one = begin(first);
      try (Following following = Following.start(server.url(database))) {
        following.tag("public.item");
        awaitHoldup(following, one);
        return liveWhileACommitFromBeforeIsNotVisible(following, first, second);
      }
    }
  }

  private @Nullable VersionVector liveWhileACommitFromBeforeIsNotVisible(
      Following following, Connection first, Connection second) throws Exception {
    String two = begin(second);
    first.rollback();
    awaitHoldup(following, two);
    standby("missing");
    CompletableFuture<Void> update = update();
    awaitWaitingCommit();
    second.rollback();
    boolean live = isLiveBefore(following, update);
    VersionVector captured = live ? capture(following) : null;
    assertThat(visibleName()).isEqualTo("old");
    standby("");
    update.get();
    following.awaitLive();
    following.awaitFresh();
    return captured;
  }

  private static boolean isLiveBefore(Following following, CompletableFuture<Void> update) {
    Waiting.until(
        Duration.ofSeconds(20),
        () -> "live, or what it waits for: " + following.status(),
        () ->
            following.status().state() == FeedStatus.State.LIVE
                || (following.status().state() == FeedStatus.State.SETTLING
                    && following.status().because().contains("older than the slot")));
    assertThat(update).isNotDone();
    return following.status().state() == FeedStatus.State.LIVE;
  }

  private static String begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
      row.next();
      return row.getString(1);
    }
  }

  private static void awaitHoldup(Following following, String transaction) {
    Waiting.until(
        Duration.ofSeconds(20),
        () -> "waiting for " + transaction + ", but " + following.status(),
        () ->
            following
                .status()
                .because()
                .startsWith("the slot waits for transaction " + transaction + " of process "));
  }

  @Test
  void nothingIsLiveBeforeOlderCommitsAreVisible() throws Exception {
    assertThat(liveWhileACommitFromBeforeIsNotVisible()).isNull();
  }

  @Test
  void whoIsLiveAtTheConsistentPointKeepsTheOldRow() throws Exception {
    try (LeftOut step = new LeftOut(ProtocolStep.SETTLE_BEFORE_FOLLOWING)) {
      VersionVector captured = liveWhileACommitFromBeforeIsNotVisible();
      assertThat(captured).isNotNull();
      assertThat(captured.isUnchanged()).isTrue();
    }
  }
}
