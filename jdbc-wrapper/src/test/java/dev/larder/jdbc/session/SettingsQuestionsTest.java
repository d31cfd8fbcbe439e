package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.CountingSocketFactory;
import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Larder's own question for the settings of a session: it is asked seldom, it leaves no trace at
 * the server, and where it meets the end of a connection or a transaction the application is told
 * what the driver would have told it.
 */
final class SettingsQuestionsTest {
  private static final String READ = "SELECT v FROM t";
  private static final String UPDATE = "UPDATE t SET v = v";
  private static final String FORGET = "DO $$ BEGIN END $$";
  private static final String SET_LOCALLY = "SELECT set_config('app.tenant', concat('x'), true)";

  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE t (v int)",
        "INSERT INTO t VALUES (1)",
        "CREATE TABLE journal (v int)",
        "CREATE FUNCTION plain(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN $1; END'",
        "CREATE FUNCTION dynamic(int) RETURNS int LANGUAGE plpgsql AS"
            + " 'BEGIN EXECUTE ''SELECT '' || 1; RETURN $1; END'",
        "CREATE FUNCTION configured(int) RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog"
            + " AS 'BEGIN RETURN $1; END'",
        "CREATE FUNCTION inSql(int) RETURNS int LANGUAGE sql AS 'SELECT v FROM t'",
        "CREATE FUNCTION upserting(int) RETURNS int LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO journal VALUES (1) ON CONFLICT DO NOTHING;"
            + " UPDATE journal SET v = $1; RETURN $1; END'",
        "CREATE TABLE watched (v int)",
        "CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO journal VALUES (1); RETURN NEW; END'",
        "CREATE TRIGGER watch BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION watch()",
        "CREATE PROCEDURE procedure() LANGUAGE plpgsql AS 'BEGIN EXECUTE ''SELECT '' || 1; END'");
  }

  private static Connection connect(boolean larder, String... parameters) throws SQLException {
    List<String> all = new ArrayList<>(List.of(parameters));
    all.add(CountingSocketFactory.PARAMETER);
    return larder
        ? LarderProbe.connect(database, all.toArray(String[]::new))
        : DriverManager.getConnection(database.url() + "&" + String.join("&", all));
  }

  private static int pid(Connection connection) throws SQLException {
    return Integer.parseInt(rows(connection, "SELECT pg_backend_pid()").get(0));
  }

  private static void terminate(int pid) throws SQLException {
    String gone = "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid;
    database.execute("SELECT pg_terminate_backend(" + pid + ")");
    Waiting.until("it is gone", () -> database.queryString(gone).equals("0"));
  }

  private static String state(Connection connection, String... statements) {
    try {
      run(connection, statements);
      return "none";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  @ParameterizedTest
  @CsvSource({
    UPDATE + ",true",
    UPDATE + ",false",
    READ + ",true",
    READ + ",false",
    UPDATE + ';' + UPDATE + ",true"
  })
  void theApplicationIsToldHowTheConnectionEnded(String next, boolean autoCommit)
      throws SQLException {
    for (boolean larder : new boolean[] {false, true}) {
      try (Connection connection = connect(larder)) {
        int pid = pid(connection);
        connection.setAutoCommit(autoCommit);
        run(connection, UPDATE, FORGET);
        terminate(pid);
        assertThat(state(connection, next)).as("larder %s", larder).isEqualTo("57P01");
        assertThat(connection.isClosed()).isTrue();
      }
    }
  }

  @Test
  void aBatchIsToldHowTheConnectionEnded() throws SQLException {
    try (Connection connection = connect(true);
        Statement statement = connection.createStatement()) {
      int pid = pid(connection);
      run(connection, FORGET);
      statement.addBatch(UPDATE);
      terminate(pid);
      String state = "none";
      try {
        statement.executeBatch();
      } catch (SQLException e) {
        state = e.getSQLState();
      }
      assertThat(state).isEqualTo("57P01");
    }
  }

  @Test
  void theIsolationLevelIsKnown() throws SQLException {
    try (Connection connection = connect(true)) {
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      for (int level : new int[] {1, 8, 4, 2}) {
        connection.setTransactionIsolation(level);
        long before = requests.get();
        assertThat(connection.getTransactionIsolation()).isEqualTo(level);
        assertThat(requests.get()).isEqualTo(before);
      }
      connection.setAutoCommit(false);
      run(connection, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
      connection.rollback();
      run(connection, "SET default_transaction_isolation = 'repeatable read'");
      connection.commit();
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    }
  }

  /** What must come first in a transaction would come after a question. */
  @ParameterizedTest
  @ValueSource(
      strings = {"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "LOCK TABLE t IN SHARE MODE"})
  void aBatchIsSentBeforeAnyQuestion(String first) throws SQLException {
    try (Connection connection = connect(true);
        Statement statement = connection.createStatement()) {
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      connection.setAutoCommit(false);
      run(connection, FORGET);
      connection.commit();
      statement.execute("SET search_path TO public, pg_catalog");
      statement.addBatch(first);
      statement.addBatch(UPDATE);
      long before = requests.get();
      statement.executeBatch();
      assertThat(requests.get() - before).isEqualTo(1);
      connection.rollback();
    }
  }

  /** The insert may time out, with the driver and with Larder; nothing else may before it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noQuestionRunsIntoATimeoutOfTheTransaction(boolean larder) throws SQLException {
    int begun = 0;
    for (int i = 0; i < 60; i++) {
      try (Connection connection = connect(larder)) {
        connection.setAutoCommit(false);
        AtomicLong requests = CountingSocketFactory.requestsOf(connection);
        String set = state(connection, "SET LOCAL statement_timeout = 1", FORGET);
        long before = requests.get();
        String insert = state(connection, "INSERT INTO journal VALUES (1)");
        assertThat(requests.get() - before).isEqualTo(1);
        if (set.equals("none")) {
          begun++;
          assertThat(insert).isIn("none", "57014");
        }
      } // A rollback could run into the timeout, too.
    }
    assertThat(begun).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void aLongTimeoutKeepsNobodyFromAsking(String mode) throws SQLException {
    try (Connection connection =
        connect(true, "preferQueryMode=" + mode, "defaultRowFetchSize=1")) {
      fill(connection, READ);
      connection.setAutoCommit(false);
      run(connection, "SET LOCAL statement_timeout = '10s'", "SET LOCAL ROLE postgres");
      assertThat(isHit(connection, READ)).isTrue();
      assertThat(rows(connection, "SHOW statement_timeout")).containsExactly("10s");
      connection.rollback();
    }
  }

  @Test
  void aTimeoutThatIsOverKeepsNobodyFromAskingForLong() throws SQLException {
    try (Connection connection = connect(true)) {
      fill(connection, READ);
      connection.setAutoCommit(false);
      run(connection, "SET LOCAL statement_timeout = '500ms'", SET_LOCALLY);
      assertThat(isHit(connection, READ)).isFalse();
      connection.commit();
      // What was read with unknown settings counts as a write of everything.
      rows(connection, READ);
      run(connection, SET_LOCALLY);
      assertThat(isHit(connection, READ)).isTrue();
    }
  }

  @Test
  void aQuestionInATransactionLeavesNoTrace() throws SQLException {
    String locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND pid = ";
    for (boolean temporary : new boolean[] {false, true}) {
      try (Connection connection = connect(true)) {
        if (temporary) {
          run(connection, "CREATE TEMP TABLE mine (x int)", "DROP TABLE mine");
        }
        fill(connection, READ);
        int pid = pid(connection);
        AtomicLong requests = CountingSocketFactory.requestsOf(connection);
        connection.setAutoCommit(false);
        run(connection, SET_LOCALLY);
        long before = requests.get();
        assertThat(isHit(connection, READ)).isTrue();
        assertThat(requests.get() - before).isEqualTo(1);
        assertThat(database.queryString(locks + pid)).isEqualTo("0");
        // What was looked at would be shown until the end of the transaction.
        try (Connection other = database.connect()) {
          run(other, "SET application_name = 'later'");
          assertThat(
                  rows(
                      connection,
                      "SELECT application_name FROM pg_stat_activity WHERE pid = " + pid(other)))
              .containsExactly("later");
        }
        connection.rollback();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pg_temp, public", "nowhere, PG_TEMP, public", "\"pg_temp\""})
  void aQuestionCreatesNoTemporarySchema(String path) throws SQLException {
    for (boolean larder : new boolean[] {false, true}) {
      try (Connection connection = connect(larder)) {
        run(
            connection,
            "CREATE TABLE public.kept (a int)",
            "SET search_path = " + path,
            "BEGIN",
            "INSERT INTO public.kept VALUES (2)",
            "SELECT count(*) FROM public.kept",
            "PREPARE TRANSACTION 'kept'",
            "COMMIT PREPARED 'kept'",
            "SELECT count(*) FROM public.kept");
        assertThat(rows(connection, "SELECT pg_my_temp_schema()")).containsExactly("0");
        assertThat(rows(connection, "SELECT a FROM public.kept")).containsExactly("2");
        run(connection, "DROP TABLE public.kept");
      }
    }
  }

  @Test
  void aPreparedTransactionBehindThePathOfTheTemporarySchemaKeepsItsRow() throws SQLException {
    for (boolean larder : new boolean[] {false, true}) {
      try (Connection connection = connect(larder)) {
        run(
            connection,
            "CREATE TABLE prepared (a int)",
            "SET search_path = pg_temp, public",
            "BEGIN",
            "INSERT INTO prepared VALUES (2)",
            "SELECT count(*) FROM prepared",
            "PREPARE TRANSACTION 'prepared'",
            "COMMIT PREPARED 'prepared'");
        assertThat(rows(connection, "SELECT a FROM prepared")).containsExactly("2");
        assertThat(database.queryString("SELECT count(*) FROM prepared")).isEqualTo("1");
        run(connection, "DROP TABLE prepared");
      }
    }
  }

  @Test
  void aQuestionRunsNoOperatorOfAUser() throws SQLException {
    try (TestDatabase other = TestDatabase.create()) {
      other.execute(
          "CREATE TABLE asked (pid int)",
          "CREATE FUNCTION same(oid, int) RETURNS boolean LANGUAGE plpgsql AS"
              + " 'BEGIN INSERT INTO asked VALUES (pg_backend_pid()); RETURN $1 = $2::oid; END'",
          "CREATE OPERATOR = (LEFTARG = oid, RIGHTARG = int, FUNCTION = same)");
      try (Connection connection = LarderProbe.connect(other)) {
        int pid = pid(connection);
        run(connection, FORGET, "SELECT 1", "BEGIN", SET_LOCALLY, "SELECT 1", "COMMIT");
        assertThat(other.queryString("SELECT count(*) FROM asked WHERE pid = " + pid))
            .isEqualTo("0");
      }
    }
  }

  @Test
  void aPathThatEndsWithTheTemporarySchemaIsCached() throws SQLException {
    try (Connection connection = connect(true)) {
      for (String path : new String[] {"public, pg_temp", "\"$user\", \"public\" ,pg_temp"}) {
        run(connection, "SET search_path = " + path);
        fill(connection, READ);
        assertThat(rows(connection, "SELECT pg_my_temp_schema()")).containsExactly("0");
      }
    }
  }

  @Test
  void aRoleThatIsGoneIsNoErrorOfLarders() throws SQLException {
    String role = "gone_of_" + database.name();
    database.execute("CREATE ROLE " + role, "GRANT SELECT ON t TO " + role);
    try (Connection connection = connect(true);
        LarderLog log = LarderLog.open()) {
      run(connection, "SET ROLE " + role);
      fill(connection, READ);
      database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
      run(connection, FORGET);
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      state(connection, READ);
      long before = requests.get();
      for (int i = 0; i < 3; i++) {
        state(connection, READ);
      }
      assertThat(requests.get() - before).isEqualTo(3);
      assertThat(log.messages()).noneMatch(message -> message.startsWith("LRD-009"));
    }
  }

  /** What SET LOCAL has set is known to be gone after the commit, and what holds then. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET LOCAL app.tenant = 'x'",
        "SET app.tenant = 'x'",
        "SET LOCAL TIME ZONE 'Asia/Tokyo'",
        "SET LOCAL search_path TO public",
        "SET LOCAL default_transaction_isolation = 'serializable'"
      })
  void noTransactionThatSetsCostsAQuestion(String set) throws SQLException {
    try (Connection connection = connect(true, "larder.holdBack=off")) {
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      fill(connection, READ);
      connection.setAutoCommit(false);
      for (int i = 0; i < 3; i++) {
        run(connection, set);
        rows(connection, READ);
        connection.commit();
        rows(connection, READ);
      }
      long before = requests.get();
      for (int i = 0; i < 20; i++) {
        run(connection, set);
        assertThat(isHit(connection, READ)).isTrue();
        connection.commit();
        assertThat(isHit(connection, READ)).isTrue();
      }
      assertThat(requests.get() - before).isEqualTo(2 * 20);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FORGET,
        "SELECT plain(1)",
        "SELECT dynamic(1)",
        "CALL procedure()",
        "INSERT INTO watched VALUES (1)",
        "SELECT * FROM generate_series(1, 3)",
        UPDATE
      })
  void noStatementCostsAQuestionEachTime(String sql) throws SQLException {
    try (Connection connection = connect(true)) {
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      run(connection, sql, sql);
      long before = requests.get();
      for (int i = 0; i < 20; i++) {
        LarderProbe.awaitCatalog(connection);
        run(connection, sql);
      }
      assertThat(requests.get() - before).isLessThanOrEqualTo(22);
    }
  }

  /** What is sent is the change, the misses after it, and at most one question. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        FORGET,
        SET_LOCALLY,
        "SELECT set_config('app.tenant', 'x', false)",
        "SELECT dynamic(1)",
        "CALL procedure()",
        "SET search_path = pg_catalog, public",
        "SET app.tenant = 'x'",
        "SET TimeZone = 'Asia/Kathmandu'",
        "SET ROLE postgres",
        "SET SESSION AUTHORIZATION postgres",
        "RESET ALL",
        "BEGIN|SET LOCAL ROLE postgres|COMMIT",
        "BEGIN|DO $$ BEGIN END $$|ROLLBACK",
        "BEGIN|SAVEPOINT s|SELECT set_config('app.tenant', 'y', true)|ROLLBACK TO s|COMMIT"
      })
  void aChangeCostsOneQuestionAtMost(String change) throws SQLException {
    String[] statements = change.split("\\|");
    try (Connection connection = connect(true)) {
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      for (int round = 0; round < 10; round++) {
        LarderProbe.awaitCatalog(connection);
        long requestsBefore = requests.get();
        long hitsBefore = LarderProbe.hits(connection);
        run(connection, statements);
        LarderProbe.awaitCatalog(connection);
        for (int i = 0; i < 3; i++) {
          rows(connection, READ);
        }
        long misses = 3 - (LarderProbe.hits(connection) - hitsBefore);
        long questions = requests.get() - requestsBefore - statements.length - misses;
        assertThat(questions).as("round %d", round).isBetween(0L, 1L);
      }
      assertThat(isHit(connection, READ)).isTrue();
    }
  }

  @Test
  void aConnectionCostsOneQuestion() throws SQLException {
    try (Connection first = connect(true)) {
      fill(first, READ);
      assertThat(requestsOfAConnectionThatReads(true))
          .isEqualTo(requestsOfAConnectionThatReads(false));
    }
  }

  /** A hit of Larder's is a query of the driver's, and its one question makes up for it. */
  private static long requestsOfAConnectionThatReads(boolean larder) throws SQLException {
    try (Connection connection = connect(larder)) {
      assertThat(rows(connection, READ)).containsExactly("1");
      return CountingSocketFactory.requestsOf(connection).get();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET statement_timeout = '900ms'",
        "SET SESSION statement_timeout TO 900",
        "SELECT set_config('statement_timeout', '900', false)",
        "SET transaction_timeout = '900ms'",
        ""
      })
  void noQuestionIsAskedInATransactionThatATimeoutMayEnd(String set) throws SQLException {
    String option = set.isEmpty() ? "options=-c%20statement_timeout=900" : "ApplicationName=set";
    try (Connection connection = connect(true, option)) {
      if (!set.isEmpty() && !state(connection, set).equals("none")) {
        assertThat(connection.getMetaData().getDatabaseMajorVersion()).isLessThan(17);
        return;
      }
      rows(connection, READ);
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      connection.setAutoCommit(false);
      long before = requests.get();
      state(connection, FORGET);
      state(connection, READ);
      state(connection, UPDATE);
      assertThat(requests.get() - before).isEqualTo(3);
      connection.rollback();
    }
  }

  /** A function that changes no setting by its body, whatever it writes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT plain(1)",
        "SELECT plain(v) FROM t",
        "SELECT configured(1)",
        "SELECT inSql(1)",
        "SELECT upserting(1)",
        "INSERT INTO watched VALUES (1)",
      })
  void anUndeclaredFunctionCostsNoQuestionBeforeTheNextQuery(String sql) throws SQLException {
    try (Connection connection = connect(true)) {
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      run(connection, sql);
      LarderProbe.awaitCatalog(connection);
      rows(connection, READ);
      long before = requests.get();
      for (int i = 0; i < 20; i++) {
        run(connection, sql);
        LarderProbe.awaitCatalog(connection);
        rows(connection, READ);
      }
      assertThat(requests.get() - before).isLessThanOrEqualTo(40);
      assertThat(isHit(connection, READ)).isTrue();
    }
  }

  @Test
  void threadsOnOneConnectionSendWhatTheySendWithTheDriver() throws Exception {
    long driver = requestsInTenThreads(false);
    assertThat(driver).isEqualTo(500);
    assertThat(requestsInTenThreads(true)).isBetween(driver, driver + 2);
  }

  private static long requestsInTenThreads(boolean larder) throws Exception {
    try (Connection connection = connect(larder)) {
      AtomicLong requests = CountingSocketFactory.requestsOf(connection);
      run(connection, "SELECT 1");
      long before = requests.get();
      inTenThreads(connection);
      return requests.get() - before;
    }
  }

  private static void inTenThreads(Connection connection) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(10);
    CyclicBarrier start = new CyclicBarrier(10);
    List<Future<?>> calls = new ArrayList<>();
    for (int thread = 0; thread < 10; thread++) {
      calls.add(
          threads.submit(
              () -> {
                start.await();
                for (int i = 0; i < 50; i++) {
                  try (PreparedStatement statement =
                      connection.prepareStatement("SELECT * FROM generate_series(1, ?) x")) {
                    statement.setInt(1, 3);
                    assertThat(rows(statement.executeQuery())).containsExactly("1", "2", "3");
                  }
                }
                return true;
              }));
    }
    for (Future<?> call : calls) {
      call.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
  }
}
