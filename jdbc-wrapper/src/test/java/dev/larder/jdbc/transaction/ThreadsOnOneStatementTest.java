package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.store.FaultPoint;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another thread sets a value of a prepared statement while one executes it. Which value counts
 * nobody is told, but it is the same for the look-up, the announce and the server.
 */
@Tag("regression")
final class ThreadsOnOneStatementTest extends ProtocolFixture {
  private static final String ONE = "SELECT name FROM item WHERE id = 1";
  private static final String TWO = "SELECT name FROM item WHERE id = 2";

  @AfterEach
  void injectNothing() {
    FaultPoints.inject(null);
  }

  /** Has another thread set the first value of {@code statement} when this one passes a point. */
  private void setWithin(PreparedStatement statement, int resolved, int answered) {
    Thread executing = Thread.currentThread();
    FaultPoints.inject(
        point -> {
          int value =
              point == FaultPoint.RESOLVED ? resolved : point == FaultPoint.ANSWERED ? answered : 0;
          if (value != 0 && Thread.currentThread() == executing) {
            set(statement, value);
          }
        });
  }

  private void set(PreparedStatement statement, int value) {
    try {
      get(
          async(
              () -> {
                statement.setInt(1, value);
                return true;
              }));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void assertAsAtTheServer() throws SQLException {
    for (String query : new String[] {ONE, TWO}) {
      assertThat(rows(two, query)).as(query).isEqualTo(rows(past, query));
      assertThat(rows(two, query)).as(query).isEqualTo(rows(past, query));
    }
  }

  @Test
  void aResultIsNotKeptForAnotherValue() throws SQLException {
    LarderProbe.fill(two, NOTES);
    try (PreparedStatement query = one.prepareStatement("SELECT name FROM item WHERE id = ?")) {
      query.setInt(1, 1);
      setWithin(query, 2, 1);
      query.executeQuery().close();
      FaultPoints.inject(null);
    }
    try (PreparedStatement query = two.prepareStatement("SELECT name FROM item WHERE id = ?")) {
      query.setInt(1, 1);
      assertThat(rows(query.executeQuery())).containsExactly("a");
      query.setInt(1, 2);
      assertThat(rows(query.executeQuery())).containsExactly("b");
    }
    assertAsAtTheServer();
  }

  @Test
  void theRowThatIsWrittenIsTheOneThatWasAnnounced() throws SQLException {
    LarderProbe.fill(two, ONE);
    LarderProbe.fill(two, TWO);
    String update = "UPDATE item SET name = name || '!' WHERE id = ?";
    try (PreparedStatement statement = one.prepareStatement(update)) {
      statement.setInt(1, 1);
      setWithin(statement, 2, 1);
      assertThat(statement.executeUpdate()).isOne();
      FaultPoints.inject(null);
      assertAsAtTheServer();
      set(statement, 2);
      statement.setInt(1, 1);
      statement.addBatch();
      set(statement, 2);
      assertThat(statement.executeBatch()).containsExactly(1);
      assertAsAtTheServer();
      assertThat(statement.executeUpdate()).isOne();
      assertThat(rows(past, TWO)).containsExactly("b!");
    }
    assertAsAtTheServer();
  }

  @Test
  void whatTheDriverWasGivenByAnotherThreadIsNotTakenForThisOnes() throws SQLException {
    LarderProbe.fill(two, NOTES);
    try (PreparedStatement query = one.prepareStatement("SELECT name FROM item WHERE id = ?")) {
      query.setInt(1, 2);
      assertThat(rows(query.executeQuery())).containsExactly("b");
      query.setInt(1, 1);
      setWithin(query, 2, 2);
      query.executeQuery().close();
      FaultPoints.inject(null);
      run(two, "UPDATE item SET name = name || '?'");
      assertThat(rows(query.executeQuery())).containsExactly("b?");
    }
    assertAsAtTheServer();
  }

  @Test
  void aResultIsNotKeptForAnotherLimit() throws SQLException {
    LarderProbe.fill(two, NOTES);
    Thread executing = Thread.currentThread();
    try (Statement query = one.createStatement()) {
      FaultPoints.inject(
          point -> {
            if (point == FaultPoint.RESOLVED && Thread.currentThread() == executing) {
              limit(query);
            }
          });
      assertThat(rows(query.executeQuery(ITEMS))).containsExactly("a");
      FaultPoints.inject(null);
    }
    assertThat(rows(two, ITEMS)).containsExactly("a", "b");
  }

  private void limit(Statement query) {
    try {
      get(
          async(
              () -> {
                query.setMaxRows(1);
                return true;
              }));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aStatementThatIsHandedOnIsHitAsEver() throws Exception {
    LarderProbe.fill(one, ONE);
    try (PreparedStatement query = one.prepareStatement("SELECT name FROM item WHERE id = ?")) {
      query.setInt(1, 1);
      query.executeQuery().close();
      query.executeQuery().close();
      long before = LarderProbe.hits(one);
      assertThat(
              get(
                  async(
                      () -> {
                        query.setInt(1, 1);
                        return rows(query.executeQuery());
                      })))
          .containsExactly("a");
      assertThat(LarderProbe.hits(one)).isEqualTo(before + 1);
    }
  }
}
