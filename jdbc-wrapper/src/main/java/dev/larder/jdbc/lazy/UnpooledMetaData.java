package dev.larder.jdbc.lazy;

import dev.larder.jdbc.delegate.DelegatingResultSetMetaData;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/**
 * The metadata of a hit without a connection: what the driver knows by itself, and for the rest a
 * connection is borrowed.
 */
final class UnpooledMetaData extends DelegatingResultSetMetaData {
  private final ResultSetMetaData known;
  private final OnServer server;

  /** Finds the same metadata on a connection. */
  @FunctionalInterface
  interface OnServer {
    ResultSetMetaData get() throws SQLException;
  }

  UnpooledMetaData(ResultSetMetaData known, OnServer server) {
    this.known = known;
    this.server = server;
  }

  @Override
  protected ResultSetMetaData delegate() throws SQLException {
    return server.get();
  }

  // ---- what the driver knows

  @Override
  public int getColumnCount() throws SQLException {
    return known.getColumnCount();
  }

  @Override
  public String getColumnLabel(int column) throws SQLException {
    return known.getColumnLabel(column);
  }

  @Override
  public String getColumnName(int column) throws SQLException {
    return known.getColumnName(column);
  }

  @Override
  public int getColumnType(int column) throws SQLException {
    return known.getColumnType(column);
  }

  @Override
  public String getColumnClassName(int column) throws SQLException {
    return known.getColumnClassName(column);
  }

  @Override
  public int getColumnDisplaySize(int column) throws SQLException {
    return known.getColumnDisplaySize(column);
  }

  @Override
  public int getPrecision(int column) throws SQLException {
    return known.getPrecision(column);
  }

  @Override
  public int getScale(int column) throws SQLException {
    return known.getScale(column);
  }

  @Override
  public boolean isSigned(int column) throws SQLException {
    return known.isSigned(column);
  }
}
