package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.feed.FeedStatus;
import dev.larder.log.CacheLog;
import dev.larder.store.Moment;
import dev.larder.store.TableTag;
import dev.larder.store.VersionVector;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever fails, the feed says why and what to do, comes back, and leaves no slot behind. */
@Tag("proof")
@Tag("each-server")
final class FeedFaultsTest {
  @AutoClose private static FeedServer server;
  private String database;

  @BeforeAll
  static void startServer() {
    server = FeedServer.start();
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "CREATE PUBLICATION larder FOR TABLE item");
  }

  @AfterEach
  void noSlotIsLeft() throws SQLException {
    Waiting.until(
        "no slot",
        () -> server.ask("postgres", "SELECT slot_name FROM pg_replication_slots") == null);
  }

  private static VersionVector capture(Following following) {
    TableTag tag = following.tag("public.item");
    return Objects.requireNonNull(
        following.versions().capture(List.<dev.larder.store.Tag>of(tag, tag.rows())));
  }

  private static long count(String code) {
    return CacheLog.counts().getOrDefault(code, -1L);
  }

  /** Waits until the feed is lost because of {@code code}, and returns what it says. */
  private static FeedStatus awaitLost(Following following, String code, long before) {
    Waiting.until(
        Duration.ofSeconds(30),
        () -> code + ", but " + following.status() + ' ' + CacheLog.counts(),
        () -> count(code) > before && following.status().state() == FeedStatus.State.LOST);
    return following.status();
  }

  @Test
  void aWalsenderThatIsEndedIsReplacedAndNothingIsMissed() throws Exception {
    long before = count("LRD-025");
    try (Following following = Following.live(server.url(database))) {
      VersionVector captured = capture(following);
      server.execute(
          "postgres", "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots");
      server.execute(database, "INSERT INTO item VALUES (1, 'a')");
      Waiting.until("a loss", () -> following.status().losses() == 1);
      following.awaitLive();
      following.awaitFresh();
      assertThat(captured.isUnchanged()).isFalse();
      assertThat(count("LRD-025")).isEqualTo(before + 1);
    }
  }

  @Test
  void theConnectionForQuestionsIsReplaced() throws Exception {
    try (Following following = Following.live(server.url(database))) {
      following.awaitFresh();
      Waiting.until(
          "the end of the connection",
          () ->
              server.ask(
                      "postgres",
                      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
                          + database
                          + "' AND query LIKE '%pg_current_wal_insert_lsn%'")
                  != null);
      Waiting.until("a loss", () -> following.status().losses() == 1);
      following.awaitLive();
      following.awaitFresh();
    }
  }

  @Test
  void aServerThatIsStartedAgainIsFollowedAgain() throws Exception {
    try (FeedServer own = FeedServer.start()) {
      String name = own.createDatabase();
      own.execute(
          name,
          "CREATE TABLE item (id int PRIMARY KEY, name text)",
          "CREATE PUBLICATION larder FOR TABLE item");
      try (Following following = Following.live(own.url(name))) {
        own.restart("immediate");
        Waiting.until("a loss", () -> following.status().losses() >= 1);
        following.awaitLive();
        following.awaitFresh();
        VersionVector captured = capture(following);
        own.execute(name, "INSERT INTO item VALUES (2, 'a')");
        following.awaitFresh();
        assertThat(captured.isUnchanged()).isFalse();
      }
    }
  }

  @Test
  void aPublicationThatIsDroppedIsMissed() throws Exception {
    long before = count("LRD-029");
    try (Following following = Following.live(server.url(database))) {
      server.execute(database, "DROP PUBLICATION larder", "INSERT INTO item VALUES (3, 'a')");
      FeedStatus status = awaitLost(following, "LRD-029", before);
      assertThat(status.because()).contains("publication");
      server.execute(database, "CREATE PUBLICATION larder FOR TABLE item");
      following.awaitLive();
      following.awaitFresh();
      assertThat(following.followed().coverage().covered()).contains("public.item");
    }
  }

  @Test
  void aDatabaseWithoutPublicationSaysSo() throws Exception {
    server.execute(database, "DROP PUBLICATION larder");
    long before = count("LRD-029");
    try (Following following = Following.start(server.url(database))) {
      FeedStatus status = awaitLost(following, "LRD-029", before);
      assertThat(status.because()).isEqualTo("there is no publication larder");
      assertThat(status.cure()).startsWith("CREATE PUBLICATION larder FOR TABLE");
    }
  }

  @Test
  void aTableThatIsTakenOutIsUncoveredAndComesBack() throws Exception {
    try (Following following = Following.live(server.url(database))) {
      VersionVector captured = capture(following);
      server.execute(
          database, "CREATE TABLE item_2 ()", "ALTER PUBLICATION larder SET TABLE item_2");
      Waiting.until(
          "a gap", () -> following.followed().coverage().uncovered().containsKey("public.item"));
      assertThat(captured.isUnchanged()).isFalse();
      assertThat(following.followed().coverage().uncovered().get("public.item").cure())
          .isEqualTo("ALTER PUBLICATION larder ADD TABLE public.item");
      VersionVector again = capture(following);
      try (Connection older = server.connect(database);
          Statement statement = older.createStatement()) {
        older.setAutoCommit(false);
        statement.execute("INSERT INTO item VALUES (4, 'a')");
        server.execute(database, "ALTER PUBLICATION larder ADD TABLE item");
        Waiting.until(
            "the wait for older transactions",
            () ->
                following
                    .followed()
                    .coverage()
                    .uncovered()
                    .get("public.item")
                    .because()
                    .startsWith("transactions that began before"));
        older.commit();
      }
      Waiting.until(
          "coverage", () -> following.followed().coverage().covered().contains("public.item"));
      assertThat(again.isUnchanged()).isFalse();
      assertThat(following.status().losses()).isZero();
    }
  }

  @Test
  void aTableThatWasTakenOutAndPutInBetweenTwoLooksIsPublished() throws Exception {
    try (Following following = Following.live(server.url(database))) {
      VersionVector captured = capture(following);
      server.execute(
          database,
          "CREATE TABLE item_2 ()",
          "ALTER PUBLICATION larder SET TABLE item_2",
          "INSERT INTO item VALUES (5, 'a')",
          "ALTER PUBLICATION larder ADD TABLE item");
      Waiting.until("a publish", () -> !captured.isUnchanged());
      Waiting.until(
          "coverage", () -> following.followed().coverage().covered().contains("public.item"));
    }
  }

  @Test
  void aTableThatWasUnloggedBetweenTwoLooksIsPublished() throws Exception {
    server.execute(database, "DROP PUBLICATION larder", "CREATE PUBLICATION larder FOR ALL TABLES");
    try (Following following = Following.live(server.url(database))) {
      VersionVector captured = capture(following);
      server.execute(
          database,
          "ALTER TABLE item SET UNLOGGED",
          "INSERT INTO item VALUES (5, 'a')",
          "ALTER TABLE item SET LOGGED");
      Waiting.until("a publish", () -> !captured.isUnchanged());
      assertThat(following.followed().coverage().covered()).contains("public.item");
    }
  }

  @Test
  void whereNoSlotIsFreeItSaysSoAndComesLater() throws Exception {
    for (int i = 0; i < 10; i++) {
      server.execute("postgres", "SELECT pg_create_physical_replication_slot('full_" + i + "')");
    }
    long before = count("LRD-027");
    try (Following following = Following.start(server.url(database))) {
      FeedStatus status = awaitLost(following, "LRD-027", before);
      assertThat(status.because()).contains("all replication slots are in use");
      assertThat(status.cure()).contains("max_replication_slots");
      for (int i = 0; i < 10; i++) {
        server.execute("postgres", "SELECT pg_drop_replication_slot('full_" + i + "')");
      }
      following.awaitLive();
    }
  }

  @Test
  void aRoleThatMayNotReplicateSaysSo() throws Exception {
    server.execute("postgres", "CREATE ROLE poor LOGIN");
    long before = count("LRD-028");
    try (Following following =
        Following.start(server.url(database), server.url(database, "poor"))) {
      FeedStatus status = awaitLost(following, "LRD-028", before);
      assertThat(status.cure()).contains("ALTER ROLE");
      server.execute("postgres", "ALTER ROLE poor REPLICATION");
      following.awaitLive();
      server.execute(database, "INSERT INTO item VALUES (6, 'a')");
      following.awaitFresh();
    }
  }

  @Test
  void aRoleThatMayNotAskWhereItIsSaysSo() throws Exception {
    server.execute(
        database,
        "CREATE ROLE blind LOGIN REPLICATION",
        "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    long before = count("LRD-031");
    try (Following following =
        Following.start(server.url(database), server.url(database, "blind"))) {
      FeedStatus status = awaitLost(following, "LRD-031", before);
      assertThat(status.because()).isEqualTo("the role may not ask which database it has reached");
      assertThat(status.cure()).startsWith("GRANT EXECUTE ON FUNCTION pg_control_system()");
      server.execute(database, "GRANT EXECUTE ON FUNCTION pg_control_system() TO blind");
      following.awaitLive();
    }
  }

  @Test
  void anotherDatabaseIsRefused() throws Exception {
    String other = server.createDatabase();
    long before = count("LRD-031");
    try (Following following = Following.start(server.url(database), server.url(other))) {
      FeedStatus status = awaitLost(following, "LRD-031", before);
      assertThat(status.because()).isEqualTo("it has reached another database");
      assertThat(status.cure()).contains("larder.feed.url");
    }
  }

  @Test
  void aServerWhoseLogHasNoRowsSaysSo() throws Exception {
    long before = count("LRD-026");
    try (FeedServer plain = FeedServer.start("wal_level=replica")) {
      try (Following following = Following.start(plain.url("postgres"))) {
        FeedStatus status = awaitLost(following, "LRD-026", before);
        assertThat(status.because()).isEqualTo("wal_level is replica");
        assertThat(status.cure()).startsWith("ALTER SYSTEM SET wal_level = logical");
      }
    }
  }

  @Test
  void noCommitCountsOnAFeed() throws Exception {
    long before = count("LRD-032");
    try (Following following = Following.live(server.url(database))) {
      server.execute(
          "postgres",
          "ALTER SYSTEM SET synchronous_standby_names = '*'",
          "SELECT pg_reload_conf()");
      FeedStatus status = awaitLost(following, "LRD-032", before);
      assertThat(status.because()).isEqualTo("synchronous_standby_names is *");
      server.execute(
          "postgres", "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
      following.awaitLive();
    }
  }

  @Test
  void aStartThatWaitsSaysForWhomAndCanBeClosed() throws Exception {
    try (Connection older = server.connect(database);
        Statement statement = older.createStatement()) {
      older.setAutoCommit(false);
      statement.execute("INSERT INTO item VALUES (7, 'a')");
      Following following = Following.start(server.url(database));
      Waiting.until(
          Duration.ofSeconds(20),
          () -> "who it waits for, but " + following.status(),
          () -> following.status().because().startsWith("the slot waits for transaction "));
      assertThat(following.status().state()).isEqualTo(FeedStatus.State.STARTING);
      assertThat(following.status().cure()).contains("pg_terminate_backend(");
      following.close();
      noSlotIsLeft();
      assertThat(following.status().state()).isEqualTo(FeedStatus.State.OFF);
    }
  }

  @Test
  void aPreparedTransactionIsNamed() throws Exception {
    server.execute(database, "BEGIN", "COMMIT");
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN; INSERT INTO item VALUES (8, 'a'); PREPARE TRANSACTION 'old one'");
      try (Following following = Following.start(server.url(database))) {
        Waiting.until(
            Duration.ofSeconds(20),
            () -> "who it waits for, but " + following.status(),
            () -> following.status().because().endsWith("prepared as 'old one'"));
        statement.execute("COMMIT PREPARED 'old one'");
        following.awaitLive();
      }
    }
  }

  @Test
  void aProcessThatIsKilledLeavesNoSlot() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                FollowingProcess.class.getName(),
                server.url(database))
            .redirectErrorStream(true)
            .start();
    try (var lines = process.inputReader()) {
      assertThat(lines.lines().anyMatch("live"::equals)).isTrue();
      assertThat(server.ask("postgres", "SELECT slot_name FROM pg_replication_slots"))
          .startsWith("larder_");
    } finally {
      process.destroyForcibly().waitFor();
    }
    noSlotIsLeft();
  }

  @Test
  void aWalsenderThatStandsStillMakesItLag() throws Exception {
    try (Following following = Following.live(server.url(database))) {
      following.awaitFresh();
      String process = server.ask("postgres", "SELECT active_pid FROM pg_replication_slots");
      signal("-STOP", process);
      server.execute(database, "INSERT INTO item VALUES (9, 'a')");
      long stopped = Moment.now();
      Waiting.pass(Duration.ofSeconds(1));
      assertThat(following.writes().fresh()).isLessThanOrEqualTo(stopped);
      assertThat(following.writes().isBehind()).isTrue();
      signal("-CONT", process);
      following.awaitLive();
      following.awaitFresh();
      assertThat(following.status().losses()).isZero();
    }
  }

  private static void signal(String signal, String process) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, process).start().waitFor()).isZero();
  }

  @Test
  void aServerThatAsksWhetherAnybodyReadsIsAnswered() throws Exception {
    try (FeedServer own = FeedServer.start("wal_sender_timeout=1s")) {
      own.execute("postgres", "CREATE PUBLICATION larder FOR ALL TABLES");
      try (Following following = Following.live(own.url("postgres"))) {
        Waiting.pass(Duration.ofSeconds(4));
        assertThat(following.status().losses()).isZero();
        assertThat(following.status().state()).isEqualTo(FeedStatus.State.LIVE);
      }
    }
  }

  @Test
  void aStandbyIsRefused() throws Exception {
    long before = count("LRD-031");
    try (FeedServer own = FeedServer.start();
        FeedServer standby = own.copyAsStandby();
        Following following = Following.start(own.url("postgres"), standby.url("postgres"))) {
      FeedStatus status = awaitLost(following, "LRD-031", before);
      assertThat(status.because()).isEqualTo("it has reached a standby");
      assertThat(status.cure()).isEqualTo("set larder.feed.url to the primary");
    }
  }

  @Test
  void theLastConnectionOfTheServerIsTheApplications() throws Exception {
    long before = count("LRD-027");
    List<Connection> application = new ArrayList<>();
    try (FeedServer own =
        FeedServer.start("max_connections=8", "superuser_reserved_connections=0")) {
      own.execute("postgres", "CREATE PUBLICATION larder FOR ALL TABLES");
      String url = own.url("postgres");
      try (Following following = Following.live(url)) {
        while (application.size() < 7) {
          application.add(DriverManager.getConnection("jdbc:larder:" + url.substring(5)));
        }
        FeedStatus status = awaitLost(following, "LRD-027", before);
        assertThat(status.because())
            .isEqualTo("the server had no connection left for the application");
        for (Connection connection : application) {
          connection.close();
        }
      }
    }
  }
}
