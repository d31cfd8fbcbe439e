package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("each-server")
final class CachedReadsTest {
  private TestDatabase database;
  private Connection one;
  private Connection two;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    try (Connection plain = database.connect()) {
      run(
          plain,
          "CREATE TABLE item (id int PRIMARY KEY, name text, price numeric)",
          "CREATE TABLE other (id int PRIMARY KEY, note text)",
          "INSERT INTO item SELECT i, 'item ' || i, i * 1.5 FROM generate_series(1, 10) i",
          "INSERT INTO other VALUES (1, 'x')");
    }
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    database.close();
  }

  @Test
  void aRepeatedStatementIsAHit() throws SQLException {
    String sql = "SELECT id, name FROM item WHERE id = 3";
    assertThat(rows(one, sql)).containsExactly("3,item 3");
    assertThat(isHit(one, sql)).isTrue();
    assertThat(rows(two, sql)).containsExactly("3,item 3");
  }

  @Test
  void aPreparedStatementIsKeyedByItsValues() throws SQLException {
    try (PreparedStatement select =
        one.prepareStatement("SELECT name FROM item WHERE id = ? AND price < ?")) {
      for (int round = 0; round < 2; round++) {
        for (int id = 1; id <= 3; id++) {
          select.setInt(1, id);
          select.setLong(2, 100);
          try (ResultSet row = select.executeQuery()) {
            assertThat(rows(row)).containsExactly("item " + id);
          }
        }
      }
    }
    assertThat(hits(one)).isEqualTo(3);
  }

  @Test
  void executeAndGetResultSetIsServedToo() throws SQLException {
    fill(one, "SELECT name FROM item WHERE id = 1");
    long before = hits(one);
    try (Statement statement = one.createStatement()) {
      assertThat(statement.execute("SELECT name FROM item WHERE id = 1")).isTrue();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(rows(statement.getResultSet())).containsExactly("item 1");
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
    }
    assertThat(hits(one)).isEqualTo(before + 1);
  }

  @Test
  void aWriteInvalidatesWhatReadItsTableAndNothingElse() throws SQLException {
    fill(one, "SELECT name FROM item WHERE id = 1");
    fill(one, "SELECT note FROM other");
    run(two, "UPDATE item SET name = 'new' WHERE id = 1");
    assertThat(rows(one, "SELECT name FROM item WHERE id = 1")).containsExactly("new");
    assertThat(isHit(one, "SELECT note FROM other")).isTrue();
    assertThat(isHit(one, "SELECT name FROM item WHERE id = 1")).isTrue();
  }

  @Test
  void aTransactionSeesItsOwnWritesAndNobodyElseDoes() throws SQLException {
    String sql = "SELECT name FROM item WHERE id = 2";
    fill(one, sql);
    two.setAutoCommit(false);
    run(two, "UPDATE item SET name = 'mine' WHERE id = 2");
    assertThat(rows(two, sql)).containsExactly("mine");
    assertThat(isHit(one, sql)).isTrue();
    assertThat(rows(one, sql)).containsExactly("item 2");
    two.rollback();
    assertThat(isHit(one, sql)).isTrue();
    assertThat(isHit(two, sql)).isTrue();
    run(two, "UPDATE item SET name = 'kept' WHERE id = 2");
    two.commit();
    assertThat(rows(one, sql)).containsExactly("kept");
  }
}
