package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One statement object that is used for hits and for live executions in turn. */
final class StatementReuseTest extends ProtocolFixture {
  private static final String ONE = "SELECT name FROM item WHERE id = 1";
  private static final String UPDATE = "UPDATE other SET note = note";

  private void fillOne() throws SQLException {
    fillBoth();
    LarderProbe.fill(one, ONE);
  }

  /** What a statement says of its last execution. */
  private static String state(Statement statement) throws SQLException {
    ResultSet result = statement.getResultSet();
    String said =
        (result == null ? "none" : LarderProbe.rows(result).toString())
            + ", count "
            + statement.getUpdateCount()
            + "/"
            + statement.getLargeUpdateCount()
            + ", keys "
            + LarderProbe.rows(statement.getGeneratedKeys());
    return said
        + ", more "
        + statement.getMoreResults()
        + ", count "
        + statement.getUpdateCount()
        + ", "
        + (statement.getResultSet() == null);
  }

  /** What is asked of a statement. */
  private interface Question {
    @Nullable Object of(Statement statement) throws SQLException;
  }

  private static String said(Statement statement, Question question) {
    try {
      return String.valueOf(question.of(statement));
    } catch (SQLException e) {
      return e.getSQLState() + ' ' + e.getMessage();
    }
  }

  private static List<String> saidOnceClosed(Connection connection, boolean prepared)
      throws SQLException {
    List<Question> questions =
        List.of(
            Statement::getResultSet,
            Statement::getUpdateCount,
            Statement::getLargeUpdateCount,
            Statement::getMoreResults,
            s -> s.getMoreResults(Statement.KEEP_CURRENT_RESULT),
            Statement::getWarnings,
            s -> s.getGeneratedKeys() == null);
    List<String> said = new ArrayList<>();
    for (Question question : questions) {
      Statement statement;
      if (prepared) {
        PreparedStatement query = connection.prepareStatement(ONE);
        query.executeQuery();
        statement = query;
      } else {
        statement = connection.createStatement();
        statement.executeQuery(ONE);
      }
      statement.close();
      said.add(said(statement, question));
    }
    return said;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStatementThatIsClosedBehindAHitAnswersNothing(boolean prepared) throws SQLException {
    fillOne();
    assertThat(saidOnceClosed(one, prepared)).isEqualTo(saidOnceClosed(past, prepared));
  }

  private static String openAfterKeys(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(UPDATE, Statement.RETURN_GENERATED_KEYS);
      ResultSet keys = statement.getGeneratedKeys();
      boolean same = keys == statement.getGeneratedKeys();
      ResultSet result = statement.executeQuery(ITEMS);
      return same + " " + keys.isClosed() + " " + result.isClosed();
    }
  }

  @Test
  void aHitClosesTheKeysOfTheExecutionBefore() throws SQLException {
    fillOne();
    assertThat(openAfterKeys(one)).isEqualTo(openAfterKeys(past)).isEqualTo("true true false");
  }

  private static List<Boolean> closedAfterKeeping(Connection connection) throws SQLException {
    List<Boolean> closed = new ArrayList<>();
    Statement statement = connection.createStatement();
    statement.execute("SELECT 1; SELECT 2");
    ResultSet live = statement.getResultSet();
    statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
    ResultSet second = statement.getResultSet();
    closed.add(live.isClosed());
    ResultSet hit = statement.executeQuery(ITEMS);
    closed.addAll(List.of(live.isClosed(), second.isClosed()));
    statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
    closed.add(hit.isClosed());
    statement.executeBatch();
    closed.add(hit.isClosed());
    ResultSet other = statement.executeQuery(ITEMS);
    statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
    statement.getMoreResults(Statement.CLOSE_ALL_RESULTS);
    closed.add(other.isClosed());
    ResultSet last = statement.executeQuery(ITEMS);
    statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
    statement.close();
    closed.add(last.isClosed());
    return closed;
  }

  @Test
  void resultsThatWereKeptAreClosedWhenTheDriverClosesThem() throws SQLException {
    fillOne();
    long before = hits(one);
    assertThat(closedAfterKeeping(one)).isEqualTo(closedAfterKeeping(past));
    assertThat(hits(one)).isEqualTo(before + 3);
  }

  @Test
  void metadataBehindAHitIsThatOfTheOpenResult() throws SQLException {
    fillOne();
    for (Connection connection : List.of(past, one)) {
      connection.setAutoCommit(false);
      try (PreparedStatement statement = connection.prepareStatement(ITEMS)) {
        statement.executeQuery();
        assertThatThrownBy(() -> run(connection, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
        assertThat(statement.getMetaData().getColumnLabel(1)).isEqualTo("name");
      }
      connection.rollback();
    }
  }

  private List<String> script(Connection connection) throws SQLException {
    List<String> said = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      said.add(statement.execute(ONE) + state(statement));
      said.add(statement.execute(UPDATE) + state(statement));
      said.add(statement.execute(ITEMS) + state(statement));
      said.add(statement.executeUpdate(UPDATE, new String[] {"id"}) + state(statement));
      said.add(statement.execute(ONE) + state(statement));
      said.add(statement.execute("SELECT 1; SELECT 2") + state(statement));
      said.add(statement.execute(ONE) + state(statement));
      try {
        statement.execute("SELECT 1 / 0");
      } catch (SQLException e) {
        said.add(e.getSQLState());
      }
      said.add(statement.execute(ONE) + state(statement));
      statement.addBatch(UPDATE);
      said.add(statement.executeBatch().length + "");
      said.add(statement.execute(ITEMS) + state(statement));
      statement.setMaxRows(1);
      said.add(statement.execute(ITEMS) + state(statement));
      statement.setMaxRows(0);
      said.add(statement.execute(ITEMS) + state(statement));
    }
    return said;
  }

  @Test
  void aStatementSaysOfEachExecutionWhatTheDriversSays() throws SQLException {
    fillOne();
    List<String> live = script(past);
    assertThat(script(one)).isEqualTo(live);
    long before = hits(one);
    assertThat(script(one)).isEqualTo(live);
    assertThat(hits(one)).isGreaterThan(before + 4);
  }

  @Test
  void anExecutionClosesTheResultOfTheLastOne() throws SQLException {
    fillOne();
    try (Statement statement = one.createStatement()) {
      ResultSet hit = statement.executeQuery(ONE);
      ResultSet live = statement.executeQuery("SELECT 1 AS one");
      assertThat(hit.isClosed()).isTrue();
      assertThatThrownBy(hit::next).isInstanceOf(SQLException.class);
      ResultSet again = statement.executeQuery(ONE);
      assertThat(live.isClosed()).isTrue();
      assertThat(LarderProbe.rows(again)).containsExactly("a");
      statement.executeUpdate(UPDATE);
      assertThat(again.isClosed()).isTrue();
      assertThat(statement.getResultSet()).isNull();
    }
  }

  @Test
  void preparedStatementsKeepTheirValuesAcrossHitsAndLiveExecutions() throws SQLException {
    fillBoth();
    try (PreparedStatement select =
        one.prepareStatement("SELECT name FROM item WHERE id = ? OR name = ?")) {
      for (int round = 0; round < 3; round++) {
        select.setInt(1, 1);
        select.setString(2, "b");
        assertThat(LarderProbe.rows(select.executeQuery())).hasSize(2);
        select.setString(2, "none");
        assertThat(LarderProbe.rows(select.executeQuery())).containsExactly("a");
        select.setInt(1, 2);
        assertThat(LarderProbe.rows(select.executeQuery())).containsExactly("b");
      }
      assertThat(hits(one)).isGreaterThanOrEqualTo(6);
      select.clearParameters();
      assertThatThrownBy(select::executeQuery).isInstanceOf(SQLException.class);
      select.setInt(1, 2);
      assertThatThrownBy(select::executeQuery).isInstanceOf(SQLException.class);
    }
  }

  private static String completion(Connection connection) throws SQLException {
    String said = "";
    try (Statement statement = connection.createStatement()) {
      statement.closeOnCompletion();
      said += statement.isCloseOnCompletion();
      ResultSet first = statement.executeQuery(ONE);
      said += statement.isClosed();
      first.close();
      said += statement.isClosed();
    }
    try (Statement statement = connection.createStatement()) {
      statement.closeOnCompletion();
      statement.executeQuery(ONE);
      said += LarderProbe.rows(statement.executeQuery(ONE));
    } catch (SQLException e) {
      said += e.getSQLState();
    }
    return said;
  }

  @Test
  void closeOnCompletionIsTheDrivers() throws SQLException {
    fillOne();
    assertThat(completion(one)).isEqualTo(completion(past));
    try (Statement statement = one.createStatement()) {
      long before = hits(one);
      ResultSet hit = statement.executeQuery(ONE);
      assertThat(hits(one)).isGreaterThan(before);
      statement.closeOnCompletion();
      hit.close();
      assertThat(statement.isClosed()).isTrue();
    }
  }

  @Test
  void aResultThatIsStillOpenDoesNotChangeWithTheTable() throws SQLException {
    fillBoth();
    try (Statement statement = one.createStatement()) {
      long before = hits(one);
      ResultSet open = statement.executeQuery(ITEMS);
      assertThat(hits(one)).isGreaterThan(before);
      open.next();
      run(two, "UPDATE item SET name = 'new'");
      open.next();
      assertThat(open.getString(1)).isEqualTo("b");
    }
    assertLive(one, ITEMS, "new", "new");
  }

  @Test
  void aClosedStatementAnswersNothing() throws SQLException {
    fillBoth();
    Statement statement = one.createStatement();
    PreparedStatement prepared = one.prepareStatement(ITEMS);
    statement.close();
    prepared.close();
    assertThatThrownBy(() -> statement.executeQuery(ITEMS)).isInstanceOf(SQLException.class);
    assertThatThrownBy(prepared::executeQuery).isInstanceOf(SQLException.class);
    assertThatThrownBy(prepared::execute).isInstanceOf(SQLException.class);
    assertThatThrownBy(statement::getResultSet).isInstanceOf(SQLException.class);
    assertThatThrownBy(statement::getUpdateCount).isInstanceOf(SQLException.class);
    assertHit(one, ITEMS, "a", "b");
  }
}
