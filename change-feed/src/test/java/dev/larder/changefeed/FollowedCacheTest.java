package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderPosition;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.jdbc.PgConnection;

/** A cache that follows writers outside, as an application sees it. */
@Tag("each-server")
final class FollowedCacheTest {
  @AutoClose private static FeedServer server;

  private String database;
  private Connection larder;
  private Connection outside;

  @BeforeAll
  static void startServer() {
    server = FeedServer.start();
  }

  @BeforeEach
  void open() throws SQLException {
    database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE item (id int PRIMARY KEY, amount int)",
        "CREATE TABLE loose (id int PRIMARY KEY, amount int)",
        "INSERT INTO item SELECT n, 0 FROM generate_series(1, 100) n",
        "INSERT INTO loose VALUES (1, 0)",
        "CREATE PUBLICATION larder FOR TABLE item");
    larder = larder("");
    outside = server.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    larder.close();
    outside.close();
  }

  private Connection larder(String options) throws SQLException {
    String url = server.url(database).replace("jdbc:", "jdbc:larder:");
    return DriverManager.getConnection(
        url + "&larder.writers=any&larder.feed=wal&larder.admission=all" + options);
  }

  private static Map<String, @Nullable String> feed(Connection connection) throws SQLException {
    return row(connection, "SHOW larder.feed");
  }

  private static Map<String, @Nullable String> row(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      Map<String, @Nullable String> values = new HashMap<>();
      if (row.next()) {
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          values.put(row.getMetaData().getColumnLabel(i), row.getString(i));
        }
      }
      return values;
    }
  }

  private List<String> bypasses() throws SQLException {
    try (Statement statement = larder.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.bypasses")) {
      List<String> names = new ArrayList<>();
      while (rows.next()) {
        names.add(rows.getString("name"));
      }
      return names;
    }
  }

  private static void awaitLive(Connection connection) throws SQLException {
    Waiting.until("live: " + feed(connection), () -> "live".equals(feed(connection).get("state")));
  }

  private static int amount(Connection connection, int id) throws SQLException {
    return amount(connection, "item", id);
  }

  private static int amount(Connection connection, String table, int id) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT amount FROM " + table + " WHERE id = ?")) {
      query.setInt(1, id);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static long hits(Connection connection) throws SQLException {
    return Long.parseLong(row(connection, "SHOW larder.cache").get("hits"));
  }

  private void write(String sql) throws SQLException {
    try (Statement statement = outside.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void whatIsWrittenThroughAClassOfTheDriverIsFollowed() throws SQLException {
    awaitLive(larder);
    awaitHit(larder, 1);
    try (Connection other = larder("")) {
      PgConnection driver = other.unwrap(PgConnection.class);
      long hits = hits(larder);
      assertThat(amount(larder, 1)).isZero();
      assertThat(hits(larder)).isEqualTo(hits + 1);
      try (Statement statement = driver.createStatement()) {
        statement.execute("UPDATE item SET amount = 7 WHERE id = 1");
      }
      Waiting.until("the write is followed", () -> amount(larder, 1) == 7);
      awaitHit(larder, 1);
      assertThat(amount(other, 1)).isEqualTo(7);
      assertThat(bypasses()).contains("UNWRAPPED");
    }
  }

  @Test
  void besideACacheThatFollowsNobodyItIsTakenForAWriter() throws SQLException {
    awaitLive(larder);
    try (Connection alone =
            DriverManager.getConnection(
                server.url(database).replace("jdbc:", "jdbc:larder:")
                    + "&larder.writers=this-jvm&larder.admission=all&larder.name=alone");
        Connection other = larder("")) {
      awaitHit(alone, 1);
      PgConnection driver = other.unwrap(PgConnection.class);
      try (Statement statement = driver.createStatement()) {
        for (int amount = 1; amount < 20; amount++) {
          statement.execute("UPDATE item SET amount = " + amount + " WHERE id = 1");
          assertThat(amount(alone, 1)).isEqualTo(amount);
        }
      }
    }
  }

  /** Asks until the answer was a hit. */
  private static void awaitHit(Connection connection, int id) throws SQLException {
    long before = hits(connection);
    Waiting.until(
        "a hit",
        () -> {
          amount(connection, id);
          return hits(connection) > before;
        });
  }

  @Test
  void whatOthersCommitIsSeen() throws SQLException {
    awaitLive(larder);
    for (int i = 1; i <= 20; i++) {
      awaitHit(larder, 1);
      write("UPDATE item SET amount = " + i + " WHERE id = 1");
      int wanted = i;
      Waiting.until("the new row", () -> amount(larder, 1) == wanted);
    }
    assertThat(feed(larder).get("commits")).isNotEqualTo("0");
  }

  @Test
  void aWriteLeavesTheResultsOfOtherRows() throws SQLException {
    awaitLive(larder);
    awaitHit(larder, 1);
    awaitHit(larder, 2);
    long commits = Long.parseLong(feed(larder).get("commits"));
    write("UPDATE item SET amount = 1 WHERE id = 1");
    Waiting.until("followed", () -> Long.parseLong(feed(larder).get("commits")) > commits);
    long before = hits(larder);

    assertThat(amount(larder, 2)).isZero();
    assertThat(hits(larder)).isEqualTo(before + 1);
  }

  @Test
  void aTableThatIsNotPublishedLivesFiveSeconds() throws SQLException {
    awaitLive(larder);
    Waiting.until(
        "known",
        () -> {
          amount(larder, "loose", 1);
          return !row(larder, "SHOW larder.tables").isEmpty();
        });

    assertThat(row(larder, "SHOW larder.tables").get("feed")).contains("publication");
    assertThat(row(larder, "SHOW larder.tables").get("feed_cure"))
        .isEqualTo("ALTER PUBLICATION larder ADD TABLE public.loose");
  }

  @Test
  void aTableIsCoveredOnlyWhileTheFeedIsThere() throws SQLException {
    awaitLive(larder);
    awaitHit(larder, 1);
    assertThat(row(larder, "SHOW larder.tables"))
        .containsEntry("feed", "covered")
        .containsEntry("feed_cure", null);

    write("DROP PUBLICATION larder");
    write("INSERT INTO item VALUES (101, 0)"); // With it the server finds out.
    Waiting.until("lost", () -> "lost".equals(feed(larder).get("state")));
    assertThat(row(larder, "SHOW larder.tables"))
        .containsEntry("feed", "the feed is lost")
        .containsEntry("feed_cure", feed(larder).get("cure"))
        .doesNotContainEntry("feed_cure", null);

    write("CREATE PUBLICATION larder FOR TABLE item");
    awaitLive(larder);
    Waiting.until("covered", () -> "covered".equals(row(larder, "SHOW larder.tables").get("feed")));
  }

  @Test
  void ownWritesAreSeenAtOnce() throws SQLException {
    awaitLive(larder);
    try (Statement statement = larder.createStatement()) {
      for (int i = 1; i <= 50; i++) {
        amount(larder, 3);
        statement.executeUpdate("UPDATE item SET amount = " + i + " WHERE id = 3");
        assertThat(amount(larder, 3)).isEqualTo(i);
      }
    }
  }

  @Test
  void aPositionOfAnotherProcessIsWaitedFor() throws SQLException {
    awaitLive(larder);
    try (Connection other = larder("&larder.name=other")) {
      for (int i = 1; i <= 50; i++) {
        amount(other, 4);
        write("UPDATE item SET amount = " + i + " WHERE id = 4");
        String position = row(larder, "SHOW larder.position").get("larder.position");
        try (Statement statement = other.createStatement()) {
          statement.execute("SET larder.position = '" + position + "'");
        }
        assertThat(amount(other, 4)).isEqualTo(i);
      }
      awaitHit(other, 4);
    }
  }

  @Test
  void aTransactionWithASnapshotUsesNoResult() throws SQLException {
    awaitLive(larder);
    awaitHit(larder, 5);
    larder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    larder.setAutoCommit(false);
    long before = hits(larder);
    amount(larder, 5);
    amount(larder, 5);
    larder.commit();
    larder.setAutoCommit(true);

    assertThat(hits(larder)).isEqualTo(before);
    assertThat(bypasses()).contains("FOLLOWED_SNAPSHOT");
  }

  /** The server makes no slot before all who have written have ended. */
  /** Who is told of a change by NOTIFY reads it, as without a cache. */
  @Test
  void whatANotificationSpeaksOfIsSeen() throws SQLException {
    awaitLive(larder);
    PGConnection listening = larder.unwrap(PGConnection.class);
    try (Statement statement = larder.createStatement()) {
      statement.execute("LISTEN change");
    }
    for (int i = 1; i <= 30; i++) {
      awaitHit(larder, 7);
      write("UPDATE item SET amount = " + i + " WHERE id = 7; NOTIFY change");
      PGNotification[] received = listening.getNotifications(10_000);
      assertThat(received).hasSize(1);
      assertThat(amount(larder, 7)).isEqualTo(i);
    }
    awaitHit(larder, 7);
  }

  @Test
  void aPositionOfAThreadCountsBeforeTheLogIsRead() throws SQLException {
    String other = server.createDatabase();
    server.execute(
        other, "CREATE TABLE item AS SELECT 1 AS id, 0 AS amount", "CREATE PUBLICATION larder");
    String url = server.url(other).replace("jdbc:", "jdbc:larder:");
    try (Connection open = server.connect(other)) {
      open.setAutoCommit(false);
      row(open, "SELECT pg_current_xact_id()::text");
      try (Connection starting =
          DriverManager.getConnection(
              url + "&larder.writers=any&larder.feed=wal&larder.admission=all")) {
        for (int i = 1; i <= 3; i++) {
          awaitHit(starting, 1);
          server.execute(other, "UPDATE item SET amount = " + i);
          String position = row(larder, "SHOW larder.position").get("larder.position");
          try (LarderPosition thread = LarderPosition.begin(position)) {
            assertThat(amount(starting, 1)).isEqualTo(i);
            assertThat(thread.written()).isEmpty();
          }
        }
      }
    }
  }

  @Test
  void aPositionCountsMoreThanDeclaredStaleness() throws SQLException {
    awaitLive(larder);
    try (Statement statement = larder.createStatement()) {
      statement.execute("SET larder.staleness = '1h'");
      for (int i = 1; i <= 3; i++) {
        awaitHit(larder, 6);
        write("UPDATE item SET amount = " + i + " WHERE id = 6");
        String position = positionOutside();
        statement.execute("SET larder.position = '" + position + "'");
        awaitHit(larder, 7); // Now that position is reached, and the write known.
        assertThat(amount(larder, 6)).isEqualTo(i);
        statement.execute("RESET larder.position");
      }
    }
  }

  @Test
  void aPositionCountsMoreThanAnAgeThatIsDeclared() throws SQLException {
    awaitLive(larder);
    String query = "SELECT amount FROM item WHERE id = 8 AND now() > '2000-01-01'";
    try (Statement statement = larder.createStatement()) {
      statement.execute("SET larder.staleness = '1h'");
      for (int i = 1; i <= 3; i++) {
        long before = hits(larder);
        Waiting.until(
            "a hit",
            () -> {
              row(larder, query);
              return hits(larder) > before;
            });
        write("UPDATE item SET amount = " + i + " WHERE id = 8");
        try (LarderPosition thread = LarderPosition.begin(positionOutside())) {
          assertThat(row(larder, query)).containsEntry("amount", Integer.toString(i));
          assertThat(thread.written()).isEmpty();
        }
      }
    }
  }

  private String positionOutside() throws SQLException {
    try (Connection other = larder("&larder.name=outside")) {
      return Objects.requireNonNull(row(other, "SHOW larder.position").get("larder.position"));
    }
  }

  /** Its results may be as old as others of it. */
  @ParameterizedTest
  @ValueSource(strings = {"&larder.verify=1", "&larder.mode=observe"})
  void aTableThatIsNotPublishedIsNotVerified(String options) throws SQLException {
    try (Connection verifying = larder(options)) {
      awaitLive(verifying);
      String compared = "verified_hits";
      Waiting.until(
          "a hit",
          () -> {
            amount(verifying, "loose", 1);
            return !"0".equals(row(verifying, "SHOW larder.cache").get(compared));
          });
      write("UPDATE loose SET amount = 1 WHERE id = 1");
      assertThat(amount(verifying, "loose", 1)).isEqualTo(1);
      assertThat(row(verifying, "SHOW larder.quarantine")).isEmpty();
      assertThat(row(verifying, "SHOW larder.cache")).containsEntry("wrong_hits", "0");
    }
  }
}
