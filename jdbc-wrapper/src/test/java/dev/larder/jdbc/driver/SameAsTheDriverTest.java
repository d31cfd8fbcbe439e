package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.MatrixTable;
import dev.larder.jdbc.replay.ResultSetComparison;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * What a program asks that has nothing to do with rows is answered as by the driver: by a cache, by
 * one that verifies every hit, and by one that only observes.
 */
@ParameterizedClass
@ValueSource(strings = {"larder.mode=all", "larder.verify=1", "larder.mode=observe"})
final class SameAsTheDriverTest {
  private static final String NAME = "SELECT name FROM item WHERE id = ? AND name <> ?";

  private static final String MATRIX = "SELECT * FROM built_in ORDER BY id";

  private static TestDatabase database;
  private static Connection bare;

  private final String option;
  @AutoClose private Connection larder;

  SameAsTheDriverTest(String option) {
    this.option = option;
  }

  /** Asks something of a connection. */
  private interface Question {
    Object ask(Connection connection) throws SQLException;
  }

  private static final Map<String, Question> REFUSALS =
      Map.of(
          "no such type", c -> c.prepareStatement("SELECT 1", 77, ResultSet.CONCUR_READ_ONLY),
          "no such concurrency",
              c -> c.prepareStatement("SELECT 1", ResultSet.TYPE_FORWARD_ONLY, 77),
          "no such holdability",
              c ->
                  c.prepareStatement(
                      "SELECT 1", ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, 77),
          "keys by index",
              c -> c.prepareStatement("INSERT INTO item VALUES (7, 'g')", new int[] {1}),
          "keys by no index at all", c -> c.prepareStatement("SELECT 1", (int[]) null));

  static Stream<String> refusals() {
    return REFUSALS.keySet().stream().sorted();
  }

  @BeforeAll
  static void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a'), (2, 'b')",
        "CREATE FUNCTION items() RETURNS refcursor LANGUAGE plpgsql AS"
            + " 'DECLARE c refcursor; BEGIN OPEN c FOR SELECT id FROM item; RETURN c; END'");
    MatrixTable.create(database);
    bare = database.connect();
    // All but what users have made, and what the catalog shows, which are not cached.
    String columns =
        LarderProbe.rows(
                bare,
                "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute"
                    + " WHERE attrelid = 'matrix'::regclass AND attnum > 0 AND atttypid < 16384"
                    + " AND atttypid <> 'regclass'::regtype")
            .get(0);
    database.execute("CREATE TABLE built_in AS SELECT " + columns + " FROM matrix");
  }

  @BeforeEach
  void connect() throws SQLException {
    larder = LarderProbe.connect(database, option);
  }

  @AfterAll
  static void close() throws SQLException {
    bare.close();
    database.close();
  }

  private static String answer(Connection connection, Question question) {
    try {
      return String.valueOf(question.ask(connection));
    } catch (SQLException e) {
      return e.getClass().getName() + ' ' + e.getSQLState() + ' ' + e.getMessage();
    }
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatTheDriverDoesNotPrepareIsRefusedAtOnce(String name) {
    Question question = REFUSALS.get(name);
    assertThat(answer(larder, question))
        .startsWith("org.postgresql.util.PSQLException")
        .isEqualTo(answer(bare, question));
  }

  private static List<String> texts(Connection connection) throws SQLException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      try (PreparedStatement statement = connection.prepareStatement(NAME)) {
        texts.add(statement.toString());
        statement.setInt(1, 1);
        statement.setString(2, "it's");
        texts.add(statement.toString());
        texts.add(LarderProbe.rows(statement.executeQuery()).toString());
        texts.add(statement.toString());
        statement.clearParameters();
        texts.add(statement.toString());
      }
    }
    return texts;
  }

  /** Returns how often the cache had an answer, whether or not it was the one to return it. */
  private static long answers(Connection connection) throws SQLException {
    return LarderProbe.hits(connection) + LarderProbe.count(connection, "verified_hits");
  }

  /** Asks until the cache has an answer. */
  private static void fill(Connection connection, Question question) throws SQLException {
    for (int attempt = 0; attempt < 20; attempt++) {
      long before = answers(connection);
      question.ask(connection);
      if (answers(connection) > before) {
        return;
      }
      LarderProbe.awaitCatalog(connection);
    }
    throw new AssertionError("not cached: " + LarderProbe.reason(connection, ""));
  }

  @ParameterizedTest
  @ValueSource(
      // Where all executions answer in the same format, from the first on.
      strings = {"prepareThreshold=-1", "preferQueryMode=simple"})
  void whateverIsAskedOfAResultIsAnsweredAsByTheDriver(String mode) throws SQLException {
    try (Connection cached = LarderProbe.connect(database, option, mode);
        Connection live = DriverManager.getConnection(database.url() + '&' + mode);
        PreparedStatement expected = live.prepareStatement(MATRIX);
        PreparedStatement actual = cached.prepareStatement(MATRIX)) {
      fill(cached, c -> LarderProbe.rows(actual.executeQuery()));
      LarderProbe.rows(expected.executeQuery());
      long answers = answers(cached);
      ResultSetComparison.Report report =
          ResultSetComparison.compare(expected.executeQuery(), actual.executeQuery());
      assertThat(report.differences()).isEmpty();
      assertThat(report.answers()).isGreaterThan(10_000);
      assertThat(answers(cached)).isGreaterThan(answers);
      assertThat(LarderProbe.count(cached, "wrong_hits")).isZero();
    }
  }

  @Test
  void theTextOfAStatementShowsItsValuesAlsoBehindAHit() throws SQLException {
    long answers = answers(larder);
    assertThat(texts(larder)).isEqualTo(texts(bare));
    assertThat(answers(larder)).isGreaterThan(answers);
  }

  private static List<Integer> fetchSizes(Connection connection) throws SQLException {
    PGConnection extensions = connection.unwrap(PGConnection.class);
    List<Integer> sizes = new ArrayList<>();
    for (int size : new int[] {0, 7, 7, 0, 0}) {
      extensions.setDefaultFetchSize(size);
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT name FROM item ORDER BY id")) {
        sizes.add(rows.getFetchSize());
      }
    }
    return sizes;
  }

  @Test
  void theDefaultFetchSizeCountsFromWhereItIsSet() throws SQLException {
    fill(larder, c -> LarderProbe.rows(c, "SELECT name FROM item ORDER BY id"));
    long answers = answers(larder);
    assertThat(fetchSizes(larder)).isEqualTo(fetchSizes(bare));
    assertThat(answers(larder)).isGreaterThan(answers);
  }

  @Test
  void theRowsOfACursorThatACallReturnsLeadToTheConnection() throws SQLException {
    for (Connection connection : new Connection[] {bare, larder}) {
      connection.setAutoCommit(false);
      try (CallableStatement call = connection.prepareCall("{? = call items()}")) {
        call.registerOutParameter(1, Types.REF_CURSOR);
        call.execute();
        ResultSet rows = (ResultSet) call.getObject(1);
        assertThat(rows.getStatement().getConnection()).isSameAs(connection);
        assertThat(call.getObject(1, ResultSet.class).getStatement().getConnection())
            .isSameAs(connection);
        assertThat(LarderProbe.rows(rows)).containsExactly("1", "2");
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }
}
