package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Statements that seem to name other rows than they touch. Each is a result that is in the cache,
 * and a write that changes it: the next answer is the server's.
 */
@Tag("regression")
final class KeyTrapsTest {
  private static final String[] SCHEMA = {
    "CREATE TABLE team (id int PRIMARY KEY, name text)",
    "CREATE TABLE member (id int PRIMARY KEY, code varchar(8) UNIQUE, name text, team_id int"
        + " REFERENCES team, \"user\" text, active boolean, uid uuid UNIQUE, \"Id\" int, unused int)",
    "CREATE INDEX ON member (\"user\")",
    "CREATE INDEX ON member (active)",
    "CREATE INDEX ON member (\"Id\")",
    "CREATE FUNCTION label(member) RETURNS text IMMUTABLE LANGUAGE sql"
        + " AS 'SELECT $1.code || $1.name'",
    "CREATE TABLE kept (id int PRIMARY KEY, team_id int REFERENCES team ON DELETE CASCADE)",
    "CREATE TABLE word (id text PRIMARY KEY, kind int, name text)",
    "CREATE INDEX ON word (kind)",
    "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "CREATE TRIGGER keep BEFORE DELETE ON kept FOR EACH ROW EXECUTE FUNCTION keep()",
  };

  /** Texts that differ in their case are equal to the operators of a class of varchar's. */
  private static final String[] LOOSE = {
    "CREATE TABLE note (id int PRIMARY KEY, code varchar(8), name text)",
    "CREATE TABLE label (id int PRIMARY KEY, code varchar(8))",
    "CREATE FUNCTION order_of(varchar, varchar) RETURNS int IMMUTABLE LANGUAGE sql"
        + " AS 'SELECT bttextcmp(lower($1), lower($2))'",
    looseOperator("<<<", "<"),
    looseOperator("<<=", "<="),
    looseOperator("===", "="),
    looseOperator(">>=", ">="),
    looseOperator(">>>", ">"),
    "CREATE OPERATOR CLASS loose_ops DEFAULT FOR TYPE varchar USING btree AS OPERATOR 1 <<<,"
        + " OPERATOR 2 <<=, OPERATOR 3 ===, OPERATOR 4 >>=, OPERATOR 5 >>>,"
        + " FUNCTION 1 order_of(varchar, varchar)",
    "CREATE UNIQUE INDEX ON note (code)",
    "ALTER TABLE label ADD FOREIGN KEY (code) REFERENCES note (code)",
    "CREATE UNIQUE INDEX ON note (code text_ops)", // Beside the one that the foreign key rests on.
    "INSERT INTO note VALUES (1, 'abc', 'one')",
    "INSERT INTO label VALUES (1, 'Abc')",
  };

  private static String looseOperator(String name, String like) {
    String function = "\"is " + name + '"';
    return "CREATE FUNCTION %s(varchar, varchar) RETURNS boolean IMMUTABLE LANGUAGE sql"
            .formatted(function)
        + " AS 'SELECT lower($1) %s lower($2)';".formatted(like)
        + " CREATE OPERATOR %s (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = %s)"
            .formatted(name, function);
  }

  private static final String[] ROWS = {
    "TRUNCATE member, team, kept, word",
    "INSERT INTO team VALUES (10, 'ten'), (20, 'twenty'), (30, 'thirty')",
    "INSERT INTO member VALUES (1, 'c1', 'one', 10, 'ann', true,"
        + " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 1),"
        + " (2, 'c2', 'two', 10, 'bob', false, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', 2),"
        + " (3, 'c3', 'three', 20, 'ann', NULL, NULL, 1), (4, NULL, 'four', NULL, NULL, true,"
        + " NULL, NULL)",
    "INSERT INTO kept VALUES (1, 10), (2, 30)",
    "DELETE FROM team WHERE id = 30",
    // Results are kept by the columns that they use once a write has set others.
    "UPDATE member SET unused = 1 WHERE id = 4",
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
      quoteCharacter = '~',
      value = {
        "a word that is a call in a write; SELECT * FROM member WHERE \"user\" = 'ann'"
            + "; UPDATE member SET name = 'x' WHERE user = 'postgres'",
        "a word that is a call in a read; SELECT id FROM member WHERE user = 'postgres'"
            + "; INSERT INTO member (id, \"user\") VALUES (9, 'eve')",
        "a word that is a call, joined; SELECT m.id, t.id FROM team t JOIN member m"
            + " ON m.team_id = t.id AND user = 'postgres' WHERE t.id = 10"
            + "; INSERT INTO member (id, team_id, \"user\") VALUES (9, 10, 'eve')",
        "a cascade that a trigger held back; SELECT k.id, k.team_id, t.name FROM kept k"
            + " JOIN team t ON t.id = k.team_id WHERE k.id = 2; INSERT INTO team VALUES (30, 'x')",
        "a constant that is continued; SELECT name FROM member WHERE code = 'c1'"
            + "; ~UPDATE member SET name = 'x' WHERE code = 'c'\n'1'~",
        "a constant with an escape; SELECT name FROM member WHERE code = 'c1'"
            + "; UPDATE member SET name = 'x' WHERE code = E'c\\x31'",
        "a constant of char(n); SELECT name FROM member WHERE code = 'c1'"
            + "; UPDATE member SET name = 'x' WHERE code = N'c1  '",
        "a constant of varchar(n); SELECT name FROM member WHERE code = 'c1'"
            + "; UPDATE member SET name = 'x' WHERE code = varchar(2) 'c1xx'",
        "a text that is cut; SELECT id FROM member WHERE code = 'c9345678'"
            + "; INSERT INTO member (id, code) VALUES (9, 'c9345678    ')",
        "a number with zeros; SELECT name FROM member WHERE id = 1"
            + "; UPDATE member SET name = 'x' WHERE id = 001.0",
        "a number in quotes; SELECT name FROM member WHERE id = 1"
            + "; UPDATE member SET name = 'x' WHERE id = ' +01 '",
        "a number that is rounded; SELECT name FROM member WHERE id = 9"
            + "; INSERT INTO member (id, name) VALUES (8.6, 'x')",
        "a uuid in brackets; SELECT id, name FROM member"
            + " WHERE uid = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'; UPDATE member SET name = 'x'"
            + " WHERE uid = '{A0EEBC999C0B4EF8BB6D6BB9BD380A11}'",
        "a truth in letters; SELECT id, name FROM member WHERE active = true"
            + "; UPDATE member SET name = 'x' WHERE active = 'on'",
        "a test of an equality; SELECT name FROM member WHERE id = 2"
            + "; UPDATE member SET name = 'x' WHERE id = 1 IS NOT NULL",
        "a test of a list; SELECT name FROM member WHERE id = 2"
            + "; UPDATE member SET name = 'x' WHERE id IN (1) IS NOT TRUE",
        "an equality with a list; SELECT name FROM member WHERE id = 1"
            + "; UPDATE member SET name = 'x' WHERE active = id IN (1, 2)",
        "NOT before AND; SELECT name FROM member WHERE id = 2"
            + "; UPDATE member SET name = 'x' WHERE NOT id = 1 AND team_id = 10",
        "OR after AND; SELECT name FROM member WHERE id = 3"
            + "; UPDATE member SET name = 'x' WHERE id = 1 AND team_id = 10 OR id = 3",
        "two columns of a name; SELECT * FROM member WHERE id = 3"
            + "; UPDATE member SET name = 'x' WHERE \"Id\" = 1",
        "a name that is another's; SELECT name FROM member WHERE id = 1"
            + "; UPDATE member AS m SET name = 'x' FROM team AS member"
            + " WHERE member.id = 10 AND m.team_id = member.id",
        "rows that a sort multiplies; SELECT id, name FROM member WHERE id IN (1, 9)"
            + " ORDER BY generate_series(1, 2); INSERT INTO member (id) SELECT 9",
        "rows by a code that a sort multiplies; SELECT id FROM member WHERE code IN ('c1', 'c9')"
            + " ORDER BY generate_series(1, 2); INSERT INTO member (id, code) SELECT 9, 'c9'",
        "a call behind a dot; SELECT m.id, m.label FROM member m WHERE m.id = 1"
            + "; UPDATE member SET name = 'x' WHERE id = 1",
        "a row behind a dot; SELECT m.id, m.to_json FROM member m WHERE m.id = 1"
            + "; UPDATE member SET name = 'x' WHERE id = 1",
        "rows behind a dot; SELECT id, public.member.to_jsonb FROM member"
            + "; UPDATE member SET name = 'x' WHERE id = 1",
      })
  void theNextAnswerIsTheServers(String trap, String read, String write) throws SQLException {
    fillTwice(read);
    List<String> before = rows(bare, read);
    run(connection, write);
    List<String> after = rows(bare, read);
    assertThat(after).as("what '%s' changes", trap).isNotEqualTo(before);
    assertThat(rows(connection, read)).as(trap).containsExactlyInAnyOrderElementsOf(after);
  }

  @Test
  void nullIsFoundWhereTheServerIsAskedTo() throws SQLException {
    String read = "SELECT id FROM member WHERE team_id = NULL";
    String set = "SET transform_null_equals = on";
    run(bare, set);
    try (Connection asking = LarderProbe.connect(database, "larder.invalidation=key")) {
      run(asking, set);
      fill(asking, read);
      run(connection, "INSERT INTO member (id, team_id) VALUES (9, NULL)");
      assertThat(rows(asking, read)).containsExactlyInAnyOrderElementsOf(rows(bare, read));
    } finally {
      run(bare, "RESET transform_null_equals");
    }
  }

  @Test
  void aNullInAnArrayIsATextWhereTheServerIsAskedTo() throws SQLException {
    String read = "SELECT id FROM word WHERE id = ANY (?)";
    String name = "SELECT name FROM word WHERE id = 'NULL'";
    try (Connection asking = LarderProbe.connect(database, "larder.invalidation=key")) {
      run(asking, "SET array_nulls = off");
      for (int i = 0; i < 3; i++) {
        assertThat(named(asking, read)).isEmpty();
      }
      run(connection, "INSERT INTO word VALUES ('NULL', 1, 'n')");
      assertThat(named(asking, read)).containsExactly("NULL");

      fill(connection, name);
      named(asking, "UPDATE word SET name = 'changed' WHERE id = ANY (?) RETURNING id");
      assertThat(rows(connection, name)).containsExactly("changed");
    }
  }

  /** Runs {@code sql} with an array of one NULL, which the driver sends as a text. */
  private static List<String> named(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("text", new Object[] {null}));
      try (ResultSet result = statement.executeQuery()) {
        return rows(result);
      }
    }
  }

  /** An index of such a class tells no rows apart by {@code =}, which keys rest on. */
  @Test
  void aUniqueIndexComparesAsItsOperatorClassDoes() throws SQLException {
    try (TestDatabase loose = TestDatabase.create()) {
      loose.execute(LOOSE);
      try (Connection cached = LarderProbe.connect(loose, "larder.invalidation=key")) {
        String name = "SELECT name FROM note WHERE code = 'abc'";
        fill(cached, name);
        fill(cached, name);
        run(
            cached,
            "INSERT INTO note VALUES (2, 'ABC', 'changed')"
                + " ON CONFLICT (code) DO UPDATE SET name = EXCLUDED.name");
        assertThat(rows(cached, name)).containsExactly("changed");

        String joined =
            "SELECT l.id, l.code, n.name FROM label l JOIN note n ON n.code = l.code"
                + " WHERE l.id = 1";
        fill(cached, joined);
        fill(cached, joined);
        run(cached, "UPDATE note SET code = 'Abc' WHERE code = 'abc'");
        assertThat(rows(cached, joined)).containsExactly("1,Abc,changed");
      }
    }
  }

  /** The driver sends UTF-8, whatever the server takes it for. */
  @Test
  void aTextInAnotherEncodingIsAnother() throws SQLException {
    String[] parameters = {"larder.invalidation=key", "allowEncodingChanges=true"};
    String list = "SELECT id, name FROM word WHERE kind = 1";
    try (Connection other = LarderProbe.connect(database, parameters)) {
      run(other, "SET client_encoding = LATIN1");
      run(connection, "INSERT INTO word VALUES ('\u00e9', 1, 'e')");
      fill(other, list);
      run(connection, "UPDATE word SET name = 'changed' WHERE id = '\u00e9'");
      assertThat(rows(other, list)).containsExactly("\u00e9,changed");

      String absent = "SELECT name FROM word WHERE id = '\u00c3\u00a8'";
      fill(connection, absent);
      run(other, "INSERT INTO word VALUES ('\u00e8', 1, 'e')");
      assertThat(rows(connection, absent)).containsExactly("e");
    }
  }

  @Test
  void aNumberThatTheDriverCutsIsAnother() throws SQLException {
    String read = "SELECT name FROM member WHERE id = 1";
    for (int type : List.of(Types.SMALLINT, Types.INTEGER)) {
      fillTwice(read);
      try (PreparedStatement update =
          connection.prepareStatement("UPDATE member SET name = ? WHERE id = ?")) {
        update.setString(1, "type " + type);
        update.setObject(2, 0x1_0000_0001L, type);
        update.executeUpdate();
      }
      assertThat(rows(connection, read)).containsExactly("type " + type);
    }
    try (PreparedStatement select =
        connection.prepareStatement("SELECT name FROM member WHERE id = ?")) {
      select.setObject(1, 0x1_0000_0001L, Types.INTEGER);
      for (int i = 0; i < 3; i++) {
        assertThat(name(select)).isEqualTo("type " + Types.INTEGER);
      }
      run(connection, "UPDATE member SET name = 'changed' WHERE id = 1");
      assertThat(name(select)).isEqualTo("changed");
    }
  }

  private static String name(PreparedStatement select) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? row.getString(1) : null;
    }
  }

  /** What the rows show is kept once its cells are there. */
  private static void fillTwice(String read) throws SQLException {
    fill(connection, read);
    run(connection, ROWS);
    fill(connection, read);
  }
}
