package dev.larder.jdbc.gate;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.largeobject.LargeObjectManager;

/**
 * The driver's large objects of one connection: where closing one commits, the transaction ends as
 * by a COMMIT of the application. Each call of a function counts as something that does nothing:
 * before it the savepoint is set that the driver would have set for the last hit. Confined to the
 * thread that uses the connection.
 */
public final class LargeObjects {
  private final StatementGate gate;

  /** One for each connection, as the driver's: to make it asks the server. */
  private @Nullable LargeObjectManager manager;

  /** Creates those of the connection that {@code gate} belongs to. */
  public LargeObjects(StatementGate gate) {
    this.gate = gate;
  }

  LargeObjectManager of(BaseConnection driver) throws SQLException {
    LargeObjectManager known = manager;
    if (known == null) {
      known = new LargeObjectManager(gated(driver));
      manager = known;
    }
    return known;
  }

  private BaseConnection gated(BaseConnection driver) {
    return (BaseConnection)
        Proxy.newProxyInstance(
            BaseConnection.class.getClassLoader(),
            new Class<?>[] {BaseConnection.class},
            (proxy, method, arguments) -> call(driver, method, arguments));
  }

  private @Nullable Object call(
      BaseConnection driver, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("commit")) {
      return gate.pass(
          "COMMIT",
          () -> {
            driver.commit();
            return "committed";
          });
    }
    if (method.getName().equals("getFastpathAPI")) {
      return GatedFastpath.ofLargeObjects(driver, gate);
    }
    try {
      return method.invoke(driver, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
