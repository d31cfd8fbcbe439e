package dev.larder.jdbc.delegate;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Passes every call on to another XA resource. */
public abstract class DelegatingXAResource implements XAResource {
  /** For subclasses. */
  protected DelegatingXAResource() {}

  /** Returns the live object that the calls go to; may make it. */
  protected abstract XAResource delegate();

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    delegate().commit(xid, onePhase);
  }

  @Override
  public void end(Xid xid, int flags) throws XAException {
    delegate().end(xid, flags);
  }

  @Override
  public void forget(Xid xid) throws XAException {
    delegate().forget(xid);
  }

  @Override
  public int getTransactionTimeout() throws XAException {
    return delegate().getTransactionTimeout();
  }

  @Override
  public boolean isSameRM(XAResource xares) throws XAException {
    return delegate().isSameRM(xares);
  }

  @Override
  public int prepare(Xid xid) throws XAException {
    return delegate().prepare(xid);
  }

  @Override
  public Xid[] recover(int flag) throws XAException {
    return delegate().recover(flag);
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    delegate().rollback(xid);
  }

  @Override
  public boolean setTransactionTimeout(int seconds) throws XAException {
    return delegate().setTransactionTimeout(seconds);
  }

  @Override
  public void start(Xid xid, int flags) throws XAException {
    delegate().start(xid, flags);
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
