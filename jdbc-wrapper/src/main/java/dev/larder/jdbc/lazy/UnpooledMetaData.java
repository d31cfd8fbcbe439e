package dev.larder.jdbc.lazy;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/**
 * The metadata of a hit without a connection: what the driver knows by itself, and for the rest a
 * connection is borrowed.
 */
final class UnpooledMetaData implements ResultSetMetaData {
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

  // ---- what it asks the server for, or may

  @Override
  public String getColumnTypeName(int column) throws SQLException {
    return server.get().getColumnTypeName(column);
  }

  @Override
  public int isNullable(int column) throws SQLException {
    return server.get().isNullable(column);
  }

  @Override
  public boolean isAutoIncrement(int column) throws SQLException {
    return server.get().isAutoIncrement(column);
  }

  @Override
  public boolean isCaseSensitive(int column) throws SQLException {
    return server.get().isCaseSensitive(column);
  }

  @Override
  public boolean isSearchable(int column) throws SQLException {
    return server.get().isSearchable(column);
  }

  @Override
  public boolean isCurrency(int column) throws SQLException {
    return server.get().isCurrency(column);
  }

  @Override
  public boolean isReadOnly(int column) throws SQLException {
    return server.get().isReadOnly(column);
  }

  @Override
  public boolean isWritable(int column) throws SQLException {
    return server.get().isWritable(column);
  }

  @Override
  public boolean isDefinitelyWritable(int column) throws SQLException {
    return server.get().isDefinitelyWritable(column);
  }

  @Override
  public String getSchemaName(int column) throws SQLException {
    return server.get().getSchemaName(column);
  }

  @Override
  public String getTableName(int column) throws SQLException {
    return server.get().getTableName(column);
  }

  @Override
  public String getCatalogName(int column) throws SQLException {
    return server.get().getCatalogName(column);
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    return iface.isInstance(this) ? iface.cast(this) : server.get().unwrap(iface);
  }

  @Override
  public boolean isWrapperFor(Class<?> iface) throws SQLException {
    return iface.isInstance(this) || server.get().isWrapperFor(iface);
  }
}
