package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.feed.FeedStatus;
import dev.larder.store.TableTag;
import dev.larder.store.Tag;
import dev.larder.store.VersionVector;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** What anybody commits is announced and published. */
@org.junit.jupiter.api.Tag("each-server")
final class FollowedCommitsTest {
  @AutoClose private static FeedServer server;
  private static String database;
  private static Following following;

  @BeforeAll
  static void start() throws IOException, SQLException {
    server = FeedServer.start();
    database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "CREATE TABLE other (id int PRIMARY KEY, item int REFERENCES item ON DELETE CASCADE)",
        "CREATE TABLE part (id int, at int, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (100)",
        "CREATE TABLE unpublished (id int PRIMARY KEY)",
        "CREATE PUBLICATION larder FOR TABLE item, other, part");
    following = Following.live(server.url(database));
  }

  @AfterAll
  static void stop() throws SQLException {
    following.close();
  }

  /** Returns whether what {@code work} writes, and nothing else, changes the table. */
  private static boolean changes(String table, SqlWork work) throws Exception {
    following.awaitFresh();
    TableTag tag = following.tag(table);
    VersionVector before =
        Objects.requireNonNull(following.versions().capture(List.<Tag>of(tag, tag.rows())));
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      work.run(connection, statement);
    }
    following.awaitFresh();
    return !before.isUnchanged();
  }

  private interface SqlWork {
    void run(Connection connection, Statement statement) throws Exception;
  }

  @Test
  void commitsOfAllKindsChangeTheTableAndNoOther() throws Exception {
    long epoch = following.writes().published();
    assertThat(changes("public.item", (c, s) -> s.execute("INSERT INTO item VALUES (1, 'a')")))
        .isTrue();
    assertThat(following.writes().published()).isGreaterThan(epoch);
    assertThat(changes("public.item", (c, s) -> s.execute("UPDATE item SET name = 'b'"))).isTrue();
    assertThat(changes("public.item", (c, s) -> s.execute("DELETE FROM item"))).isTrue();
    assertThat(changes("public.item", (c, s) -> s.execute("TRUNCATE item CASCADE"))).isTrue();
    assertThat(changes("public.other", (c, s) -> s.execute("TRUNCATE item CASCADE"))).isTrue();
    assertThat(changes("public.other", (c, s) -> s.execute("INSERT INTO item VALUES (7, 'a')")))
        .isFalse();
  }

  @Test
  void cascadesAndCopyAreSeen() throws Exception {
    server.execute(
        database, "INSERT INTO item VALUES (20, 'a')", "INSERT INTO other VALUES (20, 20)");
    assertThat(changes("public.other", (c, s) -> s.execute("DELETE FROM item WHERE id = 20")))
        .isTrue();
    assertThat(
            changes(
                "public.item",
                (c, s) ->
                    c.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY item FROM STDIN", new StringReader("21\tx\n22\ty\n"))))
        .isTrue();
  }

  @Test
  void aPartitionReachesItsParent() throws Exception {
    assertThat(changes("public.part", (c, s) -> s.execute("INSERT INTO part VALUES (1, 1)")))
        .isTrue();
    assertThat(changes("public.part_1", (c, s) -> s.execute("UPDATE part SET at = 2 WHERE id = 1")))
        .isTrue();
  }

  @Test
  void whatIsPreparedIsPublishedByItsCommit() throws Exception {
    assertThat(
            changes(
                "public.item",
                (c, s) -> {
                  s.execute("BEGIN");
                  s.execute("INSERT INTO item VALUES (30, 'a')");
                  s.execute("PREPARE TRANSACTION 'p30'");
                }))
        .isFalse();
    assertThat(changes("public.item", (c, s) -> s.execute("COMMIT PREPARED 'p30'"))).isTrue();
  }

  @Test
  void aRollbackToASavepointLeavesTheRest() throws Exception {
    assertThat(
            changes(
                "public.item",
                (c, s) -> {
                  c.setAutoCommit(false);
                  s.execute("INSERT INTO item VALUES (40, 'a')");
                  Savepoint savepoint = c.setSavepoint();
                  s.execute("INSERT INTO other VALUES (40, 40)");
                  c.rollback(savepoint);
                  c.commit();
                }))
        .isTrue();
    assertThat(
            changes(
                "public.item",
                (c, s) -> {
                  c.setAutoCommit(false);
                  s.execute("INSERT INTO item VALUES (41, 'a')");
                  c.rollback();
                }))
        .isFalse();
  }

  @Test
  void whatIsNotPublishedChangesNothing() throws Exception {
    assertThat(
            changes(
                "public.unpublished", (c, s) -> s.execute("INSERT INTO unpublished VALUES (1)")))
        .isFalse();
    Waiting.until(
        "coverage", () -> following.followed().coverage().covered().contains("public.item"));
    assertThat(following.followed().coverage().covered())
        .containsExactlyInAnyOrder("public.item", "public.other", "public.part", "public.part_1");
    assertThat(following.followed().coverage().uncovered().get("public.unpublished").cure())
        .isEqualTo("ALTER PUBLICATION larder ADD TABLE public.unpublished");
  }

  @Test
  void smallCommitsGoByALargeTransaction() throws Exception {
    try (Connection large = server.connect(database);
        Statement statement = large.createStatement()) {
      large.setAutoCommit(false);
      statement.execute("INSERT INTO part SELECT i, i % 100 FROM generate_series(1000, 101000) i");
      assertThat(changes("public.item", (c, s) -> s.execute("INSERT INTO item VALUES (50, 'a')")))
          .isTrue();
      assertThat(changes("public.part", (c, s) -> large.commit())).isTrue();
    }
    assertThat(following.status().losses()).isZero();
    assertThat(following.status().state()).isEqualTo(FeedStatus.State.LIVE);
  }

  @Test
  void anOpenTransactionWithAsynchronousCommitsKeepsNobodyWaiting() throws Exception {
    try (Connection open = server.connect(database);
        Statement statement = open.createStatement()) {
      open.setAutoCommit(false);
      statement.execute("INSERT INTO unpublished SELECT generate_series(1000, 2000)");
      assertThat(
              changes(
                  "public.item",
                  (c, s) -> {
                    s.execute("SET synchronous_commit = off");
                    s.execute("INSERT INTO item VALUES (60, 'a')");
                  }))
          .isTrue();
    }
  }
}
