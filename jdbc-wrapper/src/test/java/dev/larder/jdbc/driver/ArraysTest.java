package dev.larder.jdbc.driver;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgArray;

/** The arrays that Larder hands out: they are the driver's, but lead back to Larder. */
@Tag("regression")
final class ArraysTest {
  private static final String NAME = "SELECT name FROM item";
  private static final String LIST = "SELECT numbers, names, grid FROM list WHERE id = ?";

  private TestDatabase database;
  private Connection writer;
  private Connection reader;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('first')",
        "CREATE TABLE list (id int PRIMARY KEY, numbers int[], names text[], grid int[])",
        "INSERT INTO list VALUES (1, '{1,2}', '{a,NULL}', '{{1,2},{3,4}}')",
        "CREATE FUNCTION numbers() RETURNS int[] IMMUTABLE LANGUAGE sql AS"
            + " $$ SELECT '{1,2}'::int[] $$");
    reader = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    if (writer != null) {
      writer.close();
    }
    reader.close();
    database.close();
  }

  /** Connects, and has the format of the array's query be known. */
  private void connectWriter(String format) throws SQLException {
    writer = LarderProbe.connect(database, format);
    row(writer);
  }

  /** A way to an array. */
  private interface Way {
    Array array(Connection larder) throws SQLException;
  }

  private static Named<Way> named(String name, Way way) {
    return Named.of(name, way);
  }

  private static Stream<Named<Way>> ofRows() {
    return Stream.of(
        named("getArray by number", c -> row(c).getArray(1)),
        named("getArray by label", c -> row(c).getArray("names")),
        named("getObject by number", c -> (Array) row(c).getObject(1)),
        named("getObject by label", c -> (Array) row(c).getObject("names")),
        named("getObject by number and map", c -> (Array) row(c).getObject(1, Map.of())),
        named("getObject by label and map", c -> (Array) row(c).getObject("names", Map.of())),
        named("getObject by number and class", c -> row(c).getObject(1, Array.class)),
        named("getObject by label and class", c -> row(c).getObject("names", Array.class)),
        named("getArray of an array's rows", c -> (Array) elements(row(c).getArray("grid"))));
  }

  private static Stream<Named<Way>> ofOthers() {
    return Stream.of(
        named("createArrayOf", c -> c.createArrayOf("int4", new Object[] {1, 2})),
        named(
            "the driver's createArrayOf",
            c -> c.unwrap(PGConnection.class).createArrayOf("int4", new int[] {1, 2})),
        named("call's getArray", c -> call(c).getArray(1)),
        named("call's getObject", c -> (Array) call(c).getObject(1)),
        named("call's getObject by map", c -> (Array) call(c).getObject(1, Map.of())));
  }

  private static Object elements(Array grid) throws SQLException {
    ResultSet rows = grid.getResultSet();
    assertThat(rows.next()).isTrue();
    return rows.getObject(2);
  }

  private static ResultSet row(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(LIST);
    statement.setInt(1, 1);
    ResultSet row = statement.executeQuery();
    assertThat(row.next()).isTrue();
    return row;
  }

  private static CallableStatement call(Connection connection) throws SQLException {
    CallableStatement call = connection.prepareCall("{? = call numbers()}");
    call.registerOutParameter(1, Types.ARRAY);
    call.execute();
    return call;
  }

  static Stream<Arguments> ways() {
    return Stream.of("prepareThreshold=-1", "prepareThreshold=0")
        .flatMap(
            format -> Stream.concat(ofRows(), ofOthers()).map(way -> Arguments.of(format, way)));
  }

  static Stream<Arguments> waysOfRows() {
    return Stream.of("prepareThreshold=-1", "prepareThreshold=0")
        .flatMap(format -> ofRows().map(way -> Arguments.of(format, way)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whatIsWrittenThroughAnArrayIsSeen(String format, Way way) throws SQLException {
    connectWriter(format);
    assertLeadsBack(way.array(writer));
  }

  @ParameterizedTest
  @MethodSource("waysOfRows")
  void whatIsWrittenThroughAnArrayOfAHitIsSeen(String format, Way way) throws SQLException {
    connectWriter(format);
    way.array(writer);
    long before = LarderProbe.hits(writer);
    Array array = way.array(writer);
    assertThat(LarderProbe.hits(writer)).isGreaterThan(before);
    assertLeadsBack(array);
  }

  private void assertLeadsBack(Array array) throws SQLException {
    fill(reader, NAME);
    try (ResultSet elements = array.getResultSet()) {
      Connection connection = elements.getStatement().getConnection();
      run(connection, "UPDATE item SET name = 'second'");
      assertThat(rows(reader, NAME)).containsExactly("second");
      assertThat(connection).isSameAs(writer);
    }
    fill(reader, NAME);
    try (ResultSet elements = array.getResultSet(1, 1, null)) {
      elements.getStatement().executeUpdate("UPDATE item SET name = 'third'");
    }
    assertThat(rows(reader, NAME)).containsExactly("third");
  }

  @ParameterizedTest
  @ValueSource(strings = {"prepareThreshold=-1", "prepareThreshold=0"})
  void anArrayAnswersAsTheDrivers(String format) throws SQLException {
    connectWriter(format);
    try (Connection bare = DriverManager.getConnection(database.url() + "&" + format)) {
      for (String label : List.of("numbers", "names", "grid")) {
        List<String> expected = answers((PgArray) row(bare).getArray(label));
        assertThat(answers((PgArray) row(writer).getArray(label))).isEqualTo(expected);
        long before = LarderProbe.hits(writer);
        assertThat(answers((PgArray) row(writer).getArray(label))).isEqualTo(expected);
        assertThat(LarderProbe.hits(writer)).isGreaterThan(before);
      }
    }
  }

  /** A question to an array. */
  private interface Question {
    Object ask(PgArray array) throws SQLException;
  }

  private static List<String> answers(PgArray array) {
    List<Question> questions =
        List.of(
            PgArray::getBaseType,
            PgArray::getBaseTypeName,
            PgArray::isBinary,
            PgArray::toBytes,
            PgArray::toString,
            a -> a.getArray(),
            a -> a.getArray(2, 1),
            a -> a.getArray(0, 1),
            a -> a.getArray(Map.of()),
            a -> a.getArray(1, 1, Map.of()),
            a -> a.getArray(Map.of("text", String.class)),
            a -> a.getArrayImpl(Map.of()),
            a -> a.getResultSet(),
            a -> a.getResultSet(2, 1),
            a -> a.getResultSet(0, 1),
            a -> a.getResultSet(Map.of()),
            a -> a.getResultSet(1, 1, Map.of()),
            a -> a.getResultSet(Map.of("text", String.class)),
            a -> a.getResultSetImpl(Map.of()),
            a -> {
              a.free();
              return a.toString();
            },
            a -> a.toBytes(),
            a -> a.getArray());
    List<String> answers = new ArrayList<>();
    for (Question question : questions) {
      try {
        Object answer = question.ask(array);
        answers.add(
            answer instanceof ResultSet elements
                ? rows(elements).toString()
                : Arrays.deepToString(new Object[] {answer}));
      } catch (SQLException e) {
        answers.add(e.getClass().getName() + e.getSQLState() + e.getMessage());
      }
    }
    return answers;
  }

  @Test
  void anArrayOfAHitIsAValueAndPartOfAKey() throws SQLException {
    connectWriter("prepareThreshold=-1");
    fill(writer, "SELECT numbers FROM list");
    String sql = "SELECT name FROM item WHERE ?::text[] IS NOT NULL";
    try (PreparedStatement statement = writer.prepareStatement(sql)) {
      for (int i = 0; i < 3; i++) {
        statement.setArray(1, row(writer).getArray("names"));
        assertThat(rows(statement.executeQuery())).containsExactly("first");
        statement.setObject(1, row(writer).getArray("names"));
        long before = LarderProbe.hits(writer);
        assertThat(rows(statement.executeQuery())).containsExactly("first");
        assertThat(LarderProbe.hits(writer)).isGreaterThan(before);
      }
    }
    try (Statement statement =
            writer.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE);
        ResultSet row = statement.executeQuery("SELECT id, numbers, names FROM list")) {
      assertThat(row.next()).isTrue();
      row.updateArray(2, (Array) elements(row(writer).getArray("grid")));
      row.updateObject(3, writer.createArrayOf("text", new Object[] {"b"}));
      row.updateRow();
    }
    assertThat(rows(writer, "SELECT numbers::text, names::text FROM list"))
        .containsExactly("{1,2},{b}");
  }

  @Test
  void aRefusedUnwrapDoesNotRefuseArrays() throws SQLException {
    connectWriter("larder.unwrap=refuse");
    fill(reader, NAME);
    try (ResultSet elements = row(writer).getArray(1).getResultSet()) {
      assertThat(elements.next()).isTrue();
      assertThatThrownBy(
              () -> elements.getStatement().unwrap(org.postgresql.jdbc.PgStatement.class))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
    assertThat(isHit(reader, NAME)).isTrue();
  }
}
