package dev.larder.jdbc.wrap;

import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.delegate.DelegatingXAConnection;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

/**
 * An XA connection whose handles cache. Listeners hear of this object, not of the one below. As
 * thread-safe as the one below.
 */
final class CachingXAConnection extends DelegatingXAConnection {
  private final XAConnection physical;
  private final PhysicalConnection state;
  private final Map<ConnectionEventListener, ConnectionEventListener> forwarding =
      new ConcurrentHashMap<>();

  CachingXAConnection(XAConnection physical, PhysicalConnection state) {
    this.physical = physical;
    this.state = state;
    state.sender().held().never(); // A branch has other ends than COMMIT and ROLLBACK.
  }

  @Override
  protected XAConnection delegate() {
    return physical;
  }

  @Override
  public Connection getConnection() throws SQLException {
    boolean open = !state.isIdleAtServer();
    // The driver ends what an earlier handle has left open: it commits or rolls it back. What that
    // has written counts as committed. What it has set may hold or not.
    return new CachingConnection(state.pass("COMMIT", () -> handle(open)), state);
  }

  private Connection handle(boolean endsAny) throws SQLException {
    try {
      return physical.getConnection();
    } finally {
      if (endsAny) {
        state.state().tracker().forget(true);
      }
    }
  }

  @Override
  public XAResource getXAResource() throws SQLException {
    return new CachingXAResource(physical.getXAResource(), state);
  }

  @Override
  public void close() throws SQLException {
    try {
      physical.close();
    } finally {
      state.closed();
    }
  }

  @Override
  public void addConnectionEventListener(ConnectionEventListener listener) {
    ConnectionEventListener forward = forward(listener);
    if (forwarding.putIfAbsent(listener, forward) == null) {
      physical.addConnectionEventListener(forward);
    }
  }

  @Override
  public void removeConnectionEventListener(ConnectionEventListener listener) {
    ConnectionEventListener forward = forwarding.remove(listener);
    if (forward != null) {
      physical.removeConnectionEventListener(forward);
    }
  }

  @Override
  public String toString() {
    return "Larder@" + Integer.toHexString(System.identityHashCode(this)) + " wrapping " + physical;
  }

  private ConnectionEventListener forward(ConnectionEventListener listener) {
    return new ConnectionEventListener() {
      @Override
      public void connectionClosed(ConnectionEvent event) {
        listener.connectionClosed(fromHere(event));
      }

      @Override
      public void connectionErrorOccurred(ConnectionEvent event) {
        listener.connectionErrorOccurred(fromHere(event));
      }
    };
  }

  private ConnectionEvent fromHere(ConnectionEvent event) {
    return new ConnectionEvent(this, event.getSQLException());
  }
}
