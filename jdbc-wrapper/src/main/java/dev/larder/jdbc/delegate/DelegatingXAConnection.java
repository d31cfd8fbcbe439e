package dev.larder.jdbc.delegate;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.ConnectionEventListener;
import javax.sql.StatementEventListener;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

/** Passes every call on to another XA connection. */
public abstract class DelegatingXAConnection implements XAConnection {
  /** For subclasses. */
  protected DelegatingXAConnection() {}

  /** Returns the live object that the calls go to; may make it. */
  protected abstract XAConnection delegate();

  @Override
  public XAResource getXAResource() throws SQLException {
    return delegate().getXAResource();
  }

  @Override
  public Connection getConnection() throws SQLException {
    return delegate().getConnection();
  }

  @Override
  public void close() throws SQLException {
    delegate().close();
  }

  @Override
  public void addConnectionEventListener(ConnectionEventListener listener) {
    delegate().addConnectionEventListener(listener);
  }

  @Override
  public void removeConnectionEventListener(ConnectionEventListener listener) {
    delegate().removeConnectionEventListener(listener);
  }

  @Override
  public void addStatementEventListener(StatementEventListener listener) {
    delegate().addStatementEventListener(listener);
  }

  @Override
  public void removeStatementEventListener(StatementEventListener listener) {
    delegate().removeStatementEventListener(listener);
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
