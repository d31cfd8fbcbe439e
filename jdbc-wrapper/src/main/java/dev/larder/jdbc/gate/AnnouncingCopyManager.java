package dev.larder.jdbc.gate;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
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
      AnnouncedCopy copy = new AnnouncedCopy(begin.call(), passage);
      return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, copy));
    } catch (SQLException | RuntimeException | Error e) {
      passage.leave(e);
      throw e;
    }
  }
}
