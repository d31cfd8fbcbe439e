package dev.larder.jdbc.lazy;

import dev.larder.jdbc.delegate.DelegatingCallableStatement;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A call on the pool's connection that leads to the connection above the pool. */
final class LazyCall extends DelegatingCallableStatement {
  private final LazyConnection connection;
  private final CallableStatement pooled;

  LazyCall(LazyConnection connection, CallableStatement pooled) {
    this.connection = connection;
    this.pooled = pooled;
  }

  @Override
  protected CallableStatement delegate() {
    return pooled;
  }

  private LazyResultSet leading(ResultSet rows) {
    return new LazyResultSet(rows, this, connection, null);
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    return leading(pooled.executeQuery());
  }

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    ResultSet rows = pooled.getResultSet();
    return rows == null ? null : leading(rows);
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    return leading(pooled.getGeneratedKeys());
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (pooled.isClosed()) {
      pooled.getConnection(); // For its exception.
    }
    return connection;
  }
}
