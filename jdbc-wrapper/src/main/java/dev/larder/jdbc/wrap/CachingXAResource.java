package dev.larder.jdbc.wrap;

import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.delegate.DelegatingXAResource;
import dev.larder.jdbc.postgresql.StatementGate;
import java.sql.SQLException;
import java.util.Base64;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * The XA resource of a {@link CachingXAConnection}: what ends a branch goes through the gate,
 * described by the SQL that the driver sends. The driver's own tells itself from others by
 * identity, so {@link #isSameRM} compares what is below.
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
    state.touched();
    return physical;
  }

  @Override
  public int prepare(Xid xid) throws XAException {
    return send("PREPARE TRANSACTION " + literal(xid), () -> physical.prepare(xid));
  }

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    if (onePhase) {
      commitOnePhase(xid);
      return;
    }
    send(
        "COMMIT PREPARED " + literal(xid),
        () -> {
          physical.commit(xid, false);
          return true;
        });
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
    pass(
        passage,
        () -> {
          physical.commit(xid, true);
          return true;
        });
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    send(
        "ROLLBACK PREPARED " + literal(xid),
        () -> {
          physical.rollback(xid);
          return true;
        });
  }

  @Override
  public boolean isSameRM(XAResource other) throws XAException {
    return physical.isSameRM(other instanceof CachingXAResource caching ? caching.physical : other);
  }

  private <T> T send(String sql, XaCall<T> call) throws XAException {
    return pass(enter(sql), call);
  }

  private <T> T pass(StatementGate.Passage passage, XaCall<T> call) throws XAException {
    Throwable thrown = null;
    try {
      return call.call();
    } catch (XAException | RuntimeException | Error e) {
      thrown = e;
      throw e;
    } finally {
      passage.leave(reason(thrown));
    }
  }

  private StatementGate.Passage enter(String sql) throws XAException {
    try {
      return state.enter(sql);
    } catch (SQLException e) {
      throw failure(XAException.XAER_RMFAIL, e);
    }
  }

  private static XAException failure(int code, SQLException cause) {
    XAException failure = new XAException(code);
    failure.initCause(cause);
    return failure;
  }

  /**
   * What the server said is in the cause; an XA exception without one is a refusal of the driver's
   * own.
   */
  private static @Nullable Throwable reason(@Nullable Throwable thrown) {
    if (!(thrown instanceof XAException)) {
      return thrown;
    }
    return thrown.getCause() == null ? new SQLException(thrown) : thrown.getCause();
  }

  /** The identifier as the driver makes it of a branch: both parts in base 64, after the format. */
  private static String literal(Xid xid) {
    Base64.Encoder encoder = Base64.getEncoder();
    return "'"
        + xid.getFormatId()
        + '_'
        + encoder.encodeToString(xid.getGlobalTransactionId())
        + '_'
        + encoder.encodeToString(xid.getBranchQualifier())
        + "'";
  }

  /** A call of the driver's XA resource. */
  @FunctionalInterface
  private interface XaCall<T> {
    T call() throws XAException;
  }
}
