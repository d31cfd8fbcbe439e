package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that the server calls equal although their texts differ: the log has the text. */
@Tag("gate")
final class FoldedKeysTest {
  @AutoClose private static FeedServer server;

  /** With citext no keys are used in a database, so that it is there for its own type only. */
  private static String databaseWith(String type, String identity, boolean citext)
      throws SQLException {
    String database = server.createDatabase();
    if (citext) {
      server.execute(database, "CREATE EXTENSION citext");
    }
    server.execute(
        database,
        "CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2',"
            + " deterministic = false)",
        "CREATE DOMAIN folded_text AS text COLLATE folded",
        "CREATE TABLE code (id " + type + " PRIMARY KEY, owner " + type + ", amount int)",
        "CREATE INDEX ON code (owner)",
        "ALTER TABLE code REPLICA IDENTITY " + identity,
        "INSERT INTO code SELECT 'k' || n, 'o' || n, 0 FROM generate_series(1, 100) n",
        "INSERT INTO code VALUES ('abc', 'xyz', 0)",
        "CREATE PUBLICATION larder FOR TABLE code");
    return database;
  }

  private static void seesWrite(
      Application application, String database, String query, String key, String write)
      throws SQLException {
    application.awaitHit(query, key);
    String before = application.row(query, key).get("amount");
    server.execute(database, write);
    Waiting.until(
        Duration.ofSeconds(10),
        () -> "what " + write + " does to " + query,
        () -> !Objects.equals(application.row(query, key).get("amount"), before));
  }

  @BeforeAll
  static void startServer() {
    server = FeedServer.start();
  }

  @ParameterizedTest
  @CsvSource({
    "citext, DEFAULT",
    "citext, FULL",
    "text COLLATE folded, DEFAULT",
    "text COLLATE folded, FULL",
    "varchar(20) COLLATE folded, DEFAULT",
    "folded_text, DEFAULT",
    "char(10) COLLATE folded, DEFAULT"
  })
  void whatIsWrittenByAnotherSpellingIsSeen(String type, String identity) throws SQLException {
    boolean citext = type.equals("citext");
    String database = databaseWith(type, identity, citext);
    String typed = citext ? "?::citext" : "?";
    try (Application application = Application.open(server.url(database), "")) {
      application.awaitLive();
      for (String column : new String[] {"id", "owner"}) {
        String key = column.equals("id") ? "ABC" : "XYZ";
        String query = "SELECT amount FROM code WHERE " + column + " = " + typed;
        assertThat(application.row(query, key)).containsEntry("amount", "0");
        seesWrite(application, database, query, key, "UPDATE code SET amount = 1 WHERE id = 'aBc'");
        seesWrite(application, database, query, key, "DELETE FROM code WHERE id = 'abC'");
        seesWrite(application, database, query, key, "INSERT INTO code VALUES ('abc', 'xyz', 2)");
        seesWrite(
            application,
            database,
            query,
            key,
            "UPDATE code SET id = 'none', owner = 'none' WHERE id = 'abc'");
        seesWrite(
            application,
            database,
            query,
            key,
            "UPDATE code SET id = 'Abc', owner = 'Xyz', amount = 3 WHERE id = 'none'");
        server.execute(
            database, "UPDATE code SET id = 'abc', owner = 'xyz', amount = 0 WHERE id = 'abc'");
        Waiting.until("the first row", () -> "0".equals(application.row(query, key).get("amount")));
      }
    }
  }

  /** The column has exact keys, and the query compares them otherwise. */
  @Test
  void aQueryThatFoldsExactKeysIsToldOfAllSpellings() throws SQLException {
    seesWriteOfFolded(
        false,
        "id = ? COLLATE folded",
        "id COLLATE folded = ?",
        "id::folded_text = ?",
        "id = ANY (ARRAY[?] COLLATE folded)",
        "id IN (? COLLATE folded, 'none')",
        "lower(id) = lower(?)");
    seesWriteOfFolded(true, "id::citext = ?::citext", "id::citext IN (?::citext, 'none')");
  }

  private static void seesWriteOfFolded(boolean citext, String... conditions) throws SQLException {
    String database = databaseWith("text", "DEFAULT", citext);
    try (Application application = Application.open(server.url(database), "")) {
      application.awaitLive();
      for (String condition : conditions) {
        seesWrite(
            application,
            database,
            "SELECT amount FROM code WHERE " + condition,
            "ABC",
            "UPDATE code SET amount = amount + 1 WHERE id = 'abc'");
      }
    }
  }

  /** Else the others would show nothing: by exact keys, other rows' results stay. */
  @Test
  void exactKeysAreToldApart() throws SQLException {
    String database = databaseWith("text", "DEFAULT", false);
    String query = "SELECT amount FROM code WHERE id = ?";
    try (Application application = Application.open(server.url(database), "")) {
      application.awaitLive();
      application.awaitHit(query, "k1");
      String commits = application.feed("commits");
      server.execute(database, "UPDATE code SET amount = 1 WHERE id = 'k2'");
      Waiting.until("followed", () -> !commits.equals(application.feed("commits")));
      long before = application.hits();
      application.row(query, "k1");
      assertThat(application.hits()).isEqualTo(before + 1);
    }
  }
}
