package dev.larder.jdbc;

import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.delegate.DelegatingConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;

/** A plain connection of an XA connection, whose close closes both. */
final class XaOwnConnection extends DelegatingConnection {
  private final XAConnection xa;
  private final Connection handle;

  /** Takes the handle of the XA connection, which is closed if there is none. */
  XaOwnConnection(XAConnection xa) throws SQLException {
    this.xa = xa;
    this.handle = Opened.orClose(xa, XAConnection::close, XAConnection::getConnection);
  }

  @Override
  protected Connection delegate() {
    return handle;
  }

  @Override
  public void close() throws SQLException {
    try {
      handle.close();
    } finally {
      xa.close();
    }
  }
}
