package dev.larder.jdbc.wrap;

import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.delegate.DelegatingXAResource;
import dev.larder.jdbc.gate.StatementGate;
import java.sql.SQLException;
import java.util.Base64;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * The XA resource of a {@link CachingXAConnection}. Calls that end a branch go through the gate,
 * described by the SQL that the driver sends. The driver's resource compares itself with others by
 * identity, so {@link #isSameRM} compares the resources below.
 */
final class CachingXAResource extends DelegatingXAResource {
  private final XAResource physical;
  private final PhysicalConnection state;

  CachingXAResource(XAResource physical, PhysicalConnection state) {
    this.physical = physical;
    this.state = state;
  }

  @Override
  protected XAResource delegate() {
    state.noted();
    return physical;
  }

  @Override
  public int prepare(Xid xid) throws XAException {
    int[] vote = new int[1];
    send("PREPARE TRANSACTION " + literal(xid), () -> vote[0] = physical.prepare(xid));
    return vote[0];
  }

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    if (onePhase) {
      commitOnePhase(xid);
    } else {
      send("COMMIT PREPARED " + literal(xid), () -> physical.commit(xid, false));
    }
  }

  private void commitOnePhase(Xid xid) throws XAException {
    StatementGate.Passage passage;
    try {
      passage = state.enter("COMMIT");
    } catch (SQLException e) {
      // It has been rolled back; the driver's own resource is told, so that it begins anew.
      physical.rollback(xid);
      throw failure(XAException.XA_RBROLLBACK, e);
    }
    pass(passage, () -> physical.commit(xid, true));
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    send("ROLLBACK PREPARED " + literal(xid), () -> physical.rollback(xid));
  }

  @Override
  public boolean isSameRM(XAResource other) throws XAException {
    return physical.isSameRM(other instanceof CachingXAResource caching ? caching.physical : other);
  }

  private void send(String sql, XaCall call) throws XAException {
    StatementGate.Passage passage;
    try {
      passage = state.enter(sql);
    } catch (SQLException e) {
      throw failure(XAException.XAER_RMFAIL, e);
    }
    pass(passage, call);
  }

  private static void pass(StatementGate.Passage passage, XaCall call) throws XAException {
    Throwable thrown = null;
    try {
      call.call();
    } catch (XAException | RuntimeException | Error e) {
      thrown = e;
      throw e;
    } finally {
      passage.leave(reason(thrown));
    }
  }

  private static XAException failure(int code, SQLException cause) {
    XAException failure = new XAException(code);
    failure.initCause(cause);
    return failure;
  }

  /** Returns what the server said, which is the cause; without one the driver itself refused. */
  private static @Nullable Throwable reason(@Nullable Throwable thrown) {
    if (!(thrown instanceof XAException)) {
      return thrown;
    }
    return thrown.getCause() == null ? new SQLException(thrown) : thrown.getCause();
  }

  /** The identifier as the driver makes it of a branch: both parts in base 64, after the format. */
  private static String literal(Xid xid) {
    Base64.Encoder encoder = Base64.getEncoder();
    String global = encoder.encodeToString(xid.getGlobalTransactionId());
    String branch = encoder.encodeToString(xid.getBranchQualifier());
    return "'" + xid.getFormatId() + '_' + global + '_' + branch + "'";
  }

  /** A call of the driver's XA resource. */
  @FunctionalInterface
  private interface XaCall {
    void call() throws XAException;
  }
}
