package dev.larder.jdbc.gate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyDual;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.QueryExecutor;

/**
 * The driver's interface {@link BaseConnection} of a connection, for the application: what JDBC and
 * {@link org.postgresql.PGConnection} have is Larder's, COPY and calls of functions go through the
 * gate, and what may write unseen counts as unwrapping the driver's class. As thread-safe as the
 * driver's.
 */
public final class GatedBaseConnection implements InvocationHandler {
  /** What begins so reads what the driver knows, or makes an object that is sent by another. */
  private static final Set<String> HARMLESS =
      Set.of("get", "is", "have", "encode", "escape", "binary", "use", "hint", "will", "create");

  /** So does this, or it ends a statement or the connection. */
  private static final Set<String> OTHERS_HARMLESS =
      Set.of(
          "addTimerTask",
          "purgeTimerTasks",
          "wrap",
          "sendQueryCancel",
          "abort",
          "close",
          "setNetworkTimeout");

  private final GatedPgConnection connection;
  private final BaseConnection driver;

  private GatedBaseConnection(GatedPgConnection connection) {
    this.connection = connection;
    this.driver = connection.session().driver();
  }

  /** Returns that of {@code connection}. */
  static BaseConnection of(GatedPgConnection connection) {
    return proxy(BaseConnection.class, new GatedBaseConnection(connection));
  }

  /** Returns that of {@code connection}, or null where {@code type} is another class. */
  public static <T> @Nullable T as(Class<T> type, GatedPgConnection connection) {
    return type == BaseConnection.class && !type.isInstance(connection)
        ? type.cast(of(connection))
        : null;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(this, proxy, method, arguments);
    }
    if (method.getDeclaringClass().isInstance(connection)) {
      return call(connection, method, arguments);
    }
    return switch (method.getName()) {
      case "cancelQuery" -> call(driver, method, arguments);
      case "getQueryExecutor" ->
          proxy(QueryExecutor.class, (self, called, with) -> execute(self, called, with));
      case "execSQLQuery", "execSQLUpdate" -> {
        String sql = String.valueOf(Objects.requireNonNull(arguments)[0]);
        yield passed(sql, method, arguments);
      }
      default -> called(driver, method, arguments);
    };
  }

  private @Nullable Object passed(String sql, Method method, @Nullable Object[] arguments)
      throws Throwable {
    StatementGate.Passage passage = connection.gate().enter(sql, true);
    Throwable thrown = null;
    try {
      Object answer = call(driver, method, arguments);
      return answer instanceof ResultSet rows ? connection.leadRows(rows) : answer;
    } catch (Throwable e) {
      thrown = e;
      throw e;
    } finally {
      passage.leave(thrown);
    }
  }

  private @Nullable Object execute(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(this, proxy, method, arguments);
    }
    QueryExecutor executor = driver.getQueryExecutor();
    return switch (method.getName()) {
      case "startCopy" -> {
        Object[] given = Objects.requireNonNull(arguments);
        yield copy(executor, String.valueOf(given[0]), (boolean) Objects.requireNonNull(given[1]));
      }
      case "fastpathCall" ->
          StatementGate.within(
              entered(null, Objects.requireNonNull(arguments)[2]),
              () -> sent(executor, method, arguments));
      case "getNotifications" -> connection.getNotifications();
      case "processNotifies" -> {
        connection.gate().touched();
        yield call(executor, method, arguments);
      }
      default -> called(executor, method, arguments);
    };
  }

  /** Announces what is sent with BEGIN where that is due, or without. */
  private StatementGate.Passage entered(@Nullable String sql, @Nullable Object noBegin)
      throws SQLException {
    return connection.gate().enter(sql, Boolean.TRUE.equals(noBegin));
  }

  private @Nullable CopyOperation copy(QueryExecutor executor, String sql, boolean noBegin)
      throws SQLException {
    StatementGate.Passage passage = entered(sql, noBegin);
    try {
      CopyOperation copy = executor.startCopy(sql, noBegin);
      if (copy == null) {
        passage.leave(null);
        return null;
      }
      Class<? extends CopyOperation> type =
          copy instanceof CopyDual
              ? CopyDual.class
              : copy instanceof CopyIn ? CopyIn.class : CopyOut.class;
      return proxy(type, new AnnouncedCopy(copy, passage));
    } catch (SQLException | RuntimeException | Error e) {
      passage.leave(e);
      throw e;
    }
  }

  /** Calls what only reads; before anything else, writes may be unseen from now on. */
  private @Nullable Object called(
      Object object, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    String name = method.getName();
    boolean harmless =
        OTHERS_HARMLESS.contains(name) || HARMLESS.stream().anyMatch(name::startsWith);
    if (!harmless) {
      connection.beforeUnwrap(BaseConnection.class);
    }
    return call(object, method, arguments);
  }

  private static Object ofObject(
      GatedBaseConnection gated, Object proxy, Method method, @Nullable Object @Nullable [] with) {
    return switch (method.getName()) {
      case "equals" -> with != null && proxy == with[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> gated.connection.toString();
    };
  }

  @SuppressWarnings("NullAway") // fastpathCall may return null, which a passage hands on.
  private static Object sent(Object object, Method method, @Nullable Object @Nullable [] arguments)
      throws SQLException {
    try {
      return call(object, method, arguments);
    } catch (SQLException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Object call(
      Object object, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
