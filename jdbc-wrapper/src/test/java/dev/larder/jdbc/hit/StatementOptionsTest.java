package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGStatement;

/** What the options of a statement make of a query: in the key, served, or a bypass. */
final class StatementOptionsTest {
  private static final String ITEMS = "SELECT id, name FROM item ORDER BY id";
  private static final int ROUNDS = 3;

  private TestDatabase database;
  private Connection larder;
  private Connection bare;

  /** Sets options of a statement. */
  private interface Options {
    void set(Statement statement) throws SQLException;
  }

  /** Asks something that may be refused. */
  private interface Question {
    Object ask() throws SQLException;
  }

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 20) i");
    bare = database.connect();
    larder = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    larder.close();
    bare.close();
    database.close();
  }

  private static String said(Question question) {
    try {
      return String.valueOf(question.ask());
    } catch (SQLException e) {
      return e.getSQLState() + ' ' + e.getMessage();
    }
  }

  private static List<String> describe(Statement statement, ResultSet result) throws SQLException {
    List<String> said = new ArrayList<>();
    said.add(said(result::getType));
    said.add(said(result::getConcurrency));
    said.add(said(result::getFetchSize));
    said.add(said(result::getFetchDirection));
    said.add(said(result::getHoldability));
    said.add(said(result::getCursorName));
    said.add(said(result::isBeforeFirst));
    said.addAll(LarderProbe.rows(result));
    said.add(said(result::isAfterLast));
    said.add(said(result::last));
    said.add(said(() -> result.absolute(2)));
    said.add(said(result::previous));
    said.add(said(() -> result.getString(2)));
    said.add(said(statement::getMaxRows));
    said.add(said(statement::getLargeMaxRows));
    said.add(said(statement::getMaxFieldSize));
    said.add(said(statement::getQueryTimeout));
    said.add(said(statement::getFetchSize));
    said.add(said(statement::getFetchDirection));
    said.add(said(statement::getResultSetType));
    said.add(said(statement::getResultSetConcurrency));
    said.add(said(statement::getResultSetHoldability));
    said.add(said(statement::isPoolable));
    said.add(said(statement::isCloseOnCompletion));
    return said;
  }

  private static List<String> plain(Connection connection, Options options) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return answer(statement, options);
    }
  }

  private static List<String> answer(Statement statement, Options options) throws SQLException {
    try {
      options.set(statement);
      try (ResultSet result =
          statement instanceof PreparedStatement prepared
              ? prepared.executeQuery()
              : statement.executeQuery(ITEMS)) {
        return describe(statement, result);
      }
    } catch (SQLException e) {
      return List.of(e.getSQLState() + ' ' + e.getMessage());
    }
  }

  private static List<String> prepared(Connection connection, Options options) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ITEMS)) {
      return answer(statement, options);
    }
  }

  private void fill() throws SQLException {
    LarderProbe.fill(larder, ITEMS);
    prepared(larder, s -> {});
  }

  /** Compares with the driver, some times and with both kinds of statement; returns the hits. */
  private long hitsOf(Options... options) throws SQLException {
    long before = LarderProbe.hits(larder);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < options.length; i++) {
        assertThat(plain(larder, options[i])).as("%s", i).isEqualTo(plain(bare, options[i]));
        assertThat(prepared(larder, options[i])).as("%s", i).isEqualTo(prepared(bare, options[i]));
      }
    }
    return LarderProbe.hits(larder) - before;
  }

  private void assertServed(Options... options) throws SQLException {
    assertThat(hitsOf(options)).isEqualTo(2L * (ROUNDS - 1) * options.length);
  }

  private void assertBypassed(BypassReason reason, Options... options) throws SQLException {
    assertThat(hitsOf(options)).isZero();
    assertThat(LarderProbe.reason(larder, ITEMS)).contains(reason.description());
  }

  @Test
  void theRowLimitIsPartOfTheKey() throws SQLException {
    assertServed(
        s -> {},
        s -> s.setMaxRows(1),
        s -> s.setMaxRows(5),
        s -> s.setMaxRows(20),
        s -> s.setMaxRows(21));
    assertThat(hitsOf(s -> s.setMaxRows(-1), s -> s.setLargeMaxRows(7))).isZero();
  }

  @Test
  void whatChangesNoRowIsServed() throws SQLException {
    fill();
    Options[] harmless = {
      s -> s.setFetchSize(3),
      s -> s.setQueryTimeout(10),
      s -> s.setPoolable(true),
      s -> s.setPoolable(false),
      s -> s.setFetchDirection(ResultSet.FETCH_REVERSE),
      s -> s.setFetchDirection(ResultSet.FETCH_UNKNOWN),
      s -> s.setCursorName("mine"),
      s -> s.setEscapeProcessing(false),
      s -> s.unwrap(PGStatement.class).setPrepareThreshold(2),
    };
    assertThat(hitsOf(harmless)).isEqualTo(2L * ROUNDS * harmless.length);
  }

  @Test
  void aFieldLimitAndClosingOnCompletionAreBypassed() throws SQLException {
    assertBypassed(
        BypassReason.STATEMENT_OPTION, s -> s.setMaxFieldSize(3), Statement::closeOnCompletion);
  }

  private static List<String> ofKind(Connection connection, int type, int concurrency)
      throws SQLException {
    List<String> answers = new ArrayList<>();
    try (Statement statement = connection.createStatement(type, concurrency)) {
      answers.addAll(answer(statement, s -> {}));
    }
    try (Statement statement =
        connection.createStatement(type, concurrency, ResultSet.HOLD_CURSORS_OVER_COMMIT)) {
      answers.addAll(answer(statement, s -> s.setFetchSize(2)));
    }
    try (PreparedStatement statement =
        connection.prepareStatement(ITEMS, type, concurrency, ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
      answers.addAll(answer(statement, s -> {}));
    }
    return answers;
  }

  @Test
  void everyTypeOfResultSetIsTheDrivers() throws SQLException {
    fill();
    int[] types = {
      ResultSet.TYPE_FORWARD_ONLY,
      ResultSet.TYPE_SCROLL_INSENSITIVE,
      ResultSet.TYPE_SCROLL_SENSITIVE
    };
    for (int type : types) {
      long before = LarderProbe.hits(larder);
      assertThat(ofKind(larder, type, ResultSet.CONCUR_READ_ONLY))
          .isEqualTo(ofKind(bare, type, ResultSet.CONCUR_READ_ONLY));
      assertThat(LarderProbe.hits(larder) - before).as("type %s", type).isEqualTo(3);
      before = LarderProbe.hits(larder);
      assertThat(ofKind(larder, type, ResultSet.CONCUR_UPDATABLE))
          .isEqualTo(ofKind(bare, type, ResultSet.CONCUR_UPDATABLE));
      assertThat(LarderProbe.hits(larder)).isEqualTo(before);
      assertThat(LarderProbe.reason(larder, ITEMS)).contains(BypassReason.UPDATABLE.description());
    }
  }

  @Test
  void streamingStaysStreamingAndSaysSo() throws SQLException {
    larder.setAutoCommit(false);
    bare.setAutoCommit(false);
    assertBypassed(BypassReason.STREAMING, s -> s.setFetchSize(3));
    try (Statement statement = larder.createStatement()) {
      statement.setFetchSize(3);
      ResultSet live = statement.executeQuery(ITEMS);
      live.next();
      // What was not fetched yet is no longer there: the rows came in portions.
      larder.commit();
      assertThat(said(() -> LarderProbe.rows(live))).startsWith("34000");
    }
    // A result that one portion holds is whole.
    assertThat(hitsOf(s -> s.setFetchSize(100))).isEqualTo(2 * (ROUNDS - 1));
  }

  @Test
  void escapesAreReplacedWhereTheDriverReplacesThem() throws SQLException {
    String escaped = "SELECT {fn ucase(name)}, id FROM item WHERE id = {fn abs(-2)}";
    for (boolean replaced : new boolean[] {true, false}) {
      long before = LarderProbe.hits(larder);
      for (int round = 0; round < ROUNDS; round++) {
        List<String> answers = new ArrayList<>();
        for (Connection connection : List.of(bare, larder)) {
          try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(replaced);
            answers.add(said(() -> LarderProbe.rows(statement.executeQuery(escaped))));
          }
        }
        assertThat(answers.get(1)).isEqualTo(answers.get(0));
      }
      assertThat(LarderProbe.hits(larder) - before).isEqualTo(replaced ? ROUNDS - 1 : 0);
    }
  }

  /**
   * The driver ignores the wish when it prepares a query, and takes a result for keys otherwise.
   */
  @Test
  void generatedKeysAreBypassedButForPreparedQueries() throws SQLException {
    String returning = "SELECT id AS returning FROM item ORDER BY id";
    for (int round = 0; round < ROUNDS; round++) {
      List<String> answers = new ArrayList<>();
      for (Connection connection : List.of(bare, larder)) {
        try (PreparedStatement keys =
                connection.prepareStatement(ITEMS, Statement.RETURN_GENERATED_KEYS);
            PreparedStatement columns = connection.prepareStatement(ITEMS, new String[] {"id"});
            PreparedStatement word =
                connection.prepareStatement(returning, Statement.RETURN_GENERATED_KEYS);
            Statement plain = connection.createStatement()) {
          answers.add(
              said(() -> LarderProbe.rows(keys.executeQuery()))
                  + said(() -> LarderProbe.rows(keys.getGeneratedKeys()))
                  + said(() -> LarderProbe.rows(columns.executeQuery()))
                  + said(() -> LarderProbe.rows(columns.getGeneratedKeys()))
                  + said(() -> LarderProbe.rows(word.executeQuery()))
                  + said(() -> LarderProbe.rows(word.getGeneratedKeys()))
                  + said(() -> plain.execute(ITEMS, Statement.RETURN_GENERATED_KEYS))
                  + said(() -> LarderProbe.rows(plain.getResultSet())));
        }
      }
      assertThat(answers.get(1)).isEqualTo(answers.get(0));
    }
    assertThat(LarderProbe.hits(larder)).isEqualTo(2 * ROUNDS - 1);
    assertThat(LarderProbe.reason(larder, ITEMS))
        .contains(BypassReason.STATEMENT_OPTION.description());
  }

  @Test
  void optionsOfTheUrlAreThoseOfEveryStatement() throws SQLException {
    String[] options = {
      "preferQueryMode=simple", "defaultRowFetchSize=3", "adaptiveFetch=true&maxResultBuffer=10M"
    };
    for (String option : options) {
      try (Connection cached = LarderProbe.connect(database, option);
          Connection live = DriverManager.getConnection(database.url() + '&' + option)) {
        long before = LarderProbe.hits(cached);
        for (int round = 0; round < ROUNDS; round++) {
          assertThat(plain(cached, s -> {})).as(option).isEqualTo(plain(live, s -> {}));
          assertThat(prepared(cached, s -> {})).as(option).isEqualTo(prepared(live, s -> {}));
        }
        assertThat(LarderProbe.hits(cached) - before).isGreaterThanOrEqualTo(2 * (ROUNDS - 1));
      }
    }
  }
}
