package dev.larder.jdbc.statement;

import dev.larder.jdbc.gate.GatedPgStatement;
import dev.larder.jdbc.statement.CachingPreparedStatement.StatementFactory;
import dev.larder.sql.StatementKind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What {@code prepareCall} returns for a query alone: a prepared statement, which may be answered
 * from memory. What only a call has, such as its results by index, the driver answers.
 */
final class CallableQuery implements InvocationHandler {
  private final CachingPreparedStatement query;

  private CallableQuery(CachingPreparedStatement query) {
    this.query = query;
  }

  /** Returns the call of {@code sql}, which {@code factory} makes at the driver. */
  static CallableStatement prepare(
      CachingConnection connection, String sql, StatementFactory factory) throws SQLException {
    boolean plain = sql.indexOf('{') < 0; // The driver sends it as it is.
    if (!plain || connection.plan(sql, true, true).shape().kind() != StatementKind.QUERY) {
      return connection.call((CallableStatement) factory.create(), sql);
    }
    CachingPreparedStatement query = connection.prepared(sql, factory);
    CallableStatement made =
        (CallableStatement)
            Proxy.newProxyInstance(
                CallableQuery.class.getClassLoader(),
                new Class<?>[] {CallableStatement.class, GatedPgStatement.class},
                new CallableQuery(query));
    query.extras().shownAs = made;
    return made;
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    boolean wraps = method.getName().equals("unwrap") || method.getName().equals("isWrapperFor");
    if (wraps && arguments != null && isOne(arguments[0], proxy)) {
      return method.getName().equals("unwrap") ? proxy : true;
    }
    if (method.getName().equals("equals") && arguments != null) {
      return proxy == arguments[0];
    }
    try {
      return method.getDeclaringClass() == CallableStatement.class
          ? method.invoke(driver(), arguments)
          : method.invoke(query, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static boolean isOne(@Nullable Object type, Object proxy) {
    return type instanceof Class<?> known && known.isInstance(proxy);
  }

  private CallableStatement driver() throws SQLException {
    return (CallableStatement) query.driverStatement();
  }
}
