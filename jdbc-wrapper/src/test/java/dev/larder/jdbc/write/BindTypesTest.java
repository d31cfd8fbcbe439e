package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.util.PGobject;

/**
 * The server makes a value of a parameter's type before it runs the statement: what a user's type
 * runs for that is seen, though the text names no such type.
 */
@Tag("regression")
final class BindTypesTest {
  private static final String LOG = "SELECT count(*) FROM log";

  /** Of what kind a value is, and how to bind it. */
  private record Value(String kind, Binder binder) {
    @Override
    public String toString() {
      return kind;
    }
  }

  /** Binds the first parameter. */
  @FunctionalInterface
  private interface Binder {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private static TestDatabase database;
  private static Connection reader;
  private static Connection writer;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE log (x int)",
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "CREATE TABLE target (x text)",
        "INSERT INTO item VALUES (1, 'one'), (2, 'two')",
        "CREATE FUNCTION logs(int) RETURNS bool LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO public.log VALUES (1); RETURN true; END'",
        "CREATE DOMAIN logging AS int CHECK (logs(VALUE))",
        "CREATE DOMAIN logging_twice AS logging",
        "CREATE DOMAIN logging_list AS int[] CHECK (logs(1))",
        "CREATE TYPE pair AS (a int, b logging)",
        "CREATE TYPE span AS RANGE (subtype = logging, multirange_type_name = spans)",
        "CREATE TYPE plain_pair AS (a int, b text)",
        "CREATE TYPE mood AS ENUM ('sad', 'ok')",
        "CREATE DOMAIN small AS int CHECK (VALUE < 100)",
        "CREATE TYPE color AS ENUM ('red', 'green')",
        "CREATE FUNCTION same(color, color) RETURNS bool LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN random() >= 0 AND $1::text = $2::text; END'",
        "CREATE OPERATOR ~ (LEFTARG = color, RIGHTARG = color, FUNCTION = same)",
        "CREATE FUNCTION text_of(small) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1::text'",
        "CREATE FUNCTION echo(anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
        "CREATE TABLE feelings (id int PRIMARY KEY, m mood)",
        "INSERT INTO feelings VALUES (1, 'ok')");
    reader = LarderProbe.connect(database);
    writer = LarderProbe.connect(database);
  }

  @AfterAll
  static void drop() throws SQLException {
    reader.close();
    writer.close();
    database.close();
  }

  @BeforeEach
  void fillLog() throws SQLException {
    LarderProbe.awaitCatalog(reader);
    fill(reader, LOG);
  }

  private static Binder object(String type, String value) {
    return statement -> {
      PGobject object = new PGobject();
      object.setType(type);
      object.setValue(value);
      statement.setObject(1, object);
    };
  }

  private static Binder array(String type, Object... elements) {
    return statement ->
        statement.setArray(1, statement.getConnection().createArrayOf(type, elements));
  }

  static Stream<Value> logging() {
    return Stream.of(
        new Value("domain", object("logging", "1")),
        new Value("qualified domain", object("\"public\".\"logging\"", "1")),
        new Value("domain over a domain", object("logging_twice", "1")),
        new Value("domain over an array", object("logging_list", "{1}")),
        new Value("array of a domain", array("logging", 1, 2)),
        new Value("array as an object", object("_logging", "{1}")),
        new Value("composite type", object("pair", "(1,2)")),
        new Value("array of a composite type", array("pair", "(1,2)")),
        new Value("range", object("span", "[1,3]")),
        new Value("multirange", object("spans", "{[1,3]}")),
        new Value("absent domain", s -> s.setNull(1, Types.DISTINCT, "logging")),
        new Value("class of a user's", s -> s.setObject(1, new Logging())));
  }

  /** A class for values of a type. */
  public static final class Logging extends PGobject {
    private static final long serialVersionUID = 1;

    public Logging() throws SQLException {
      setType("logging");
      setValue("1");
    }
  }

  @ParameterizedTest
  @MethodSource("logging")
  void whatAQueryWritesByTheTypeOfAParameterIsSeen(Value value) throws SQLException {
    for (int i = 0; i < 2; i++) {
      fill(reader, LOG);
      long before = hits(reader);
      try (PreparedStatement select =
          writer.prepareStatement("SELECT name FROM item WHERE ? IS NULL OR id = 1")) {
        value.binder.bind(select);
        assertThat(rows(select.executeQuery())).contains("one");
      }
      assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
      assertThat(hits(reader)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @MethodSource("logging")
  void whatAnUpdateWritesByTheTypeOfAParameterIsSeen(Value value) throws SQLException {
    try (PreparedStatement update =
        writer.prepareStatement("UPDATE target SET x = 'x' WHERE ? IS NULL")) {
      value.binder.bind(update);
      update.executeUpdate();
    }
    assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
  }

  @Test
  void whatABatchWritesIsSeenThoughItsLastValueIsPlain() throws SQLException {
    try (PreparedStatement insert =
        writer.prepareStatement("INSERT INTO target SELECT 'x' WHERE ? IS NULL")) {
      object("logging", "1").bind(insert);
      insert.addBatch();
      insert.setInt(1, 1);
      insert.addBatch();
      insert.executeBatch();
    }
    assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
  }

  @Test
  void whatACallWritesIsSeen() throws SQLException {
    try (CallableStatement call = writer.prepareCall("{? = call echo(?)}")) {
      call.registerOutParameter(1, Types.INTEGER);
      PGobject object = new PGobject();
      object.setType("logging");
      object.setValue("1");
      call.setObject(2, object);
      call.execute();
    }
    assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
  }

  @Test
  void whatIsWrittenInATransactionIsSeenOnceItCommits() throws SQLException {
    writer.setAutoCommit(false);
    try (PreparedStatement select =
        writer.prepareStatement("SELECT name FROM item WHERE id = 1 OR ? IS NULL")) {
      object("logging", "1").bind(select);
      assertThat(rows(select.executeQuery())).containsExactly("one");
    }
    assertThat(LarderProbe.isHit(reader, LOG)).as("nothing is committed yet").isTrue();
    writer.commit();
    writer.setAutoCommit(true);
    assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
  }

  /** One statement, bound to one type after the other. */
  @Test
  void aStatementIsJudgedByTheTypesOfEachExecution() throws SQLException {
    try (PreparedStatement select =
        writer.prepareStatement("SELECT name FROM item WHERE id = 2 AND ? IS NOT NULL")) {
      Binder plain = s -> s.setInt(1, 7);
      Binder writing = object("logging", "7");
      for (Binder binder : List.of(plain, plain, writing, plain, writing, writing, plain)) {
        fill(reader, LOG);
        binder.bind(select);
        assertThat(rows(select.executeQuery())).containsExactly("two");
        assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
      }
      LarderProbe.awaitCatalog(writer);
      plain.bind(select);
      select.executeQuery().close();
      assertIsHit(select);
    }
  }

  /** Reads what is in memory although it is bound to another type than the columns have. */
  static Stream<Value> quiet() {
    return Stream.of(
        new Value("enum", object("mood", "ok")),
        new Value("array of an enum", array("mood", "ok", "sad")),
        new Value("composite type", object("plain_pair", "(1,x)")),
        new Value("domain", object("small", "7")),
        new Value("json", object("jsonb", "{\"a\": 1}")),
        new Value("numbers", array("int4", 1, 2)));
  }

  @ParameterizedTest
  @MethodSource("quiet")
  void whatRunsNothingIsCached(Value value) throws SQLException {
    try (PreparedStatement select =
        writer.prepareStatement("SELECT name FROM item WHERE ? IS NOT NULL ORDER BY id")) {
      for (int i = 0; i < 2; i++) {
        value.binder.bind(select);
        assertThat(rows(select.executeQuery())).containsExactly("one", "two");
      }
      value.binder.bind(select);
      assertIsHit(select);
    }
  }

  @Test
  void aValueOfTheTypeOfAColumnIsCached() throws SQLException {
    try (PreparedStatement select =
        writer.prepareStatement("SELECT id FROM feelings WHERE m = ?")) {
      for (int i = 0; i < 2; i++) {
        object("mood", "ok").bind(select);
        assertThat(rows(select.executeQuery())).containsExactly("1");
      }
      object("mood", "ok").bind(select);
      assertIsHit(select);
    }
  }

  /** Beside a column of another type, too, the type of the parameter chooses the operator. */
  @Test
  void anOperatorThatOnlyTheTypeOfAParameterChoosesIsSeen() throws SQLException {
    String[] queries = {
      "SELECT name FROM item WHERE name ~ 'one' AND ? ~ 'red'",
      "SELECT name FROM item WHERE id = 1 AND 'red' ~ ?"
    };
    for (String query : queries) {
      try (PreparedStatement select = writer.prepareStatement(query)) {
        for (int i = 0; i < 3; i++) {
          long before = hits(writer);
          object("color", "red").bind(select);
          assertThat(rows(select.executeQuery())).containsExactly("one");
          assertThat(hits(writer)).isEqualTo(before);
        }
      }
    }
  }

  /** Another session makes a type, which the catalog as it is known here does not have. */
  @Test
  void aTypeThatIsNotKnownYetMayDoAnything() throws SQLException {
    database.execute("CREATE DOMAIN logging_new AS int CHECK (logs(VALUE))");
    try (PreparedStatement select =
        writer.prepareStatement("SELECT name FROM item WHERE id = 1 OR ? IS NULL")) {
      object("logging_new", "1").bind(select);
      assertThat(rows(select.executeQuery())).containsExactly("one");
    }
    assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
  }

  /** The text of a multirange makes values of the type that it is of, too. */
  @Test
  void aMultirangeThatTheTextNamesIsSeen() throws SQLException {
    String sql = "SELECT name FROM item WHERE id = 1 AND '{[1,3]}'::spans IS NOT NULL";
    assertThat(rows(writer, sql)).containsExactly("one");
    assertThat(rows(reader, LOG)).containsExactly(database.queryString(LOG));
  }

  @Test
  void theReasonIsSaid() throws SQLException {
    String sql = "SELECT name AS said FROM item WHERE id = 1 OR ? IS NULL";
    try (PreparedStatement select = writer.prepareStatement(sql)) {
      object("logging", "1").bind(select);
      assertThat(rows(select.executeQuery())).containsExactly("one");
    }
    assertThat(LarderProbe.reason(writer, sql).split("]", -1))
        .filteredOn(shape -> shape.contains("AS said"))
        .singleElement()
        .asString()
        .contains(BypassReason.OPERATOR.description());
  }

  private static void assertIsHit(PreparedStatement select) throws SQLException {
    long before = hits(writer);
    select.executeQuery().close();
    assertThat(hits(writer)).isEqualTo(before + 1);
  }
}
