package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody with one schema writes functions that are long, and hard to read. */
class WriterOfFunctionsTest {
  @AutoClose private TestDatabase database;

  @BeforeEach
  void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA evil",
        "CREATE TABLE item (id int PRIMARY KEY, n int)",
        "INSERT INTO item VALUES (1, 1)");
  }

  private void function(String name, String returns, String body) throws SQLException {
    database.execute(
        "SET check_function_bodies = off",
        "CREATE FUNCTION evil."
            + name
            + " RETURNS "
            + returns
            + " LANGUAGE plpgsql AS $f$"
            + body
            + "$f$");
  }

  private static int read(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT n FROM item")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  private void assertCached(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int expected = read(statement);
      long hits = LarderProbe.hits(connection);
      assertThat(read(statement)).isEqualTo(expected);
      assertThat(LarderProbe.hits(connection)).isEqualTo(hits + 1);
    }
  }

  @Test
  void bodiesThatAreHardToReadHinderNobody() throws Exception {
    function(
        "literal()", "trigger", "BEGIN NEW.a := '" + "a".repeat(50_000) + "'; RETURN NEW; END");
    function("dashes()", "void", "BEGIN END " + "-".repeat(60_000));
    function("blanks()", "void", "BEGIN END " + " ".repeat(60_000) + "into");
    for (int i = 0; i < 20; i++) {
      function("long" + i + "()", "void", "BEGIN END " + "-".repeat(2_000_000));
    }
    try (Connection connection = LarderProbe.connect(database)) {
      assertCached(connection);
    }
  }

  @Test
  void callOfABodyThatIsNotReadIsAWriteOfEverything() throws Exception {
    String body = "BEGIN UPDATE public.item SET n = n + 1; END -- ";
    function("long()", "void", body + "-".repeat(70_000));
    try (Connection connection = LarderProbe.connect(database);
        Statement statement = connection.createStatement()) {
      assertCached(connection);
      statement.execute("SELECT evil.long()");

      assertThat(read(statement)).isEqualTo(2);
    }
  }

  @Test
  void viewThatIsNotReadIsNotCached() throws Exception {
    String condition = " OR n = 1".repeat(12_000);
    database.execute("CREATE VIEW wide AS SELECT n FROM item WHERE false" + condition);
    try (Connection connection = LarderProbe.connect(database);
        Statement statement = connection.createStatement()) {
      assertCached(connection);
      long hits = LarderProbe.hits(connection);
      for (int i = 0; i < 3; i++) {
        try (ResultSet row = statement.executeQuery("SELECT n FROM wide")) {
          assertThat(row.next()).isTrue();
        }
      }
      assertThat(LarderProbe.hits(connection)).isEqualTo(hits);
    }
  }
}
