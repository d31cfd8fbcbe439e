package dev.larder.jdbc.faults;

import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.jdbc.TcpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of writes whose answer never came. */
@Tag("proof")
@Tag("each-server")
@Tag("regression")
final class LostConnectionsTest extends ProtocolFixture {
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  private Connection through(TcpProxy proxy) throws SQLException {
    Connection connection = throughPort(proxy.port());
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  private Connection throughPort(int port) throws SQLException {
    return DriverManager.getConnection(
        database
            .larderUrl("larder.writers=this-jvm")
            .replace(":" + database.port() + "/", ":" + port + "/"));
  }

  /** Sooner or later the table is cached again, with these rows. */
  private void awaitCached(String sql, String... rows) throws SQLException {
    await(() -> isHit(one, sql));
    assertHit(one, sql, rows);
  }

  /** Makes a commit wait for the advisory lock 9, which {@link #past} holds. */
  private void holdCommits() throws SQLException {
    run(
        past,
        "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM pg_advisory_xact_lock(9); RETURN NULL; END $$",
        "CREATE CONSTRAINT TRIGGER hold AFTER UPDATE ON item DEFERRABLE INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION hold()",
        "SELECT pg_advisory_lock(9)");
  }

  private static void assertLost(Future<?> future) {
    assertThatThrownBy(() -> get(future))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(SQLException.class);
  }

  /** Asks something of a connection, and perhaps finds it dead. */
  private interface Question {
    void ask(Connection connection) throws SQLException;
  }

  private static final Map<String, Question> FIND_IT_DEAD =
      Map.of(
          "isValid", c -> c.isValid(5),
          "metadata", c -> c.getMetaData().getTables(null, null, "item", null),
          "schema", Connection::getSchema,
          "parameters", c -> c.prepareStatement(ITEMS + ", ?").getParameterMetaData());

  static Stream<String> findItDead() {
    return FIND_IT_DEAD.keySet().stream().sorted();
  }

  private static String prepared(Connection connection) {
    try {
      return String.valueOf(connection.prepareStatement(ITEMS).isClosed());
    } catch (SQLException e) {
      return e.getSQLState() + ' ' + e.getMessage();
    }
  }

  private String preparedAfter(Question question, Connection connection) throws SQLException {
    LarderProbe.rows(connection, ITEMS);
    connection.setAutoCommit(false);
    assertThat(prepared(connection)).isEqualTo("false");
    int pid = pid(connection);
    run(past, "SELECT pg_terminate_backend(" + pid + ")");
    awaitGone(pid);
    try {
      question.ask(connection);
    } catch (SQLException e) {
      assertThat(e.getSQLState()).matches("08...|57P01");
    }
    return prepared(connection);
  }

  @ParameterizedTest
  @MethodSource("findItDead")
  void nothingIsPreparedOnAConnectionThatWasFoundDeadByTheWay(String name) throws SQLException {
    Question question = FIND_IT_DEAD.get(name);
    try (Connection bare = database.connect()) {
      assertThat(preparedAfter(question, two))
          .isEqualTo(preparedAfter(question, bare))
          .startsWith("08003");
    }
  }

  @Test
  void nothingIsPreparedOnAConnectionThatWasFoundDeadByFetching() throws SQLException {
    Question fetch =
        connection -> {
          Statement statement = connection.createStatement();
          statement.setFetchSize(1);
          ResultSet rows = statement.executeQuery("SELECT g FROM generate_series(1, 9) g");
          rows.next();
          int pid = pid(connection);
          run(past, "SELECT pg_terminate_backend(" + pid + ")");
          awaitGone(pid);
          assertThat(prepared(connection)).isEqualTo("false");
          rows.next();
        };
    try (Connection bare = database.connect()) {
      assertThat(preparedAfterFetch(fetch, two))
          .isEqualTo(preparedAfterFetch(fetch, bare))
          .startsWith("08003");
    }
  }

  private static String preparedAfterFetch(Question fetch, Connection connection)
      throws SQLException {
    connection.setAutoCommit(false);
    assertThatThrownBy(() -> fetch.ask(connection)).isInstanceOf(SQLException.class);
    return prepared(connection);
  }

  @Test
  void aCommitWhoseAnswerIsLostIsSeen() throws Exception {
    try (TcpProxy proxy = new TcpProxy(database.port());
        Connection writer = through(proxy)) {
      fillBoth();
      writer.setAutoCommit(false);
      run(writer, UPDATE);
      proxy.cutAnswerTo("COMMIT");
      assertThatThrownBy(writer::commit).isInstanceOf(SQLException.class);
      assertLive(one, ITEMS, "new", "b");
      awaitCached(ITEMS, "new", "b");
      awaitCached(NOTES, "x");
    }
  }

  @Test
  void anAutocommittedWriteWhoseAnswerIsLostIsSeen() throws Exception {
    try (TcpProxy proxy = new TcpProxy(database.port());
        Connection writer = through(proxy)) {
      fillBoth();
      proxy.cutAnswerTo("UPDATE item");
      assertThatThrownBy(() -> run(writer, UPDATE)).isInstanceOf(SQLException.class);
      assertLive(one, ITEMS, "new", "b");
      awaitCached(ITEMS, "new", "b");
    }
  }

  /** A connection of Larder's own that falls silent is given up after a quarter of a minute. */
  @Test
  void whatBecameOfACommitIsAskedAgainWhereNoAnswerComes() throws Exception {
    try (TcpProxy proxy = new TcpProxy(database.port());
        Connection writer = through(proxy)) {
      fillBoth();
      writer.setAutoCommit(false);
      run(writer, UPDATE);
      proxy.loseAnswersTo("pg_control_system");
      proxy.cutAnswerTo("COMMIT");
      assertThatThrownBy(writer::commit).isInstanceOf(SQLException.class);
      await(() -> proxy.lost.get() > 0);
      assertLive(one, ITEMS, "new", "b");
      proxy.loseAnswersTo(null);
      awaitCached(ITEMS, "new", "b");
      awaitNoThread();
    }
  }

  @Test
  void aBackendThatOutlivesItsClientKeepsTheWriteInFlightUntilItIsGone() throws Exception {
    try (TcpProxy proxy = new TcpProxy(database.port());
        Connection writer = through(proxy)) {
      holdCommits();
      fillBoth();
      int pid = pid(writer);
      writer.setAutoCommit(false);
      run(writer, "UPDATE other SET note = note WHERE false", UPDATE);
      Future<?> commit =
          async(
              () -> {
                writer.commit();
                return true;
              });
      awaitBlocked(pid);
      proxy.cut();
      assertLost(commit);
      for (int i = 0; i < 5; i++) {
        assertLive(one, ITEMS, "a", "b");
      }
      run(past, "SELECT pg_advisory_unlock(9)");
      awaitGone(pid);
      assertThat(rows(past, ITEMS)).containsExactly("new", "b");
      assertThat(rows(one, ITEMS)).containsExactly("new", "b");
      awaitCached(ITEMS, "new", "b");
      awaitCached(NOTES, "x");
      awaitNoThread();
    }
  }

  /** Behind a pooler another process commits than the one that was asked when it was connected. */
  @Test
  void aLostCommitBehindAPoolerWaitsForWhoeverMayBeRunningIt() throws Exception {
    try (PoolingProxy pooler = new PoolingProxy(database.port(), true);
        Connection writer = throughPort(pooler.port())) {
      holdCommits();
      fillBoth();
      pooler.exchangeServers();
      writer.setAutoCommit(false);
      run(writer, UPDATE);
      Future<?> commit =
          async(
              () -> {
                writer.commit();
                return true;
              });
      awaitAtServer(
          "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      pooler.cut();
      assertLost(commit);
      awaitQuestions(3);
      assertLive(one, ITEMS, "a", "b");
      assertLive(one, NOTES, "x");
      run(past, "SELECT pg_advisory_unlock(9)");
      awaitAtServer("SELECT name = 'new' FROM item WHERE id = 1");
      assertLive(one, ITEMS, "new", "b");
      past.close();
      awaitCached(ITEMS, "new", "b");
      awaitCached(NOTES, "x");
    }
  }

  /** A pooler that names a real process is found out when the settings are read again. */
  @Test
  void aPoolerThatNamesARealProcessIsFoundOutLate() throws Exception {
    try (PoolingProxy pooler = new PoolingProxy(database.port(), false);
        Connection pooled = throughPort(pooler.port())) {
      fillBoth();
      assertHit(pooled, ITEMS, "a", "b");
      pooler.exchangeServers();
      run(pooled, "RESET ALL");
      assertThat(isHit(pooled, ITEMS)).isFalse();
      assertThat(isHit(pooled, ITEMS)).isFalse();
      assertThat(LarderProbe.reason(pooled, ITEMS)).contains("a pooler sits between");
    }
  }

  /** Larder has asked the server so many times what became of something. */
  private void awaitQuestions(int times) throws SQLException {
    String sessions = "SELECT sessions FROM pg_stat_database WHERE datname = current_database()";
    long before = Long.parseLong(rows(past, sessions).get(0));
    awaitAtServer(sessions.replace("sessions FROM", "sessions >= " + (before + times) + " FROM"));
  }

  @Test
  void aWriteWhoseSocketTimedOutIsSeenWhenItCommitsAtLast() throws Exception {
    try (Connection writer = LarderProbe.connect(database, "socketTimeout=1")) {
      fillBoth();
      int pid = pid(writer);
      run(past, "BEGIN", "LOCK TABLE item IN SHARE ROW EXCLUSIVE MODE");
      assertThatThrownBy(() -> run(writer, UPDATE)).isInstanceOf(SQLException.class);
      for (int i = 0; i < 5; i++) {
        assertLive(one, ITEMS, "a", "b");
      }
      assertThat(rows(one, NOTES)).containsExactly("x");
      assertHit(one, NOTES, "x");
      run(past, "COMMIT");
      awaitGone(pid);
      assertThat(rows(one, ITEMS)).containsExactlyElementsOf(rows(past, ITEMS));
      awaitCached(ITEMS, rows(past, ITEMS).toArray(String[]::new));
    }
  }

  @Test
  void aWriterThatIsTerminatedLeavesItsTableCached() throws Exception {
    fillBoth();
    int pid = pid(two);
    run(past, "BEGIN", "LOCK TABLE item IN SHARE ROW EXCLUSIVE MODE");
    Future<?> write = asyncRun(two, UPDATE);
    awaitBlocked(pid);
    run(past, "SELECT pg_terminate_backend(" + pid + ")");
    assertLost(write);
    run(past, "COMMIT");
    awaitCached(ITEMS, "a", "b");
    awaitCached(NOTES, "x");
  }

  @Test
  void anIdleConnectionThatWasTerminatedFailsAndLeavesEverythingCached() throws Exception {
    fillBoth();
    int pid = pid(two);
    run(past, "SELECT pg_terminate_backend(" + pid + ")");
    awaitGone(pid);
    assertThatThrownBy(() -> run(two, UPDATE)).isInstanceOf(SQLException.class);
    awaitCached(ITEMS, "a", "b");
    awaitCached(NOTES, "x");
    awaitNoThread();
  }

  @Test
  void abortIsFollowed() throws Exception {
    fillBoth();
    int pid = pid(two);
    run(past, "BEGIN", "LOCK TABLE item IN SHARE ROW EXCLUSIVE MODE");
    Future<?> write = asyncRun(two, UPDATE);
    awaitBlocked(pid);
    two.abort(Runnable::run);
    assertLost(write);
    assertLive(one, ITEMS, "a", "b");
    assertLive(one, ITEMS, "a", "b");
    run(past, "COMMIT");
    awaitGone(pid);
    awaitCached(ITEMS, rows(past, ITEMS).toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM item",
        "UPDATE item SET name = 'lost'",
        "SELECT 1 / 0",
        "COMMENT ON TABLE item IS 'lost'",
      })
  void aTransactionThatIsAbortedLeavesNothing(String begun) throws Exception {
    fillBoth();
    int pid = pid(two);
    two.setAutoCommit(false);
    try {
      run(two, "UPDATE other SET note = 'lost'", begun);
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("22012");
    }
    two.abort(Runnable::run);
    assertThat(two.isClosed()).isTrue();
    assertThatThrownBy(two::commit).isInstanceOf(SQLException.class);
    awaitGone(pid);
    assertHit(one, ITEMS, "a", "b");
    assertHit(one, NOTES, "x");
    awaitNoThread();
  }

  @Test
  void anAbortedConnectionThatWasUnwrappedNoLongerKeepsEverybodyFromTheCache() throws Exception {
    fillBoth();
    two.unwrap(org.postgresql.jdbc.PgConnection.class);
    assertLive(one, ITEMS, "a", "b");
    assertLive(one, ITEMS, "a", "b");
    two.abort(Runnable::run);
    awaitCached(ITEMS, "a", "b");
  }

  /** What an application does with a connection that it finds dead. */
  private static final Map<String, Question> LET_IT_GO =
      Map.of(
          "failing", c -> assertThatThrownBy(() -> run(c, "SELECT 1")),
          "isClosed", LostConnectionsTest::closeWhatIsNotClosed,
          "abort", LostConnectionsTest::abort);

  /** As Commons DBCP does. */
  private static void closeWhatIsNotClosed(Connection connection) throws SQLException {
    assertThat(connection.isValid(5)).isFalse();
    if (!connection.isClosed()) {
      connection.close();
    }
  }

  private static void abort(Connection connection) throws SQLException {
    assertThat(connection.isValid(5)).isFalse();
    connection.abort(Runnable::run);
  }

  static Stream<String> letItGo() {
    return LET_IT_GO.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("letItGo")
  void aConnectionThatTheServerHasEndedIsReleasedBy(String name) throws Exception {
    String cache = "larder.name=" + database.name();
    ObjectName bean =
        new ObjectName("dev.larder:type=Cache,name=" + ObjectName.quote(database.name()) + ",*");
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try (Connection ended = LarderProbe.connect(database, cache)) {
      assertThat(beans.queryNames(bean, null)).hasSize(1);
      int pid = pid(ended);
      run(past, "SELECT pg_terminate_backend(" + pid + ")");
      awaitGone(pid);
      LET_IT_GO.get(name).ask(ended);
      assertThat(beans.queryNames(bean, null)).isEmpty();
    }
    assertThat(beans.queryNames(bean, null)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("letItGo")
  void anUnwrappedConnectionThatTheServerHasEndedKeepsNobodyFromTheCacheAfter(String name)
      throws Exception {
    fillBoth();
    two.unwrap(org.postgresql.jdbc.PgConnection.class);
    assertLive(one, ITEMS, "a", "b");
    assertLive(one, ITEMS, "a", "b");
    int pid = pid(two);
    run(past, "SELECT pg_terminate_backend(" + pid + ")");
    awaitGone(pid);
    LET_IT_GO.get(name).ask(two);
    awaitCached(ITEMS, "a", "b");
  }

  @Test
  void timeoutsAndCancelAreDefinite() throws Exception {
    fillBoth();
    run(past, "BEGIN", "LOCK TABLE item IN SHARE ROW EXCLUSIVE MODE");
    run(two, "SET statement_timeout = '20ms'");
    assertThatThrownBy(() -> run(two, UPDATE)).isInstanceOf(SQLException.class);
    assertCachedAgain(one, ITEMS, "a", "b");
    run(two, "RESET statement_timeout", "SET lock_timeout = '20ms'");
    assertThatThrownBy(() -> run(two, UPDATE)).isInstanceOf(SQLException.class);
    assertCachedAgain(one, ITEMS, "a", "b");
    run(two, "RESET lock_timeout");
    try (Statement statement = two.createStatement()) {
      Future<?> write = async(() -> statement.executeUpdate(UPDATE));
      awaitBlocked(pid(two));
      statement.cancel();
      assertLost(write);
      assertCachedAgain(one, ITEMS, "a", "b");
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.executeUpdate(UPDATE)).isInstanceOf(SQLException.class);
      assertCachedAgain(one, ITEMS, "a", "b");
    }
    run(past, "COMMIT");
    run(two, UPDATE);
    assertLive(one, ITEMS, "new", "b");
  }

  @Test
  void aCommitThatIsCancelledLeavesItsTableCached() throws Exception {
    holdCommits();
    fillBoth();
    int pid = pid(two);
    two.setAutoCommit(false);
    run(two, UPDATE);
    Future<?> commit =
        async(
            () -> {
              two.commit();
              return true;
            });
    awaitBlocked(pid);
    assertLive(one, ITEMS, "a", "b");
    run(past, "SELECT pg_cancel_backend(" + pid + ")");
    assertLost(commit);
    run(past, "SELECT pg_advisory_unlock(9)");
    assertCachedAgain(one, ITEMS, "a", "b");
    two.rollback();
  }

  @Test
  void anErrorOfTheApplicationWithinAWriteLeavesNothingUncached() throws Exception {
    run(past, "CREATE TABLE picture (content bytea)");
    run(one, "COMMENT ON TABLE picture IS 'read the catalog again'");
    LarderProbe.awaitCatalog(one);
    String sql = "SELECT count(*) FROM picture";
    LarderProbe.fill(one, sql);
    try (PreparedStatement insert = two.prepareStatement("INSERT INTO picture VALUES (?)")) {
      insert.setBinaryStream(1, new FailingStream(), 100_000);
      assertThatThrownBy(insert::executeUpdate).isInstanceOf(AssertionError.class);
    }
    assertLive(one, sql, "0");
    assertLive(one, sql, "0");
    // Nothing is sent here, so that it says nothing of the write.
    two.setAutoCommit(false);
    two.commit();
    assertLive(one, sql, "0");
    assertLive(one, sql, "0");
    int pid = pid(two);
    two.close();
    awaitGone(pid);
    awaitCached(sql, "0");
  }

  @Test
  void aThreadThatIsInterruptedPublishes() throws SQLException {
    fillBoth();
    Thread.currentThread().interrupt();
    try {
      run(two, UPDATE);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertLive(one, ITEMS, "new", "b");
    assertHit(one, ITEMS, "new", "b");
  }

  @Test
  void useAfterCloseInvalidatesNothing() throws SQLException {
    fillBoth();
    Statement statement = two.createStatement();
    PreparedStatement prepared = two.prepareStatement(UPDATE);
    PreparedStatement select = two.prepareStatement(ITEMS);
    two.close();
    assertThatThrownBy(() -> statement.executeUpdate(UPDATE)).isInstanceOf(SQLException.class);
    assertThatThrownBy(prepared::executeUpdate).isInstanceOf(SQLException.class);
    assertThatThrownBy(select::executeQuery).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> two.commit()).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> two.createStatement()).isInstanceOf(SQLException.class);
    assertHit(one, ITEMS, "a", "b");
    assertHit(one, NOTES, "x");
  }

  private void awaitNoThread() throws SQLException {
    String oid =
        rows(past, "SELECT oid FROM pg_database WHERE datname = current_database()").get(0);
    await(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("larder-outcomes-" + oid)));
  }

  /** A stream of the application that fails in the middle. */
  private static final class FailingStream extends InputStream {
    private int left = 50_000;

    @Override
    public int read() throws IOException {
      if (left-- == 0) {
        throw new AssertionError("the application fails");
      }
      return 1;
    }
  }
}
