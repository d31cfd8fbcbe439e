package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.count;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.CountingSocketFactory;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * A transaction that sets its tenant and then only hits sends nothing. Whatever else it does sends
 * the tenant first.
 */
@Tag("regression")
final class HeldBackTest {
  private static final String OWN = "SELECT v FROM own";
  private static final String SHOWN = "SELECT current_setting('app.tenant', true)";
  private static final String SET = "SET LOCAL app.tenant = 'a'";
  private static final String CONFIG = "SELECT set_config('app.tenant', 'a', true)";

  @AutoClose private static TestDatabase database;

  /** Here tests do what has the catalog read again. */
  @AutoClose private static TestDatabase lively;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    lively = TestDatabase.create();
    createTables(database);
    createTables(lively);
  }

  private static void createTables(TestDatabase made) throws SQLException {
    made.execute(
        "CREATE TABLE doc (tenant text, v text)",
        "INSERT INTO doc SELECT t, 'of ' || t FROM unnest(ARRAY['a', 'b', 'c']) t",
        "CREATE TABLE note (tenant text DEFAULT current_setting('app.tenant', true))",
        "CREATE VIEW own AS SELECT v FROM doc WHERE tenant = current_setting('app.tenant', true)");
  }

  /** Opens a connection that knows the name, and on which the reads of all tenants are hits. */
  private static Connection connect(String... parameters) throws SQLException {
    return connect(database, parameters);
  }

  private static Connection connect(TestDatabase to, String... parameters) throws SQLException {
    String[] all =
        Stream.concat(Stream.of(CountingSocketFactory.PARAMETER), Stream.of(parameters))
            .toArray(String[]::new);
    Connection connection = LarderProbe.connect(to, all);
    awaitCatalog(connection);
    connection.setAutoCommit(false);
    for (int i = 0; i < 8; i++) {
      set(connection, "SELECT set_config('app.tenant', '" + (i % 2 == 0 ? "a" : "b") + "', true)");
      rows(connection, OWN);
      connection.commit();
    }
    return connection;
  }

  private static void set(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static AtomicLong requests(Connection connection) throws SQLException {
    AtomicLong requests = CountingSocketFactory.requestsOf(connection);
    connection.commit();
    return requests;
  }

  // ---- nothing is sent

  @ParameterizedTest
  @ValueSource(
      strings = {
        SET,
        "set local app.tenant to 'a'",
        "SET LOCAL \"app\".tenant = 'a';",
        CONFIG,
        "select pg_catalog.set_config('App.Tenant', 'a', true)",
        "SELECT set_config('app.tenant', 'a', true);"
      })
  void transactionOfHitsSendsNothing(String sql) throws SQLException {
    try (Connection connection = connect()) {
      AtomicLong requests = requests(connection);
      long before = requests.get();
      long hits = hits(connection);
      long held = count(connection, "held_back");
      long sent = count(connection, "held_back_sent");
      for (int i = 0; i < 10; i++) {
        set(connection, sql);
        assertThat(rows(connection, OWN)).containsExactly("of a");
        if (i % 2 == 0) {
          connection.commit();
        } else {
          connection.rollback();
        }
      }
      assertThat(requests.get() - before).isZero();
      assertThat(hits(connection) - hits).isEqualTo(10);
      assertThat(count(connection, "held_back") - held).isEqualTo(10);
      assertThat(count(connection, "held_back_sent")).isEqualTo(sent);
    }
  }

  @Test
  void preparedCallSendsNothing() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement set = connection.prepareStatement("SELECT set_config(?, ?, ?)")) {
      AtomicLong requests = requests(connection);
      long before = requests.get();
      long hits = hits(connection);
      for (int i = 0; i < 20; i++) {
        String tenant = i % 2 == 0 ? "a" : "b";
        set.setString(1, "app.tenant");
        set.setString(2, tenant);
        set.setBoolean(3, true);
        try (ResultSet row = set.executeQuery()) {
          assertThat(rows(row)).containsExactly(tenant);
        }
        assertThat(rows(connection, OWN)).containsExactly("of " + tenant);
        connection.commit();
      }
      assertThat(requests.get() - before).isZero();
      assertThat(hits(connection) - hits).isEqualTo(20);
    }
  }

  /** BEGIN itself was sent as the application's own statement. */
  @Test
  void textsThatBeginAndCommitAreAllThatIsSent() throws SQLException {
    try (Connection connection = connect()) {
      AtomicLong requests = requests(connection);
      connection.setAutoCommit(true);
      long before = requests.get();
      long hits = hits(connection);
      set(connection, "BEGIN");
      set(connection, SET);
      assertThat(rows(connection, OWN)).containsExactly("of a");
      set(connection, "COMMIT");
      assertThat(requests.get() - before).isEqualTo(2);
      assertThat(hits(connection) - hits).isEqualTo(1);
      assertThat(rows(connection, SHOWN)).containsExactly("");
    }
  }

  @Test
  void lastOfTwoHolds() throws SQLException {
    try (Connection connection = connect()) {
      AtomicLong requests = requests(connection);
      long before = requests.get();
      long hits = hits(connection);
      set(connection, CONFIG);
      set(connection, "SELECT set_config('app.tenant', 'b', true)");
      assertThat(rows(connection, OWN)).containsExactly("of b");
      assertThat(requests.get() - before).isZero();
      assertThat(hits(connection) - hits).isEqualTo(1);
      assertThat(rows(connection, SHOWN)).containsExactly("b");
      assertThat(requests.get() - before).isEqualTo(2);
      connection.rollback();
    }
  }

  // ---- what is answered

  @ParameterizedTest
  @ValueSource(strings = {SET, CONFIG})
  void answerIsThatOfTheServer(String sql) throws SQLException {
    try (Connection bare = database.connect();
        Connection connection = connect()) {
      bare.setAutoCommit(false);
      long held = count(connection, "held_back");
      assertThat(answer(connection, sql)).isEqualTo(answer(bare, sql));
      assertThat(count(connection, "held_back") - held).isEqualTo(1);
      connection.rollback();
    }
  }

  private static List<Object> answer(Connection connection, String sql) throws SQLException {
    List<Object> answer = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      answer.add(statement.execute(sql));
      try (ResultSet rows = statement.getResultSet()) {
        if (rows != null) {
          ResultSetMetaData columns = rows.getMetaData();
          answer.add(columns.getColumnCount());
          answer.add(columns.getColumnLabel(1));
          answer.add(columns.getColumnName(1));
          answer.add(columns.getColumnType(1));
          answer.add(columns.getColumnTypeName(1));
          answer.add(columns.getColumnClassName(1));
          answer.add(columns.getColumnDisplaySize(1));
          answer.add(columns.getPrecision(1));
          answer.add(columns.getScale(1));
          answer.add(rows.next());
          answer.add(rows.getString("set_config"));
          answer.add(rows.getObject(1));
          answer.add(rows.getBytes(1).length);
          answer.add(rows.next());
        }
      }
      answer.add(statement.getUpdateCount());
      answer.add(statement.getMoreResults());
      answer.add(statement.getUpdateCount());
      answer.add(String.valueOf(statement.getWarnings()));
    }
    return answer;
  }

  // ---- whatever is no hit sends it first

  /** Something that an application does with a connection. */
  @FunctionalInterface
  private interface Use {
    void of(Connection connection) throws SQLException;
  }

  private static Arguments use(String name, Use use) {
    return Arguments.of(name, use);
  }

  static Stream<Arguments> everythingElse() {
    return Stream.of(
        use("a query that is no hit", c -> assertThat(rows(c, SHOWN)).containsExactly("a")),
        use("a write", c -> set(c, "INSERT INTO note DEFAULT VALUES")),
        use("a batch", HeldBackTest::batch),
        use("a savepoint", c -> assertThat(c.setSavepoint()).isNotNull()),
        use("a savepoint by text", c -> set(c, "SAVEPOINT s")),
        use("a call", c -> c.prepareCall("SELECT 1").execute()),
        use("metadata", c -> c.getMetaData().getTables(null, null, "doc", null).close()),
        use("metadata of a statement", HeldBackTest::describe),
        use("a check whether it is valid", c -> assertThat(c.isValid(10)).isTrue()),
        use("COPY", HeldBackTest::copy),
        use("an array", c -> c.createArrayOf("text", new String[] {"x"}).free()),
        use("the driver's own class", c -> c.unwrap(org.postgresql.jdbc.PgConnection.class)),
        use("notifications", c -> c.unwrap(PGConnection.class).getNotifications()),
        use("large objects", c -> c.unwrap(PGConnection.class).getLargeObjectAPI().createLO()),
        use("a prepared transaction", c -> set(c, "DECLARE k CURSOR FOR SELECT v FROM own")),
        use("several statements", c -> set(c, "SELECT 1; SELECT 2")),
        use("a session's setting", c -> set(c, "SET app.other = 'x'")));
  }

  private static void batch(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO note DEFAULT VALUES");
      statement.executeBatch();
    }
  }

  private static void describe(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT v FROM doc")) {
      statement.getMetaData();
    }
  }

  private static void copy(Connection connection) throws SQLException {
    try {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY doc (v) FROM STDIN", new StringReader(""));
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns how many were sent before; while the catalog is compared, nothing is held back. */
  private static long holdBoth(Connection connection, String name) throws SQLException {
    long sent;
    long held;
    int tries = 0;
    do {
      connection.rollback();
      awaitCatalog(connection);
      sent = count(connection, "held_back_sent");
      held = count(connection, "held_back");
      set(connection, CONFIG);
      set(connection, SET);
      held = count(connection, "held_back") - held;
    } while (held < 2 && ++tries < 20);
    assertThat(held).as(name).isEqualTo(2);
    assertThat(count(connection, "held_back_sent") - sent).as(name).isZero();
    return sent;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everythingElse")
  void whateverIsNoHitSendsItFirst(String name, Use use) throws SQLException {
    try (Connection connection = connect(lively)) {
      long sent = holdBoth(connection, name);
      use.of(connection);
      assertThat(count(connection, "held_back_sent") - sent).as(name).isEqualTo(2);
      assertThat(rows(connection, SHOWN)).as(name).containsExactly("a");
      connection.rollback();
      assertThat(rows(connection, SHOWN)).as(name).containsExactly("");
      connection.rollback();
    }
  }

  @Test
  void writeGetsTheTenantAndIsRead() throws SQLException {
    try (Connection connection = connect(lively)) {
      long held = count(connection, "held_back");
      set(connection, "SELECT set_config('app.tenant', 'c', true)");
      set(connection, "INSERT INTO note DEFAULT VALUES");
      assertThat(rows(connection, "SELECT tenant FROM note")).containsExactly("c");
      assertThat(count(connection, "held_back") - held).isEqualTo(1);
      connection.rollback();
      assertThat(rows(connection, OWN)).isEmpty();
      connection.commit();
    }
  }

  @Test
  void savepointKeepsItsScope() throws SQLException {
    try (Connection connection = connect()) {
      long held = count(connection, "held_back");
      set(connection, CONFIG);
      Savepoint savepoint = connection.setSavepoint();
      set(connection, "SELECT set_config('app.tenant', 'b', true)");
      assertThat(rows(connection, OWN)).containsExactly("of b");
      connection.rollback(savepoint);
      assertThat(rows(connection, OWN)).containsExactly("of a");
      assertThat(rows(connection, SHOWN)).containsExactly("a");
      assertThat(count(connection, "held_back") - held).isEqualTo(1);
      connection.commit();
    }
  }

  @Test
  void transactionHasBegunForItsCharacteristics() throws SQLException {
    try (Connection bare = database.connect();
        Connection connection = connect()) {
      bare.setAutoCommit(false);
      long held = count(connection, "held_back");
      for (Connection each : List.of(bare, connection)) {
        set(each, SET);
        assertThatThrownBy(() -> each.setReadOnly(true)).hasMessageContaining("in the middle");
        set(each, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        assertThat(rows(each, SHOWN)).containsExactly("a");
        each.rollback();
        set(each, CONFIG);
        assertThatThrownBy(() -> set(each, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            .hasMessageContaining("must be called before any query");
        each.rollback();
      }
      assertThat(count(connection, "held_back") - held).isEqualTo(2);
    }
  }

  @Test
  void nextUserOfTheConnectionGetsNothingOfIt() throws SQLException {
    try (Connection connection = connect()) {
      AtomicLong requests = requests(connection);
      long before = requests.get();
      set(connection, CONFIG);
      rows(connection, OWN);
      connection.setAutoCommit(true);
      assertThat(requests.get() - before).isZero();
      assertThat(rows(connection, OWN)).isEmpty();
      assertThat(rows(connection, SHOWN)).containsExactly("");
    }
  }

  // ---- what is never held back

  static Stream<Arguments> neverHeld() {
    return Stream.of(
        Arguments.of("SET LOCAL work_mem = '5MB'"),
        Arguments.of("SET LOCAL search_path = 'public'"),
        Arguments.of("SELECT set_config('search_path', 'public', true)"),
        Arguments.of("SELECT set_config('app.unknown', 'x', true)"),
        Arguments.of("SELECT set_config('app.tenant', 'x', false)"),
        Arguments.of("SELECT set_config('app.tenant', 'x', true), 1"),
        Arguments.of("SELECT set_config('app.tenant', 'x', true) AS other"),
        Arguments.of("SET app.tenant = 'x'"),
        Arguments.of("SET LOCAL app.tenant = 007"),
        Arguments.of("SET LOCAL app.tenant TO DEFAULT"),
        Arguments.of("RESET app.tenant"),
        Arguments.of("SET LOCAL app.tenant = 'x'; SELECT 1"));
  }

  /** A keyword is no part of a name without quotes, though set_config takes it. */
  @ParameterizedTest
  @ValueSource(strings = {"app.user", "app.current_user", "APP.Left", "default.x"})
  void nameThatTheGrammarRefusesIsRefused(String name) throws SQLException {
    try (Connection connection = connect(lively)) {
      for (int i = 0; i < 3; i++) {
        set(connection, "SELECT set_config('" + name + "', 'x', true)");
        rows(connection, OWN);
        connection.commit();
      }
      assertThatThrownBy(() -> set(connection, "SET LOCAL " + name + " = 'x'"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601"));
      connection.rollback();
      set(connection, "SET LOCAL \"" + name.toLowerCase(Locale.ROOT) + "\" = 'x'");
      connection.rollback();
    }
  }

  @ParameterizedTest
  @MethodSource("neverHeld")
  void othersAreSent(String sql) throws SQLException {
    try (Connection connection = connect(lively)) {
      AtomicLong requests = requests(connection);
      long held = count(connection, "held_back");
      long before = requests.get();
      set(connection, sql);
      assertThat(requests.get() - before).isPositive();
      assertThat(count(connection, "held_back")).isEqualTo(held);
      connection.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "larder.holdBack=off",
        "autosave=always",
        "options=-c%20log_statement=all",
        "options=-c%20log_min_duration_statement=0",
        "options=-c%20default_transaction_isolation=repeatable\\%20read"
      })
  void nothingIsHeldBackWhereItWouldBeSeen(String parameter) throws SQLException {
    try (Connection connection = connect(parameter)) {
      long held = count(connection, "held_back");
      set(connection, CONFIG);
      set(connection, SET);
      assertThat(count(connection, "held_back")).isEqualTo(held);
      connection.rollback();
    }
  }

  @Test
  void outsideOfATransactionNothingIsHeldBack() throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(true);
      long held = count(connection, "held_back");
      set(connection, SET);
      set(connection, CONFIG);
      assertThat(count(connection, "held_back")).isEqualTo(held);
      assertThat(rows(connection, SHOWN)).containsExactly("");
    }
  }

  @Test
  void failedTransactionRefusesIt() throws SQLException {
    try (Connection connection = connect(lively)) {
      long held = count(connection, "held_back");
      set(connection, CONFIG);
      assertThatThrownBy(() -> set(connection, "SELECT 1/0"))
          .hasFieldOrPropertyWithValue("SQLState", "22012");
      assertThatThrownBy(() -> set(connection, CONFIG))
          .hasFieldOrPropertyWithValue("SQLState", "25P02");
      assertThat(count(connection, "held_back") - held).isEqualTo(1);
      connection.rollback();
    }
  }

  /** A module that defines a setting of that name may refuse values. */
  @Test
  void settingOfAModuleIsSent() throws SQLException {
    try (Connection connection = connect(lively)) {
      for (int i = 0; i < 4; i++) {
        set(connection, "DO 'BEGIN END'");
        set(connection, "SELECT set_config('plpgsql.check_asserts', 'on', true)");
        connection.commit();
      }
      long held = count(connection, "held_back");
      assertThatThrownBy(
              () -> set(connection, "SELECT set_config('plpgsql.check_asserts', 'x', true)"))
          .hasFieldOrPropertyWithValue("SQLState", "22023");
      assertThat(count(connection, "held_back")).isEqualTo(held);
      connection.rollback();
    }
  }

  /** The statement that sends it is the one that gets the error. */
  @Test
  void errorIsThatOfTheStatementThatSendsIt() throws SQLException {
    try (Connection connection = connect(lively)) {
      long held = count(connection, "held_back");
      set(connection, CONFIG);
      assertThat(count(connection, "held_back") - held).isEqualTo(1);
      end(connection);
      assertThatThrownBy(() -> rows(connection, SHOWN))
          .isInstanceOf(SQLException.class)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isIn("57P01", "08006");
    }
  }

  private static void end(Connection connection) throws SQLException {
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    lively.execute("SELECT pg_terminate_backend(" + pid + ", 5000)");
  }
}
