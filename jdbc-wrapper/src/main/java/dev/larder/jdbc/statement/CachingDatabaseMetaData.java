package dev.larder.jdbc.statement;

import dev.larder.jdbc.delegate.DelegatingDatabaseMetaData;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The driver's metadata, which leads back to Larder's connection. */
final class CachingDatabaseMetaData extends DelegatingDatabaseMetaData {
  private final CachingConnection connection;
  private final DatabaseMetaData delegate;

  CachingDatabaseMetaData(CachingConnection connection, DatabaseMetaData delegate) {
    this.connection = connection;
    this.delegate = delegate;
  }

  @Override
  protected DatabaseMetaData delegate() throws SQLException {
    connection.physical().touched();
    return delegate;
  }

  @Override
  protected ResultSet result(ResultSet result) throws SQLException {
    return connection.leadRows(result);
  }

  @Override
  public int getDriverMajorVersion() {
    return delegate.getDriverMajorVersion();
  }

  @Override
  public int getDriverMinorVersion() {
    return delegate.getDriverMinorVersion();
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    return connection.unwrap(this, delegate, iface);
  }

  @Override
  public boolean isWrapperFor(Class<?> iface) throws SQLException {
    return iface.isInstance(this) || delegate.isWrapperFor(iface);
  }
}
