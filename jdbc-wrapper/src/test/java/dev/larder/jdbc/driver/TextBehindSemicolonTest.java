package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands behind a semicolon is a statement, or none, as the driver sees it. */
final class TextBehindSemicolonTest {
  private static final String QUERY = "SELECT name FROM item WHERE id = 2";

  private static TestDatabase database;
  private static Connection bare;
  private static Connection larder;

  @BeforeAll
  static void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)", "INSERT INTO item VALUES (2, 'b')");
    bare = database.connect();
    larder = LarderProbe.connect(database);
    LarderProbe.fill(larder, QUERY);
  }

  @AfterAll
  static void close() throws SQLException {
    larder.close();
    bare.close();
    database.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'SELECT name FROM item WHERE id = 2;'             | true",
        "'SELECT name FROM item WHERE id = 2 ; '           | true",
        "'SELECT name FROM item WHERE id = 2;;'            | true",
        "'SELECT name FROM item WHERE id = 2; ;'           | true",
        "';SELECT name FROM item WHERE id = 2'             | true",
        "'SELECT name FROM item WHERE id = 2 -- one'       | true",
        "'SELECT name FROM item WHERE id = 2 /* one */;'   | true",
        "'/* one */ SELECT name FROM item WHERE id = 2;'   | true",
        "'SELECT name FROM item WHERE id = 2; -- two'      | false",
        "'SELECT name FROM item WHERE id = 2;/* two */'    | false",
        "'SELECT name FROM item WHERE id = 2; /* two */ ;' | false",
        "'SELECT name FROM item WHERE id = 2;; -- two'     | false",
        "'/* one */; SELECT name FROM item WHERE id = 2'   | false",
      })
  void itIsAnsweredAsByTheDriver(String sql, boolean hit) throws SQLException {
    long before = LarderProbe.hits(larder);
    assertThat(all(larder, sql)).isEqualTo(all(bare, sql));
    assertThat(LarderProbe.hits(larder) > before).isEqualTo(hit);
  }

  private static List<String> all(Connection connection, String sql) throws SQLException {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      try (Statement statement = connection.createStatement()) {
        answers.add(query(() -> statement.executeQuery(sql)));
      }
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        answers.add(query(statement::executeQuery));
      }
      try (Statement statement = connection.createStatement()) {
        answers.add(results(statement, statement.execute(sql)));
      }
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        answers.add(results(statement, statement.execute()));
      }
    }
    return answers;
  }

  private interface Query {
    ResultSet run() throws SQLException;
  }

  private static String query(Query query) {
    try (ResultSet rows = query.run()) {
      return LarderProbe.rows(rows).toString();
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static String results(Statement statement, boolean first) throws SQLException {
    StringBuilder all = new StringBuilder();
    boolean rows = first;
    while (rows || statement.getUpdateCount() != -1) {
      all.append(rows ? LarderProbe.rows(statement.getResultSet()) : statement.getUpdateCount());
      rows = statement.getMoreResults();
    }
    return all.toString();
  }
}
