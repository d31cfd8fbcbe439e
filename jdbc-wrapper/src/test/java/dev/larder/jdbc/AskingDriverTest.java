package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Whether the driver for suites of others finds what it looks for. */
final class AskingDriverTest {
  @Test
  void aQueryIsAskedAgainAtOnceAndAfterACommit() throws Exception {
    Class.forName("dev.larder.jdbc.AskingDriver");
    try (TestDatabase database = TestDatabase.create()) {
      database.execute("CREATE TABLE item (id int PRIMARY KEY, name text)");
      database.execute("INSERT INTO item VALUES (1, 'a'), (2, 'b')");
      try (Connection connection =
              DriverManager.getConnection(
                  database.larderUrl("larder.writers=this-jvm").replace("larder:", "asking:"));
          PreparedStatement query =
              connection.prepareStatement("SELECT name FROM item WHERE id = ?")) {
        LarderProbe.awaitCatalog(connection);
        AskedAnswers answers = AskingDriver.answers();
        long before = answers.compared();
        assertName(query, "a");
        assertThat(answers.compared()).isEqualTo(before + 1);
        connection.setAutoCommit(false);
        try (Statement write = connection.createStatement()) {
          write.executeUpdate("UPDATE item SET name = 'c' WHERE id = 1");
        }
        connection.commit();
        assertThat(answers.compared()).isEqualTo(before + 2);
        int different = answers.different().size();
        // Past the cache, on purpose.
        database.execute("UPDATE item SET name = 'd' WHERE id = 1");
        connection.commit();
        assertThat(answers.different())
            .hasSize(different + 1)
            .last()
            .asString()
            .endsWith(": [c|] instead of [d|]");
      }
    }
  }

  @Test
  void aWrongRowIsFound() throws Exception {
    AskedAnswers answers = new AskedAnswers();
    try (TestDatabase database = TestDatabase.create();
        Connection bare = database.connect();
        Connection wrong = AskedConnection.above(withOtherRows(bare), answers);
        Statement query = wrong.createStatement()) {
      query.executeQuery("SELECT 1 AS one").close();
      assertThat(answers.different()).containsExactly("SELECT 1 AS one: [2|] instead of [1|]");
      assertThat(answers)
          .asString()
          .startsWith("compared 1, different 1, unstable 0, refused 0")
          .contains("different: SELECT 1 AS one: [2|] instead of [1|]");
    }
  }

  @Test
  void whatWritesOrLocksIsNotAskedAgain() throws Exception {
    AskedAnswers answers = new AskedAnswers();
    try (TestDatabase database = TestDatabase.create()) {
      database.execute("CREATE TABLE item (id int PRIMARY KEY)", "CREATE SEQUENCE number");
      try (Connection asked = AskedConnection.above(database.connect(), answers);
          Statement query = asked.createStatement()) {
        query.executeQuery("SELECT nextval('number')").close();
        query.executeQuery("SELECT id FROM item FOR UPDATE").close();
        query.execute("WITH new AS (INSERT INTO item VALUES (1) RETURNING id) TABLE new");
        assertThat(answers.compared()).isZero();
        query.execute("SELECT id FROM item");
        assertThat(answers.compared()).isOne();
      }
    }
  }

  /** Without the hint, every 1 is a 2. */
  private static Connection withOtherRows(Connection below) {
    return (Connection)
        Proxy.newProxyInstance(
            AskingDriverTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                String sql = (String) arguments[0];
                arguments[0] = sql.startsWith("/* larder:off */") ? sql : sql.replace('1', '2');
              }
              return method.invoke(below, arguments);
            });
  }

  private static void assertName(PreparedStatement query, String name) throws SQLException {
    query.setInt(1, 1);
    try (ResultSet rows = query.executeQuery()) {
      rows.next();
      assertThat(rows.getString(1)).isEqualTo(name);
    }
  }
}
