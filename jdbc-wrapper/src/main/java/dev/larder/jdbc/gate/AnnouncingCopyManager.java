package dev.larder.jdbc.gate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyDual;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;

/** The driver's COPY, whose writes are announced when it begins and published when it ends. */
final class AnnouncingCopyManager extends CopyManager {
  private final StatementGate gate;

  AnnouncingCopyManager(BaseConnection connection, StatementGate gate) throws SQLException {
    super(connection);
    this.gate = gate;
  }

  // Every other copyIn of the driver's begins with this one.
  @Override
  public CopyIn copyIn(String sql) throws SQLException {
    return announced(CopyIn.class, sql, () -> super.copyIn(sql));
  }

  // COPY (query) TO may run a query that writes.
  @Override
  public CopyOut copyOut(String sql) throws SQLException {
    return announced(CopyOut.class, sql, () -> super.copyOut(sql));
  }

  // Any other text runs, too, before the driver throws; what is for replication writes nothing.
  @Override
  public CopyDual copyDual(String sql) throws SQLException {
    return gate.pass(sql, () -> super.copyDual(sql));
  }

  private <C extends CopyOperation> C announced(
      Class<C> type, String sql, StatementGate.Call<C> begin) throws SQLException {
    StatementGate.Passage passage = gate.enter(sql);
    try {
      Announced copy = new Announced(begin.call(), passage);
      return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, copy));
    } catch (SQLException | RuntimeException | Error e) {
      passage.leave(e);
      throw e;
    }
  }

  /** A COPY that is under way. Publishes after the call that ends it, whatever the call says. */
  private record Announced(CopyOperation copy, StatementGate.Passage passage)
      implements InvocationHandler {
    private static final Set<String> LAST_CALLS = Set.of("endCopy", "cancelCopy");

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments)
        throws Throwable {
      Throwable thrown = null;
      try {
        Object answer = method.invoke(copy, arguments);
        if (method.getName().equals("endCopy") && answer instanceof Long rows) {
          passage.wrote(rows);
        }
        return answer;
      } catch (InvocationTargetException e) {
        thrown = e.getCause();
        throw thrown;
      } finally {
        // A call may fail because the server has ended the COPY.
        if (LAST_CALLS.contains(method.getName()) || !copy.isActive()) {
          passage.leave(thrown);
        }
      }
    }
  }
}
