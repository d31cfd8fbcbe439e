package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ON CONFLICT DO UPDATE changes the row that it finds, whatever found it. */
@Tag("each-server")
final class UpsertByKeyTest {
  private static final String[] SCHEMA = {
    "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    "CREATE TABLE plain (id int PRIMARY KEY, code varchar(4) UNIQUE, owner int, n int)",
    "CREATE INDEX ON plain (owner)",
    "CREATE TABLE odd (id int, code text UNIQUE, n int)",
    "CREATE UNIQUE INDEX ON odd (code COLLATE nocase)",
    "CREATE TABLE made (id int PRIMARY KEY, code text UNIQUE, twice int GENERATED ALWAYS AS"
        + " (id * 2) STORED UNIQUE, n int)",
    "CREATE TABLE renamed (id int PRIMARY KEY, n int)",
    "CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS"
        + " 'BEGIN NEW.id := NEW.id + 1; RETURN NEW; END'",
    "CREATE TRIGGER other BEFORE INSERT ON renamed FOR EACH ROW EXECUTE FUNCTION other()",
  };

  private static final String[] ROWS = {
    "TRUNCATE plain, odd, made, renamed",
    "INSERT INTO plain VALUES (1, 'c1', 10, 0), (2, 'c2', 10, 0), (3, 'c3', 20, 0)",
    "INSERT INTO odd VALUES (1, 'abc', 0), (2, 'def', 0)",
    "INSERT INTO made (id, code, n) VALUES (1, 'c1', 0), (2, 'c2', 0)",
    "INSERT INTO renamed VALUES (0, 0), (1, 0)",
  };

  private static TestDatabase database;
  private static Connection connection;
  private static Connection bare;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(SCHEMA);
    connection = LarderProbe.connect(database, "larder.invalidation=key");
    bare = database.connect();
  }

  @AfterAll
  static void drop() throws SQLException {
    connection.close();
    bare.close();
    database.close();
  }

  @BeforeEach
  void restore() throws SQLException {
    run(connection, ROWS);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "by another key; SELECT n FROM plain WHERE code = 'c1'"
            + "; INSERT INTO plain VALUES (1, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
        "by a list that shows it; SELECT id, n FROM plain WHERE owner = 10"
            + "; INSERT INTO plain VALUES (1, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
        "by a list that it leaves; SELECT id, n FROM plain WHERE owner = 10"
            + "; INSERT INTO plain VALUES (1, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET owner = 20",
        "by a list that it comes to; SELECT id, n FROM plain WHERE owner = 20"
            + "; INSERT INTO plain VALUES (1, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET owner = 20",
        "by a key that it gets; SELECT n FROM plain WHERE code = 'new'"
            + "; INSERT INTO plain VALUES (1, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET code = 'new'",
        "the key of the inserted row; SELECT n FROM plain WHERE code = 'x'"
            + "; INSERT INTO plain VALUES (9, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
        "a text that is cut; SELECT n FROM plain WHERE code = 'c1'"
            + "; INSERT INTO plain VALUES (9, 'c1     ', 1, 1) ON CONFLICT (code) DO UPDATE SET n = 7",
        "a number that is rounded; SELECT n FROM plain WHERE id = 2"
            + "; INSERT INTO plain VALUES (1.6, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
        "a looser index; SELECT id, code, n FROM odd WHERE code = 'abc'"
            + "; INSERT INTO odd VALUES (9, 'ABC', 1) ON CONFLICT (code) DO UPDATE SET n = 7",
        "a looser index, other values; SELECT code, n FROM odd WHERE code = 'abc'"
            + "; INSERT INTO odd VALUES (9, 'ABC', 1) ON CONFLICT (code) DO UPDATE SET code = 'ABC'",
        "what is generated; SELECT n FROM made WHERE twice = 4"
            + "; INSERT INTO made (id, n) VALUES (2, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
        "what is generated from a new value; SELECT n FROM made WHERE twice = 18"
            + "; INSERT INTO made (id, code) VALUES (8, 'c2') ON CONFLICT (code) DO UPDATE SET id = 9",
        "a trigger before; SELECT n FROM renamed WHERE id = 1"
            + "; INSERT INTO renamed VALUES (0, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
        "without a key; SELECT count(*), sum(n) FROM plain"
            + "; INSERT INTO plain VALUES (1, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
        "by columns; SELECT n FROM plain WHERE owner % 10 = 0"
            + "; INSERT INTO plain VALUES (1, 'x', 1, 1) ON CONFLICT (id) DO UPDATE SET n = 7",
      })
  void theRowIsSeen(String what, String query, String write) throws SQLException {
    run(connection, "UPDATE plain SET owner = owner WHERE id = 3");
    for (int pass = 0; pass < 2; pass++) {
      fill(connection, query);
    }
    run(connection, write);
    assertThat(rows(connection, query)).as(what).isEqualTo(rows(bare, query));
  }

  @Test
  void otherRowsStayByTheSameKey() throws SQLException {
    String one = "SELECT n FROM plain WHERE id = 1";
    String other = "SELECT n FROM plain WHERE id = 2";
    fill(connection, one);
    fill(connection, other);
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "INSERT INTO plain VALUES (?, ?, 10, 5) ON CONFLICT (id) DO UPDATE SET n = excluded.n")) {
      upsert.setInt(1, 1);
      upsert.setString(2, "x");
      upsert.executeUpdate();
    }
    assertThat(rows(connection, one)).containsExactly("5");
    assertThat(isHit(connection, other)).isTrue();
  }
}
