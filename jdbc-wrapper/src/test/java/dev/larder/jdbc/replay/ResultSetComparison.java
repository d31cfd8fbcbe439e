package dev.larder.jdbc.replay;

import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.geometric.PGpoint;
import org.postgresql.geometric.PGpolygon;
import org.postgresql.jdbc.PgArray;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGmoney;
import org.postgresql.util.PGobject;

/**
 * Compares two result sets by everything that can be asked of them: every getter with every index
 * and label, every class, calendars, wasNull, positions, metadata, what updaters of read-only
 * results throw, and what a closed one throws. Values count by class and content, exceptions by
 * class, SQLState, message and cause.
 */
public final class ResultSetComparison {
  private static final Pattern ARRAY_IDENTITY = Pattern.compile("\\[B@[0-9a-f]+");
  private static final List<String> SPELLED = List.of("findColumn", "getString", "getInt");
  private static final Map<Class<?>, List<Method>> METHODS = new ConcurrentHashMap<>();
  private static final int FEW_LABELS = 12;
  private static final int MAX_DIFFERENCES = 100;

  private static final List<Class<?>> TARGETS =
      List.of(
          String.class,
          Integer.class,
          Long.class,
          Short.class,
          Byte.class,
          Boolean.class,
          Float.class,
          Double.class,
          BigDecimal.class,
          BigInteger.class,
          byte[].class,
          int.class,
          Integer[].class,
          String[].class,
          java.sql.Date.class,
          Time.class,
          Timestamp.class,
          Calendar.class,
          java.util.Date.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          OffsetTime.class,
          ZonedDateTime.class,
          Instant.class,
          UUID.class,
          Array.class,
          SQLXML.class,
          Blob.class,
          Clob.class,
          NClob.class,
          RowId.class,
          URL.class,
          InputStream.class,
          Reader.class,
          ResultSet.class,
          Object.class,
          Map.class,
          PGobject.class,
          PGpoint.class,
          PGpolygon.class,
          PGInterval.class,
          PGmoney.class);

  private static final List<@Nullable Calendar> CALENDARS =
      Arrays.asList(
          null,
          Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.ROOT),
          Calendar.getInstance(TimeZone.getTimeZone("America/St_Johns"), Locale.ROOT));

  private final ResultSet expected;
  private final ResultSet actual;
  private final List<String> differences = new ArrayList<>();
  private long answers;

  private ResultSetComparison(ResultSet expected, ResultSet actual) {
    this.expected = expected;
    this.actual = actual;
  }

  /**
   * What a comparison found.
   *
   * @param answers how many answers were compared
   * @param differences the first of those that were not the same, with both answers
   */
  public record Report(long answers, List<String> differences) {}

  /**
   * Compares two results that are before their first row, reads them to the end, closes them.
   *
   * <p>Most answers are exceptions, and what one costs is the depth of the stack: a thread of its
   * own has a tenth of the depth of a test.
   */
  public static Report compare(ResultSet expected, ResultSet actual) throws SQLException {
    ResultSetComparison comparison = new ResultSetComparison(expected, actual);
    FutureTask<Report> comparing = new FutureTask<>(comparison::compareAll);
    new Thread(comparing, "comparison").start();
    try {
      return comparing.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new SQLException(e);
    }
  }

  private Report compareAll() throws SQLException {
    int columns = expected.getMetaData().getColumnCount();
    compareMetaData(columns);
    compareState("before the first row");
    compareValues("before the first row", columns, false);
    boolean scrollable = expected.getType() != ResultSet.TYPE_FORWARD_ONLY;
    for (int row = 1; sameAnswer("next to " + row, ResultSet::next); row++) {
      compareState("row " + row);
      compareValues("row " + row, columns, true);
    }
    compareState("after the last row");
    compareValues("after the last row", columns, false);
    compareNavigation(columns, scrollable);
    compareUpdaters();
    expected.close();
    actual.close();
    compareState("closed");
    compareValues("closed", columns, false);
    return new Report(answers, List.copyOf(differences));
  }

  private void compareMetaData(int columns) throws SQLException {
    ResultSetMetaData left = expected.getMetaData();
    ResultSetMetaData right = actual.getMetaData();
    for (Class<?> type : List.of(ResultSetMetaData.class, PGResultSetMetaData.class)) {
      for (Method method : methods(type)) {
        if (method.getParameterCount() == 0) {
          check("metadata." + method.getName(), call(left, method), call(right, method));
        } else if (method.getParameterTypes()[0] == int.class) {
          for (int column = 0; column <= columns + 1; column++) {
            check(
                "metadata." + method.getName() + "(" + column + ")",
                call(left, method, column),
                call(right, method, column));
          }
        }
      }
    }
  }

  /** Every question without an argument that changes nothing. */
  private void compareState(String place) {
    for (Method method : methods(ResultSet.class)) {
      boolean question =
          method.getParameterCount() == 0
              && (method.getName().startsWith("get")
                  || method.getName().startsWith("is")
                  || method.getName().startsWith("row")
                  || method.getName().equals("wasNull"));
      if (question && !method.getName().equals("getStatement")) {
        check(place + "." + method.getName(), call(expected, method), call(actual, method));
      }
    }
  }

  private void compareValues(String place, int columns, boolean thorough) throws SQLException {
    List<Object> indexes = new ArrayList<>(List.of(-1, 0, 1, columns + 1));
    List<@Nullable Object> labels = new ArrayList<>(Arrays.asList("no_such_label", "", null));
    List<Object> spellings = new ArrayList<>();
    ResultSetMetaData metaData = thorough ? expected.getMetaData() : null;
    for (int column = 1; metaData != null && column <= columns; column++) {
      String label = metaData.getColumnLabel(column);
      indexes.add(column);
      labels.add(label);
      spellings.add(label.toUpperCase(Locale.ROOT));
      spellings.add(label.toLowerCase(Locale.ROOT));
    }
    for (Method method : methods(ResultSet.class)) {
      if (method.getName().startsWith("get") || method.getName().equals("findColumn")) {
        boolean byIndex =
            method.getParameterCount() > 0 && method.getParameterTypes()[0] == int.class;
        // A label leads to its index: with many second arguments a few labels are enough.
        boolean few = !byIndex && method.getParameterCount() > 1 && labels.size() > FEW_LABELS;
        List<? extends @Nullable Object> columnsToAsk =
            byIndex ? indexes : few ? labels.subList(0, FEW_LABELS) : labels;
        for (Object[] arguments : arguments(method, columnsToAsk)) {
          compareGetter(place, method, arguments);
        }
        if (SPELLED.contains(method.getName()) && method.getParameterCount() == 1 && !byIndex) {
          for (Object[] arguments : arguments(method, spellings)) {
            compareGetter(place, method, arguments);
          }
        }
      }
    }
  }

  private void compareGetter(String place, Method method, @Nullable Object[] arguments) {
    String what = place + "." + method.getName() + describe(arguments);
    check(what, call(expected, method, arguments), call(actual, method, arguments));
    check(what + ".wasNull", wasNull(expected), wasNull(actual));
  }

  private static List<@Nullable Object[]> arguments(
      Method method, List<? extends @Nullable Object> columns) {
    Class<?>[] types = method.getParameterTypes();
    List<@Nullable Object[]> all = new ArrayList<>();
    if (types.length == 0) {
      return all;
    }
    for (@Nullable Object column : columns) {
      if (types.length == 1) {
        all.add(new @Nullable Object[] {column});
        continue;
      }
      for (@Nullable Object more : seconds(types[1])) {
        all.add(new @Nullable Object[] {column, more});
      }
    }
    return all;
  }

  private static List<? extends @Nullable Object> seconds(Class<?> type) {
    if (type == Class.class) {
      List<@Nullable Object> classes = new ArrayList<>(TARGETS);
      classes.add(null);
      return classes;
    } else if (type == Calendar.class) {
      return CALENDARS;
    } else if (type == Map.class) {
      return Arrays.asList(null, Map.of(), Map.of("mood", String.class));
    }
    return List.of(0, 2, -1);
  }

  private void compareNavigation(int columns, boolean scrollable) {
    check("scrollable", scrollable, scrollable);
    List<Move> moves =
        List.of(
            new Move("previous", ResultSet::previous),
            new Move("first", ResultSet::first),
            new Move("relative(1)", rows -> rows.relative(1)),
            new Move("last", ResultSet::last),
            new Move("next", ResultSet::next),
            new Move("previous", ResultSet::previous),
            new Move("relative(-1)", rows -> rows.relative(-1)),
            new Move("relative(0)", rows -> rows.relative(0)),
            new Move("absolute(2)", rows -> rows.absolute(2)),
            new Move("absolute(-1)", rows -> rows.absolute(-1)),
            new Move("absolute(0)", rows -> rows.absolute(0)),
            new Move("absolute(99)", rows -> rows.absolute(99)),
            new Move("absolute(-99)", rows -> rows.absolute(-99)),
            new Move("afterLast", rows -> done(rows::afterLast)),
            new Move("beforeFirst", rows -> done(rows::beforeFirst)),
            new Move("reverse", rows -> done(() -> rows.setFetchDirection(1001))),
            new Move("fetchSize", rows -> done(() -> rows.setFetchSize(7))),
            new Move("negative fetchSize", rows -> done(() -> rows.setFetchSize(-7))),
            new Move("refreshRow", rows -> done(rows::refreshRow)));
    for (Move move : moves) {
      check(move.name, call(expected, move.action), call(actual, move.action));
      compareState("after " + move.name);
      if (columns > 0) {
        check(
            "value after " + move.name,
            call(expected, rows -> rows.getString(1)),
            call(actual, rows -> rows.getString(1)));
      }
    }
  }

  private void compareUpdaters() {
    for (Method method : methods(ResultSet.class)) {
      String name = method.getName();
      if (name.startsWith("update")
          || name.startsWith("moveTo")
          || List.of("insertRow", "deleteRow", "cancelRowUpdates").contains(name)) {
        @Nullable Object[] arguments =
            Stream.of(method.getParameterTypes()).map(ResultSetComparison::anyValue).toArray();
        check(name, call(expected, method, arguments), call(actual, method, arguments));
      }
    }
  }

  private static @Nullable Object anyValue(Class<?> type) {
    if (type == String.class) {
      return "id";
    } else if (type == boolean.class) {
      return true;
    } else if (type == byte.class) {
      return (byte) 1;
    } else if (type == short.class) {
      return (short) 1;
    } else if (type == int.class) {
      return 1;
    } else if (type == long.class) {
      return 1L;
    } else if (type == float.class) {
      return 1f;
    }
    return type == double.class ? 1d : null;
  }

  private boolean sameAnswer(String what, Question question) {
    Object left = call(expected, question);
    check(what, left, call(actual, question));
    return Boolean.TRUE.toString().equals(String.valueOf(left).replace("java.lang.Boolean:", ""));
  }

  private void check(String what, @Nullable Object left, @Nullable Object right) {
    answers++;
    if (!Objects.equals(left, right) && differences.size() < MAX_DIFFERENCES) {
      differences.add(what + ": expected <" + left + "> but was <" + right + ">");
    }
  }

  private static List<Method> methods(Class<?> type) {
    return METHODS.computeIfAbsent(type, ResultSetComparison::findMethods);
  }

  private static List<Method> findMethods(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(
            method -> !method.getName().endsWith("rap") && !method.getName().equals("isWrapperFor"))
        .sorted(Comparator.comparing(Method::toString))
        .toList();
  }

  private static String wasNull(ResultSet result) {
    return call(result, ResultSet::wasNull);
  }

  private static String call(Object target, Method method, @Nullable Object... arguments) {
    try {
      return anonymous(describeValue(method.invoke(target, arguments)));
    } catch (InvocationTargetException e) {
      return anonymous(describeFailure(e.getCause()));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static String call(ResultSet target, Question question) {
    try {
      return describeValue(question.ask(target));
    } catch (SQLException | RuntimeException e) {
      return describeFailure(e);
    }
  }

  /** The driver's text of a binary bytea is the identity of an array. */
  private static String anonymous(String answer) {
    return ARRAY_IDENTITY.matcher(answer).replaceAll("[B@");
  }

  private static boolean done(Action action) throws SQLException {
    action.run();
    return true;
  }

  private static String describe(@Nullable Object[] arguments) {
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      boolean calendar = argument instanceof Calendar;
      texts.add(calendar ? ((Calendar) argument).getTimeZone().getID() : String.valueOf(argument));
    }
    return texts.toString();
  }

  private static String describeFailure(@Nullable Throwable failure) {
    if (failure == null) {
      return "no cause";
    }
    String state =
        failure instanceof SQLException sql ? sql.getSQLState() + "/" + sql.getErrorCode() : "";
    String cause =
        failure.getCause() == null ? "" : " caused by " + describeFailure(failure.getCause());
    // HotSpot throws its own exceptions without a message once it has compiled their place.
    boolean ofTheMachine =
        failure instanceof NullPointerException
            || failure instanceof IndexOutOfBoundsException
            || failure instanceof ClassCastException;
    String message = ofTheMachine ? "" : failure.getMessage();
    return "throws " + failure.getClass().getName() + " " + state + " " + message + cause;
  }

  /** Describes a value by class and content. Objects that lead to the server count by class. */
  static String describeValue(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    // Larder's are of a class of its own below the driver's.
    Class<?> like = value instanceof PgArray ? PgArray.class : value.getClass();
    String type = like.getName() + ":";
    try {
      return type + content(value);
    } catch (SQLException | java.io.IOException | RuntimeException e) {
      return type + describeFailure(e);
    }
  }

  private static String content(Object value) throws SQLException, java.io.IOException {
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    } else if (value instanceof Object[] elements) {
      return Stream.of(elements).map(ResultSetComparison::describeValue).toList().toString();
    } else if (value instanceof InputStream stream) {
      return new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
    } else if (value instanceof Reader reader) {
      StringWriter text = new StringWriter();
      reader.transferTo(text);
      return text.toString();
    } else if (value instanceof Array array) {
      return describeArray(array);
    } else if (value instanceof SQLXML xml) {
      return xml.getString();
    } else if (value instanceof PGobject object) {
      return object.getType() + "=" + object.getValue();
    } else if (value instanceof java.util.Date date) {
      return date.getTime() + " " + date;
    } else if (value instanceof Calendar calendar) {
      return calendar.getTimeInMillis() + " " + calendar.getTimeZone().getID();
    } else if (value instanceof Map<?, ?> map) {
      return new TreeMap<>(map).toString();
    } else if (value instanceof Blob
        || value instanceof Clob
        || value instanceof ResultSetMetaData
        || value instanceof Statement) {
      return "";
    }
    return value.toString();
  }

  private static String describeArray(Array array) throws SQLException {
    StringBuilder text = new StringBuilder();
    text.append(array.getBaseType()).append(array.getBaseTypeName());
    if (array instanceof PgArray binary && binary.isBinary() && !isArray(binary.toBytes())) {
      return text.append(describeValue(binary.toBytes())).toString();
    }
    text.append(array);
    text.append(describeValue(call(() -> array.getArray())));
    try (ResultSet elements = array.getResultSet()) {
      while (elements.next()) {
        text.append(elements.getInt(1)).append('=').append(describeValue(elements.getObject(2)));
      }
    } catch (SQLException e) {
      text.append(describeFailure(e));
    }
    return text.toString();
  }

  /**
   * The driver makes arrays of any column and reads dimensions and sizes out of what is none, until
   * the heap is full.
   */
  private static boolean isArray(byte[] value) {
    ByteBuffer header = ByteBuffer.wrap(value);
    if (value.length < 12 || header.getInt(0) < 0 || header.getInt(0) > 6 || header.getInt(4) > 1) {
      return false;
    }
    long elements = 1;
    for (int dimension = 0; dimension < header.getInt(0); dimension++) {
      int at = 12 + 8 * dimension;
      elements *= at + 8 <= value.length ? header.getInt(at) : Integer.MAX_VALUE;
    }
    return elements * Integer.BYTES <= value.length;
  }

  private static Object call(ArrayContent content) {
    try {
      return content.get();
    } catch (SQLException e) {
      return describeFailure(e);
    }
  }

  private record Move(String name, Question action) {}

  /** Asks a result set something. */
  @FunctionalInterface
  private interface Question {
    Object ask(ResultSet result) throws SQLException;
  }

  /** Does something to a result set. */
  @FunctionalInterface
  private interface Action {
    void run() throws SQLException;
  }

  /** Decodes an array. */
  @FunctionalInterface
  private interface ArrayContent {
    Object get() throws SQLException;
  }
}
