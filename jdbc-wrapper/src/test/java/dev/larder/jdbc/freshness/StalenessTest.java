package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that may be outdated for a declared time, and what must not be outdated all the same. */
final class StalenessTest {
  /** Long enough for the slowest machine. */
  private static final String LONG = "/* larder:stale=10m */ SELECT name FROM item WHERE id = 1";

  private static final String SLOW =
      "/* larder:stale=10m */ SELECT slow(name) FROM item WHERE id = 1";

  private static final String PLAIN = "SELECT name FROM item WHERE id = 1";
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  private TestDatabase database;
  private Connection reader;
  private Connection writer;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'old'), (2, 'other')",
        "CREATE TABLE other (id int)");
    reader = connect();
    writer = connect();
    LarderProbe.awaitCatalog(reader);
  }

  @AfterEach
  void close() throws SQLException {
    reader.close();
    writer.close();
    database.close();
  }

  private Connection connect() throws SQLException {
    return LarderProbe.connect(
        database,
        "larder.writers=this-jvm",
        "larder.admission=all",
        "larder.name=" + database.name());
  }

  private long staleHits() throws SQLException {
    return LarderProbe.count(reader, "stale_hits");
  }

  /** Has an outdated result of {@code sql} in the cache. */
  private void outdate(String sql) throws SQLException {
    LarderProbe.fill(reader, sql);
    run(writer, UPDATE);
  }

  private void isOutdatedHit(Connection connection, String sql) throws SQLException {
    long before = staleHits();
    assertThat(rows(connection, sql)).containsExactly("old");
    assertThat(staleHits()).isEqualTo(before + 1);
  }

  private void isNotOutdated(Connection connection, String sql) throws SQLException {
    long before = staleHits();
    assertThat(rows(connection, sql)).containsExactly("new");
    assertThat(staleHits()).isEqualTo(before);
  }

  @Test
  void outdatedRowsAreUsedWhereThatIsDeclared() throws SQLException {
    outdate(LONG);
    isOutdatedHit(reader, LONG);
    isOutdatedHit(reader, LONG);
    isNotOutdated(connect(), PLAIN);
  }

  @Test
  void aResultThatNobodyHasHitIsUsed() throws SQLException {
    assertThat(rows(reader, LONG)).containsExactly("old");
    run(writer, "INSERT INTO other VALUES (1)");
    run(writer, UPDATE);
    isOutdatedHit(reader, LONG);
  }

  @Test
  void whoAskedWhileRowsWereWrittenReadsItsOwnResultAgain() throws Exception {
    writtenWhileAsked();
    isOutdatedHit(reader, SLOW);
    isOutdatedHit(reader, SLOW);
    isNotOutdated(connect(), PLAIN);
  }

  @Test
  void whatItAskedIsNotReadAgainAfterSomethingNewer() throws Exception {
    writtenWhileAsked();
    assertThat(rows(reader, PLAIN)).containsExactly("new");
    isNotOutdated(reader, SLOW);
  }

  @Test
  void whatItAskedIsNotReadAgainAfterAnotherResultOfThatTime() throws Exception {
    writtenWhileAsked();
    assertThat(rows(reader, LONG)).containsExactly("new");
    isNotOutdated(reader, SLOW);
  }

  @Test
  void whatItAskedIsNotReadAgainAfterAWriteOfItsOwn() throws Exception {
    writtenWhileAsked();
    run(reader, "UPDATE item SET name = name");
    isNotOutdated(reader, SLOW);
  }

  /** Has {@code reader} ask for what is outdated before it is there. */
  private void writtenWhileAsked() throws Exception {
    database.execute(
        "CREATE FUNCTION slow(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN"
            + " PERFORM pg_advisory_lock(1); PERFORM pg_advisory_unlock(1); RETURN $1; END'");
    LarderProbe.awaitCatalog(reader);
    rows(reader, "/* larder:stale=10m */ SELECT name FROM item WHERE id = 2");
    try (Connection holder = database.connect()) {
      run(holder, "SELECT pg_advisory_lock(1)");
      FutureTask<List<String>> asking = new FutureTask<>(() -> rows(reader, SLOW));
      new Thread(asking).start();
      String waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      Waiting.until(
          Duration.ofSeconds(20),
          () -> "the query waits",
          () -> rows(holder, waiting).equals(List.of("1")));
      run(writer, UPDATE);
      run(holder, "SELECT pg_advisory_unlock(1)");
      assertThat(asking.get()).containsExactly("old");
    }
  }

  @Test
  void withoutADeclarationNothingIsOutdated() throws SQLException {
    outdate(PLAIN);
    isNotOutdated(reader, PLAIN);
  }

  @Test
  @Tag("gate")
  void theAgeCountsFromTheWriteThatOutdatedTheRows() throws SQLException {
    String sql = "/* larder:stale=3s */ SELECT name FROM item WHERE id = 1";
    LarderProbe.fill(reader, sql);
    Waiting.pass(Duration.ofSeconds(4));
    run(writer, UPDATE);
    isOutdatedHit(reader, sql);
    Waiting.pass(Duration.ofSeconds(3));
    isNotOutdated(reader, sql);
  }

  @Test
  @Tag("gate")
  void oneAsksWhileOthersReadOn() throws SQLException {
    String sql = "/* larder:stale=20s */ SELECT name FROM item WHERE id = 1";
    outdate(sql);
    isOutdatedHit(reader, sql);
    Waiting.pass(Duration.ofSeconds(10));
    run(reader, "BEGIN");
    isNotOutdated(writer, sql); // It asks, as it has written itself; what it keeps is for all.
    run(reader, "COMMIT");
    isNotOutdated(reader, sql);
  }

  @Test
  void aSessionSaysItForItself() throws SQLException {
    assertThat(rows(reader, "SHOW larder.staleness")).containsExactly("0");
    run(reader, "SET larder.staleness = '10m'");
    assertThat(rows(reader, "SHOW larder.staleness")).containsExactly("600000ms");
    outdate(PLAIN);
    isOutdatedHit(reader, PLAIN);
    try (Connection third = connect()) {
      assertThat(rows(third, PLAIN)).containsExactly("new");
    }
    run(reader, "RESET larder.staleness");
    isNotOutdated(reader, PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "000ms"})
  void aQueryThatIsNeverToBeOutdatedSaysSo(String never) throws SQLException {
    String sql = "/* larder:stale=" + never + " */ " + PLAIN;
    run(reader, "SET larder.staleness = '10m'");
    outdate(sql);
    isNotOutdated(reader, sql);
  }

  @Test
  void aTimeThatIsNoneIsRefused() {
    assertThatThrownBy(() -> run(reader, "SET larder.staleness = 'soon'"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("larder.staleness is 'soon'");
    assertThatThrownBy(() -> run(reader, "SET larder.staleness = 2s"))
        .isInstanceOf(SQLException.class)
        .hasMessage("SET larder.staleness takes one text in single quotes, or use RESET.");
  }

  // ---- never for own writes

  @Test
  void ownWritesAreSeen() throws SQLException {
    LarderProbe.fill(reader, LONG);
    run(reader, UPDATE);
    isNotOutdated(reader, LONG);
  }

  @Test
  void ownWritesAreSeenInTheirTransactionAndAfterIt() throws SQLException {
    LarderProbe.fill(reader, LONG);
    reader.setAutoCommit(false);
    run(reader, UPDATE);
    isNotOutdated(reader, LONG);
    reader.commit();
    isNotOutdated(reader, LONG);
    reader.setAutoCommit(true);
    isNotOutdated(reader, LONG);
  }

  @Test
  void ownWritesThatAnotherSessionCommitsAreSeen() throws SQLException {
    LarderProbe.fill(reader, LONG);
    run(reader, "BEGIN", UPDATE, "PREPARE TRANSACTION '" + database.name() + "'");
    isNotOutdatedBefore(reader);
    run(writer, "COMMIT PREPARED '" + database.name() + "'");
    isNotOutdated(reader, LONG);
    run(writer, "UPDATE item SET name = 'newer' WHERE id = 1");
    assertThat(rows(reader, LONG)).as("whose end is noticed here").containsExactly("newer");
    run(writer, "UPDATE item SET name = 'newest' WHERE id = 1");
    long before = staleHits();
    assertThat(rows(reader, LONG)).containsExactly("newer");
    assertThat(staleHits()).isEqualTo(before + 1);
  }

  /** What is prepared is not committed. */
  private void isNotOutdatedBefore(Connection connection) throws SQLException {
    long before = staleHits();
    assertThat(rows(connection, LONG)).containsExactly("old");
    assertThat(staleHits()).isEqualTo(before);
  }

  // ---- never backwards

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        "SELECT name FROM item WHERE id = 2",
        "SELECT count(*), now() FROM item",
        "UPDATE item SET name = name WHERE id = 2",
        "SELECT name FROM item WHERE id = 1 FOR UPDATE",
        "DO 'BEGIN PERFORM FROM item; END'",
        "EXPLAIN ANALYZE SELECT name FROM item"
      })
  void whatWasSeenOfTheTableIsNotTakenBack(String sql) throws SQLException {
    outdate(LONG);
    isOutdatedHit(reader, LONG);
    if (sql.startsWith("SELECT") || sql.startsWith("EXPLAIN")) {
      rows(reader, sql);
    } else {
      run(reader, sql);
    }
    isNotOutdated(reader, LONG);
  }

  @Test
  void aHitThatIsCurrentIsNotTakenBack() throws SQLException {
    outdate(LONG);
    try (Connection third = connect()) {
      LarderProbe.fill(third, PLAIN);
    }
    isOutdatedHit(reader, LONG);
    assertThat(LarderProbe.isHit(reader, PLAIN)).isTrue();
    isNotOutdated(reader, LONG);
  }

  @Test
  void aNewerOutdatedResultIsNotTakenBack() throws SQLException {
    outdate(LONG); // To the older result the session comes back below.
    String all = "/* larder:stale=10m */ SELECT name FROM item ORDER BY id";
    try (Connection third = connect()) {
      LarderProbe.fill(third, all);
    }
    run(writer, "UPDATE item SET name = 'newer' WHERE id = 2");
    isOutdatedHit(reader, LONG);
    assertThat(rows(reader, all)).containsExactly("new", "other");
    isNotOutdated(reader, LONG);
  }

  @Test
  void whatWasSeenOfOtherTablesDoesNotMatter() throws SQLException {
    outdate(LONG);
    rows(reader, "SELECT count(*) FROM other");
    run(reader, "INSERT INTO other VALUES (1)", "BEGIN", "COMMIT");
    isOutdatedHit(reader, LONG);
  }

  @Test
  void aHitWithoutAConnectionIsNotTakenBack() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        database.larderUrl(
            "larder.writers=this-jvm",
            "larder.admission=all",
            "larder.name=" + database.name(),
            "larder.lazyConnections=auto"));
    config.setMaximumPoolSize(1);
    try (LazyDataSource source = new LazyDataSource(new HikariDataSource(config))) {
      try (Connection pooled = source.getConnection()) {
        LarderProbe.fill(pooled, LONG);
      }
      run(writer, UPDATE);
      try (Connection pooled = source.getConnection()) {
        LarderProbe.fill(pooled, PLAIN);
      }
      Waiting.until("a hit without a connection", () -> isServedBeforeTheOutdated(source));
    }
  }

  private boolean isServedBeforeTheOutdated(LazyDataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      assertThat(rows(connection, PLAIN)).containsExactly("new");
      boolean served = connection.toString().contains("without a connection");
      assertThat(rows(connection, LONG)).containsExactly("new");
      return served;
    }
  }

  /** PostgreSQL, 13.6: to a snapshot from before, the table is empty. */
  @Test
  void theEmptyTableThatAnOldSnapshotSeesAfterATruncateIsNotUsed() throws Exception {
    assertThat(rows(reader, LONG)).containsExactly("old");
    try (Connection snapshot = connect();
        Connection past = database.connect()) {
      snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      snapshot.setAutoCommit(false);
      rows(snapshot, "SELECT count(*) FROM other");
      run(writer, "BEGIN", "TRUNCATE item", "INSERT INTO item VALUES (1, 'new')");
      FutureTask<List<String>> waiting = new FutureTask<>(() -> rows(snapshot, LONG));
      new Thread(waiting).start();
      Waiting.until(
          "it waits for the lock",
          () -> rows(past, "SELECT FROM pg_locks WHERE NOT granted").size() == 1);
      run(writer, "COMMIT");
      assertThat(waiting.get()).isEmpty();
      snapshot.rollback();
    }
    isNotOutdated(reader, LONG);
  }

  // ---- never across what changes everything

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE item ADD COLUMN more int",
        "GRANT SELECT ON item TO public",
        "DO 'BEGIN NULL; END'"
      })
  void aWriteOfEverythingEndsIt(String sql) throws SQLException {
    outdate(LONG);
    isOutdatedHit(reader, LONG);
    run(writer, sql);
    LarderProbe.awaitCatalog(writer);
    isNotOutdated(reader, LONG);
  }

  @Test
  void whatIsClearedIsNotUsed() throws SQLException {
    outdate(LONG);
    isOutdatedHit(reader, LONG);
    LarderCaches.all().stream()
        .filter(cache -> cache.name().equals(database.name()))
        .forEach(cache -> assertThat(cache.clearTable("public.item")).isTrue());
    isNotOutdated(reader, LONG);
  }

  @Test
  void anotherRoleHasResultsOfItsOwn() throws SQLException {
    String role = "stale_" + database.name();
    database.execute("CREATE ROLE " + role, "GRANT SELECT ON item TO " + role);
    LarderProbe.awaitCatalog(reader);
    outdate(LONG);
    isOutdatedHit(reader, LONG);
    run(reader, "SET ROLE " + role);
    assertThat(rows(reader, LONG)).containsExactly("new");
    run(reader, "RESET ROLE");
    database.execute("REVOKE ALL ON item FROM " + role, "DROP ROLE " + role);
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void aSnapshotIsNeverOutdated(int level) throws SQLException {
    outdate(LONG);
    isOutdatedHit(reader, LONG);
    reader.setTransactionIsolation(level);
    reader.setAutoCommit(false);
    isNotOutdated(reader, LONG);
    reader.commit();
  }
}
