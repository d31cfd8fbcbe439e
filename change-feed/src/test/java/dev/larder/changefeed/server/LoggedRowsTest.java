package dev.larder.changefeed.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogVersion;
import dev.larder.changefeed.FeedServer;
import dev.larder.changefeed.Following;
import dev.larder.changefeed.pgoutput.PgoutputDecoder;
import dev.larder.feed.LoggedTransaction;
import dev.larder.keys.BoundValue;
import dev.larder.keys.KeyTable;
import dev.larder.keys.LoggedRow;
import dev.larder.store.KeyTag;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which rows a commit names, by what the log of a server has of them. */
@Tag("each-server")
final class LoggedRowsTest {
  private static final String BIG = "SELECT string_agg(md5(x::text), '') FROM generate_series";

  @AutoClose private static FeedServer server;

  private String database;
  private Following following;
  private CatalogVersion catalog;
  private final TableVersions versions = new TableVersions();
  private final List<WriteSet> commits = new CopyOnWriteArrayList<>();
  private Connection log;
  private Thread reader;

  @BeforeAll
  static void startServer() {
    server = FeedServer.start("logical_decoding_work_mem=64kB");
  }

  @BeforeEach
  void follow() throws SQLException {
    database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE item (id int PRIMARY KEY, owner int NOT NULL, name text, big text)",
        "CREATE INDEX ON item (owner)",
        "CREATE UNIQUE INDEX item_both ON item (id, owner)",
        "ALTER TABLE item ALTER big SET STORAGE EXTERNAL",
        "INSERT INTO item SELECT 1, 10, 'a', (" + BIG + "(1, 500) x)",
        "CREATE PUBLICATION larder FOR TABLE item");
    following = Following.start(server.url(database));
    catalog = following.catalogWith("public.item");
    log =
        new org.postgresql.Driver()
            .connect(
                server.url(database)
                    + "&replication=database&assumeMinServerVersion=10&preferQueryMode=simple",
                new Properties());
    SlotCommands commands = SlotCommands.of("larder", server.version());
    commands.make(log);
    LogStream stream =
        new LogStream(log, commands.start(), new PgoutputDecoder(new Commits()), new Nowhere());
    reader = new Thread(() -> read(stream));
    reader.start();
  }

  private static void read(LogStream stream) {
    try {
      stream.read();
    } catch (SQLException e) {
      // The test is over.
    }
  }

  @AfterEach
  void end() throws Exception {
    log.abort(Runnable::run);
    reader.join();
    following.close();
  }

  private final class Commits implements PgoutputDecoder.Sink {
    @Override
    public LoggedTransaction begin() {
      return new LoggedTransaction(versions, () -> catalog);
    }

    @Override
    public void committed(int transaction, LoggedTransaction logged) {
      if (!logged.writes().isEmpty()) {
        commits.add(logged.writes());
      }
    }

    @Override
    public void reached(long position) {}
  }

  private static final class Nowhere implements LogStream.Position {
    @Override
    public void reached(long position) {}

    @Override
    public long reached() {
      return 0;
    }
  }

  private WriteSet commit(String... statements) throws SQLException {
    int before = commits.size();
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String sql : statements) {
        statement.execute(sql);
      }
      connection.commit();
    }
    Waiting.until("the commit", () -> commits.size() > before);
    return commits.get(before);
  }

  private TableTag tag() {
    return versions.tag(
        TableTag.Scope.RELATION, Objects.requireNonNull(catalog.oidOf("public.item")));
  }

  private void assertNames(
      WriteSet writes, @Nullable Map<String, Object> before, @Nullable Map<String, Object> after) {
    KeyTable table = Objects.requireNonNull(catalog.keyTable(tag().oid()));
    assertThat(table.schemes()).hasSizeGreaterThan(1);
    Set<KeyTag> expected = new HashSet<>();
    LoggedRow.addTags(
        table,
        tag(),
        before == null ? null : before::get,
        after == null ? null : after::get,
        expected);
    assertThat(writes.namesRowsOf(tag())).isTrue();
    assertThat(Set.copyOf(writes.keys())).isEqualTo(expected);
  }

  private static Map<String, Object> row(Object id, Object owner, Object name, Object big) {
    Map<String, Object> row = new HashMap<>();
    row.put("id", id);
    row.put("owner", owner);
    row.put("name", name);
    row.put("big", big);
    row.values().removeIf(value -> value == null);
    return row;
  }

  private static final Object NULL = BoundValue.NULL;

  @Test
  void withTheDefaultIdentityThePrimaryKeyOfTheOldRowIsKnown() throws SQLException {
    assertNames(commit("INSERT INTO item VALUES (2, 20, 'b')"), null, row("2", "20", "b", NULL));
    assertNames(
        commit("UPDATE item SET name = 'c' WHERE id = 2"),
        row("2", null, null, null),
        row("2", "20", "c", NULL));
    assertNames(
        commit("UPDATE item SET id = 3 WHERE id = 2"),
        row("2", null, null, null),
        row("3", "20", "c", NULL));
    assertNames(commit("DELETE FROM item WHERE id = 3"), row("3", null, null, null), null);
  }

  @Test
  void aLargeValueThatStaysIsUnknown() throws SQLException {
    assertNames(
        commit("UPDATE item SET owner = 11 WHERE id = 1"),
        row("1", null, null, null),
        row("1", "11", "a", null));
  }

  @Test
  void withTheFullIdentityEverythingIsKnown() throws SQLException {
    server.execute(database, "ALTER TABLE item REPLICA IDENTITY FULL");
    String big = server.ask(database, "SELECT big FROM item");
    assertNames(
        commit("UPDATE item SET owner = 11 WHERE id = 1"),
        row("1", "10", "a", big),
        row("1", "11", "a", big));
    assertNames(
        commit("UPDATE item SET name = NULL WHERE id = 1"),
        row("1", "11", "a", big),
        row("1", "11", NULL, big));
    assertNames(commit("DELETE FROM item"), row("1", "11", NULL, big), null);
  }

  @Test
  void withAnIndexAsIdentityItsColumnsAreKnown() throws SQLException {
    server.execute(database, "ALTER TABLE item REPLICA IDENTITY USING INDEX item_both");
    assertNames(
        commit("UPDATE item SET owner = 12"),
        row("1", "10", null, null),
        row("1", "12", "a", null));
    assertNames(
        commit("UPDATE item SET name = 'x'"),
        row("1", "12", null, null),
        row("1", "12", "x", null));
    assertNames(commit("DELETE FROM item"), row("1", "12", null, null), null);
  }

  @Test
  void aTruncateNamesNoRows() throws SQLException {
    WriteSet writes = commit("TRUNCATE item");
    assertThat(writes.unknown()).isFalse();
    assertThat(writes.tags()).containsExactly(tag());
    assertThat(writes.namesRowsOf(tag())).isFalse();
  }

  @Test
  void manyRowsAreAnyRows() throws SQLException {
    WriteSet writes =
        commit("INSERT INTO item SELECT i, i, 'n' FROM generate_series(1000, 20000) i");
    assertThat(writes.tags()).containsExactly(tag());
    assertThat(writes.namesRowsOf(tag())).isFalse();
  }

  @Test
  void whatAStreamedTransactionTakesBackMayCountAndWhatItKeepsDoes() throws SQLException {
    int before = commits.size();
    String rows = " SELECT i, 1, 'a', (" + BIG + "(1, 20) x) FROM generate_series(%d, %d) i";
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO item" + rows.formatted(2000, 2200));
      Savepoint savepoint = connection.setSavepoint();
      statement.execute("INSERT INTO item" + rows.formatted(3000, 3200));
      connection.rollback(savepoint);
      statement.execute("INSERT INTO item" + rows.formatted(4000, 4200));
      // A small commit passes it.
      assertNames(commit("INSERT INTO item VALUES (5, 5, 'e')"), null, row("5", "5", "e", NULL));
      connection.commit();
    }
    Waiting.until("both commits", () -> commits.size() == before + 2);
    assertThat(commits.get(before + 1).tags()).containsExactly(tag());
    Set<KeyTag> kept = new HashSet<>();
    KeyTable table = Objects.requireNonNull(catalog.keyTable(tag().oid()));
    for (int id : List.of(2000, 2200, 4000, 4200)) {
      LoggedRow.addTags(table, tag(), null, row(Integer.toString(id), "1", "a", "x")::get, kept);
    }
    assertThat(commits.get(before + 1).keys()).containsAll(kept);
  }

  @Test
  void whatAStreamedTransactionTakesBackAsAWholeIsNothing() throws SQLException {
    int before = commits.size();
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO item SELECT i, i, 'n' FROM generate_series(1000, 20000) i");
      connection.rollback();
    }
    commit("INSERT INTO item VALUES (6, 6, 'f')");
    assertThat(commits).hasSize(before + 1);
  }

  @Test
  void anotherCatalogMakesItEverything() throws SQLException {
    LoggedTransaction logged = new LoggedTransaction(versions, () -> catalog);
    logged.row(tag().oid(), null, row("1", "1", "a", "b")::get);
    assertThat(logged.writes().unknown()).isFalse();
    server.execute(database, "CREATE TABLE more ()");
    catalog = following.catalogWith("public.more");
    assertThat(logged.writes().unknown()).isTrue();
  }
}
