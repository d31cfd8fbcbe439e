package dev.larder.jdbc.replay;

import static java.sql.ResultSet.CONCUR_READ_ONLY;
import static java.sql.ResultSet.HOLD_CURSORS_OVER_COMMIT;
import static java.sql.ResultSet.TYPE_FORWARD_ONLY;

import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultLimits;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.BaseStatement;
import org.postgresql.core.Encoding;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgResultSet;

/**
 * Proves once, without a server, that the driver's result set can be taken apart and made again:
 * one row goes from a result set into a cached result and back, and is read.
 */
final class DriverCheck {
  private static final int EXPECTED = 42;
  private static final byte[] TEXT = "larder".getBytes(StandardCharsets.UTF_8);

  /** What this driver lacks, with its version; null if it lacks nothing. */
  static final @Nullable String FAILURE = run();

  private DriverCheck() {}

  @SuppressWarnings("deprecation") // It says the version in every version.
  private static @Nullable String run() {
    try {
      roundTrip();
      return null;
    } catch (ReflectiveOperationException
        | SQLException
        | RuntimeException
        | AssertionError
        | LinkageError e) {
      return "Results cannot be taken from "
          + org.postgresql.Driver.getVersion()
          + ", so nothing is cached ("
          + e
          + "). Use a version of the driver from 42.2 on that Larder was tested with.";
    }
  }

  private static void roundTrip() throws ReflectiveOperationException, SQLException {
    ResultColumns columns =
        new ResultColumns(
            List.of(
                new ResultColumn("id", 1, 1, Oid.INT4, 4, -1, true),
                new ResultColumn("name", 1, 2, Oid.TEXT, -1, -1, false)));
    byte[] number = {0, 0, 0, EXPECTED};
    byte[][][] rows = {{number, "larder".getBytes(StandardCharsets.UTF_8)}};

    PgResultSet live = resultSet(CachedResult.of(columns, new RawRows(rows), false));
    CachedResult taken = PostgresResults.take(live, ResultLimits.NONE, null);
    if (taken == null) {
      throw new AssertionError("no result is taken");
    }
    require(taken.columns().equals(columns), "columns are taken");
    PgResultSet replayed = resultSet(taken);
    require(replayed.next() && replayed.getInt("ID") == EXPECTED, "a number is read");
    require(replayed.getBytes("name") == taken.rows().value(0, 1), "text is read");
    PostgresResults.unshareRow(replayed);
    byte[] copy = replayed.getBytes(2);
    require(copy != taken.rows().value(0, 1) && Arrays.equals(copy, TEXT), "a row is copied");
    PostgresResults.unshareAll(replayed);
    require(replayed.getInt(1) == EXPECTED && !replayed.next(), "all rows are copied");
    require(live.next() && live.getInt(1) == EXPECTED, "the first result is left alone");
  }

  private static void require(boolean fact, String what) {
    if (!fact) {
      throw new AssertionError("not true: " + what);
    }
  }

  /** Makes the driver's result set as its statement would. */
  private static PgResultSet resultSet(CachedResult result) throws ReflectiveOperationException {
    BaseConnection connection =
        proxy(BaseConnection.class, (proxy, method, arguments) -> connectionAnswer(method));
    BaseStatement statement =
        proxy(
            BaseStatement.class,
            (proxy, method, arguments) ->
                method.getName().equals("getConnection") ? connection : null);
    ReplayShape shape = new ReplayShape(result.columns(), false);
    Constructor<?> constructor = PgResultSet.class.getDeclaredConstructors()[0];
    constructor.setAccessible(true);
    TupleRows rows = TupleRows.of(result.rows(), result.columns().count());
    List<Object> known = List.of(statement, shape.fields, rows, false);
    Iterator<Integer> limitsAndOptions =
        List.of(0, 0, TYPE_FORWARD_ONLY, CONCUR_READ_ONLY, HOLD_CURSORS_OVER_COMMIT).iterator();
    @Nullable Object[] arguments =
        Stream.of(constructor.getParameterTypes())
            .map(type -> type == int.class ? limitsAndOptions.next() : first(known, type))
            .toArray();
    PgResultSet made = (PgResultSet) constructor.newInstance(arguments);
    DriverInternals.setLabels(made, shape.labels);
    return made;
  }

  private static @Nullable Object first(List<Object> known, Class<?> type) {
    Class<?> boxed = MethodType.methodType(type).wrap().returnType();
    return known.stream().filter(boxed::isInstance).findFirst().orElse(null);
  }

  private static @Nullable Object connectionAnswer(Method method) {
    return switch (method.getName()) {
      case "getLogger" -> Logger.getLogger(DriverCheck.class.getName());
      case "getEncoding" -> Encoding.getJVMEncoding("UTF-8");
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private static <T> T proxy(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }
}
