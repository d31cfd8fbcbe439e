package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.BesideTheDriver;
import dev.larder.jdbc.LarderProbe;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls: what they return is the driver's, and whatever leads away from one leads to Larder. */
final class CallsTest extends BesideTheDriver {
  private static final String READ = "SELECT name FROM item ORDER BY id";

  /**
   * A value that a function returns.
   *
   * @param type as it is registered
   */
  private record Returned(String name, String expression, int type) {
    String call() {
      return "{? = call returns_" + name + "()}";
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Returned> returned() {
    return Stream.of(
        new Returned("bool", "true", Types.BOOLEAN),
        new Returned("int2", "2::smallint", Types.SMALLINT),
        new Returned("int4", "4", Types.INTEGER),
        new Returned("int8", "8::bigint", Types.BIGINT),
        new Returned("float4", "1.5::real", Types.REAL),
        new Returned("float8", "2.5::float8", Types.DOUBLE),
        new Returned("numeric", "12.340", Types.NUMERIC),
        new Returned("text", "'a text'::text", Types.VARCHAR),
        new Returned("nothing", "NULL::text", Types.VARCHAR),
        new Returned("bytea", "'\\x0102'::bytea", Types.BINARY),
        new Returned("date", "date '2024-06-01'", Types.DATE),
        new Returned("time", "time '12:34:56'", Types.TIME),
        new Returned("timestamp", "timestamp '2024-06-01 12:34:56.789'", Types.TIMESTAMP),
        new Returned("timestamptz", "timestamptz '2024-06-01 12:34:56Z'", Types.TIMESTAMP),
        new Returned("list", "'{1,2}'::int[]", Types.ARRAY),
        new Returned("xml", "'<a/>'::xml", Types.SQLXML),
        new Returned("uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", Types.OTHER),
        new Returned("rows", "items()", Types.REF_CURSOR),
        new Returned("rows_as_other", "items()", Types.OTHER),
        new Returned("mistaken", "4", Types.VARCHAR));
  }

  @Override
  protected void createMore() throws SQLException {
    database.execute(
        "CREATE FUNCTION items() RETURNS refcursor LANGUAGE plpgsql AS"
            + " 'DECLARE c refcursor; BEGIN OPEN c FOR SELECT * FROM item ORDER BY id; RETURN c; END'",
        "CREATE PROCEDURE counted(INOUT n int, OUT t text) LANGUAGE plpgsql AS"
            + " $$ BEGIN t := 'number ' || n; n := n + 1; END $$",
        "CREATE FUNCTION touch(t text) RETURNS SETOF item LANGUAGE sql AS"
            + " 'UPDATE item SET name = t WHERE id = 1 RETURNING *'");
    for (Returned value : returned().toList()) {
      String type =
          database.queryString("SELECT pg_typeof(" + value.expression() + ")::regtype::text");
      database.execute(
          "CREATE FUNCTION returns_%s() RETURNS %s LANGUAGE plpgsql AS $$ BEGIN RETURN %s; END $$"
              .formatted(value.name(), type, value.expression()));
    }
  }

  @Override
  protected void begin() throws SQLException {
    // Cursors live as long as their transaction.
    bare.setAutoCommit(false);
    larder.setAutoCommit(false);
  }

  // ---- getters

  /** A getter with all but its first argument. */
  private record Getter(Method method, Object first, List<Object> others) {
    String answer(CallableStatement call) throws Exception {
      Object[] arguments = new Object[1 + others.size()];
      arguments[0] = first;
      for (int i = 0; i < others.size(); i++) {
        arguments[i + 1] = others.get(i);
      }
      try {
        String text = text(method.invoke(call, arguments), call.getConnection());
        return text + (call.wasNull() ? " was null" : "");
      } catch (InvocationTargetException e) {
        return e.getCause() instanceof SQLException failure
            ? failure.getClass().getName() + failure.getSQLState() + failure.getMessage()
            : String.valueOf(e.getCause());
      }
    }
  }

  private static String text(Object value, Connection connection) throws Exception {
    if (value instanceof ResultSet rows) {
      assertThat(rows.getStatement().getConnection()).isSameAs(connection);
      return LarderProbe.rows(rows).toString();
    } else if (value instanceof Array array) {
      return Arrays.deepToString((Object[]) array.getArray());
    } else if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    } else if (value instanceof SQLXML xml) {
      return xml.getString();
    } else if (value instanceof InputStream bytes) {
      return Arrays.toString(bytes.readAllBytes());
    } else if (value instanceof Reader reader) {
      return read(reader);
    }
    return value + (value == null ? "" : " " + value.getClass().getName());
  }

  private static String read(Reader reader) throws IOException {
    StringWriter text = new StringWriter();
    reader.transferTo(text);
    return text.toString();
  }

  private static final Map<Class<?>, List<Object>> SECOND_ARGUMENTS =
      Map.of(
          Calendar.class, List.of(Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"))),
          Map.class, List.of(Map.of(), Map.of("text", String.class)),
          int.class, List.of(1),
          Class.class,
              List.of(
                  String.class,
                  Integer.class,
                  LocalDate.class,
                  LocalDateTime.class,
                  UUID.class,
                  ResultSet.class,
                  Object.class));

  /** Returns every getter of JDBC, by an index that is there and one that is not, and by name. */
  private static List<Getter> getters() {
    List<Getter> getters = new ArrayList<>();
    for (Method method : CallableStatement.class.getDeclaredMethods()) {
      Class<?>[] types = method.getParameterTypes();
      if (!method.getName().startsWith("get") || types.length == 0) {
        continue;
      }
      List<Object> firsts = types[0] == int.class ? List.of(1, 0, 2) : List.of("returned");
      for (Object first : firsts) {
        if (types.length == 1) {
          getters.add(new Getter(method, first, List.of()));
        } else {
          SECOND_ARGUMENTS
              .get(types[1])
              .forEach(second -> getters.add(new Getter(method, first, List.of(second))));
        }
      }
    }
    getters.sort(Comparator.comparing(getter -> getter.method().toString()));
    return getters;
  }

  private List<String> answers(Connection connection, Returned value, boolean execute)
      throws Exception {
    List<String> answers = new ArrayList<>();
    for (Getter getter : getters()) {
      try (CallableStatement call = connection.prepareCall(value.call())) {
        call.registerOutParameter(1, value.type());
        if (execute) {
          call.execute();
        }
        answers.add(getter.method() + " " + getter.answer(call));
      } catch (SQLException e) {
        answers.add(e.getClass().getName() + e.getSQLState() + e.getMessage());
      } finally {
        connection.rollback();
      }
    }
    // Portals are numbered.
    return answers.stream().map(answer -> answer.replaceAll("portal \\d+", "portal")).toList();
  }

  @ParameterizedTest
  @MethodSource("returned")
  void everyGetterAnswersAsTheDrivers(Returned value) throws Exception {
    List<String> expected = answers(bare, value, true);
    assertThat(answers(larder, value, true)).isEqualTo(expected);
    assertThat(answers(larder, value, false)).isEqualTo(answers(bare, value, false));
  }

  // ---- executions

  private static List<Object> inAndOut(Connection connection) throws SQLException {
    List<Object> answers = new ArrayList<>();
    try (CallableStatement call = connection.prepareCall("CALL counted(?, ?)")) {
      for (int n = 1; n <= 3; n++) {
        call.setInt(1, n);
        call.registerOutParameter(1, Types.INTEGER);
        call.registerOutParameter(2, Types.VARCHAR);
        answers.add(call.execute());
        answers.add(call.getInt(1));
        answers.add(call.getString(2));
        answers.add(call.getObject(1));
        answers.add(call.getUpdateCount());
        call.clearParameters();
      }
    }
    return answers;
  }

  @Test
  void everyExecutionReturnsItsOwnValues() throws SQLException {
    assertThat(inAndOut(larder))
        .isEqualTo(inAndOut(bare))
        .containsSequence(2, "number 1")
        .containsSequence(4, "number 3");
  }

  // ---- where it leads

  @Test
  void theRowsOfACallLeadBackToIt() throws SQLException {
    try (CallableStatement call = larder.prepareCall("{call touch('c')}")) {
      ResultSet rows = call.executeQuery();
      assertThat(rows.getStatement()).isSameAs(call);
      assertThat(call.getConnection()).isSameAs(larder);
      assertThat(call.isWrapperFor(CallableStatement.class)).isTrue();
      assertThat(call.unwrap(CallableStatement.class)).isSameAs(call);
      assertThat(call.isWrapperFor(CallsTest.class)).isFalse();
      rows.close();
      assertThat(call.isClosed()).isFalse();
      assertThat(call.getGeneratedKeys().getStatement()).isSameAs(call);
    }
    larder.rollback();
  }

  @Test
  void aClosedCallRefusesAsTheDriversDoes() throws SQLException {
    List<String> answers = new ArrayList<>();
    for (Connection connection : List.of(bare, larder)) {
      CallableStatement call = connection.prepareCall("{call touch('c')}");
      call.close();
      for (Ask ask :
          List.<Ask>of(
              CallableStatement::execute,
              Statement::getResultSet,
              c -> c.getObject(1),
              c -> c.unwrap(Integer.class))) {
        try {
          answers.add(String.valueOf(ask.of(call)));
        } catch (SQLException e) {
          answers.add(e.getClass().getName() + e.getSQLState() + e.getMessage());
        }
      }
    }
    assertThat(answers.subList(4, 8)).isEqualTo(answers.subList(0, 4));
  }

  private interface Ask {
    Object of(CallableStatement call) throws SQLException;
  }

  /** The rows of a call may be updatable, in both notations. */
  @Test
  void aRowThatIsWrittenThroughACallIsSeen() throws SQLException {
    larder.setAutoCommit(true);
    try (Connection reader = LarderProbe.connect(database);
        CallableStatement call =
            larder.prepareCall(
                "SELECT id, name FROM item ORDER BY id",
                ResultSet.TYPE_SCROLL_INSENSITIVE,
                ResultSet.CONCUR_UPDATABLE);
        CallableStatement held =
            larder.prepareCall(
                "SELECT id, name FROM item ORDER BY id",
                ResultSet.TYPE_SCROLL_INSENSITIVE,
                ResultSet.CONCUR_UPDATABLE,
                ResultSet.HOLD_CURSORS_OVER_COMMIT)) {
      for (CallableStatement updatable : List.of(call, held)) {
        for (String name : List.of("written", "a")) {
          LarderProbe.fill(reader, READ);
          ResultSet rows = updatable.executeQuery();
          rows.next();
          rows.updateString("name", name);
          rows.updateRow();
          assertThat(LarderProbe.rows(reader, READ)).containsExactly(name, "b");
        }
      }
    }
  }
}
