package dev.larder.jdbc.lazy;

import dev.larder.jdbc.delegate.DelegatingDatabaseMetaData;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** The metadata of the pool's connection, which lead to the connection above the pool. */
final class LazyDatabaseMetaData extends DelegatingDatabaseMetaData {
  private final Connection connection;
  private final DatabaseMetaData pooled;

  LazyDatabaseMetaData(Connection connection, DatabaseMetaData pooled) {
    this.connection = connection;
    this.pooled = pooled;
  }

  @Override
  protected DatabaseMetaData delegate() {
    return pooled;
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    return iface.isInstance(this) ? iface.cast(this) : pooled.unwrap(iface);
  }

  @Override
  public boolean isWrapperFor(Class<?> iface) throws SQLException {
    return iface.isInstance(this) || pooled.isWrapperFor(iface);
  }
}
