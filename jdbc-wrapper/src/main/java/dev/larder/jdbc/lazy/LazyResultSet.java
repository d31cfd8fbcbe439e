package dev.larder.jdbc.lazy;

import dev.larder.jdbc.delegate.DelegatingResultSet;
import dev.larder.jdbc.statement.UnpooledResults;
import dev.larder.result.CachedResult;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Rows that lead to a statement above the pool: the pool's, or those of a hit without a connection.
 * Of these, getters that need the server have a connection borrowed, and the rows replayed there.
 */
final class LazyResultSet extends DelegatingResultSet {
  private final ResultSet rows;
  private final Statement statement;
  private final LazyConnection connection;

  /** The rows of a hit without a connection, or null. */
  private final @Nullable CachedResult cached;

  private @Nullable ResultSet live;
  private int liveRow;

  LazyResultSet(
      ResultSet rows,
      Statement statement,
      LazyConnection connection,
      @Nullable CachedResult cached) {
    this.rows = rows;
    this.statement = statement;
    this.connection = connection;
    this.cached = cached;
  }

  @Override
  protected ResultSet delegate() throws SQLException {
    if (cached != null && connection.isClosedByUs()) {
      rows.close(); // As the pool closes its own.
    }
    return rows;
  }

  @SuppressWarnings("ReferenceEquality") // The same object of the pool's.
  boolean isOver(ResultSet other) {
    return rows == other;
  }

  @Override
  public Statement getStatement() throws SQLException {
    delegate().getFetchSize(); // Closed rows have none.
    return statement;
  }

  @Override
  public void close() throws SQLException {
    rows.close();
    ResultSet replayed = live;
    if (replayed != null) {
      replayed.getStatement().close();
    }
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    ResultSetMetaData own = delegate().getMetaData();
    return cached == null ? own : new UnpooledMetaData(own, () -> onServer().getMetaData());
  }

  // ---- what needs the server

  /** Returns the rows on a connection, at the present row. */
  private ResultSet onServer() throws SQLException {
    CachedResult known = cached;
    if (known == null) {
      return rows;
    }
    int row = delegate().getRow();
    ResultSet replayed = live;
    if (replayed == null) {
      replayed = UnpooledResults.on(connection.caching(), known);
      live = replayed;
    }
    while (liveRow < row && replayed.next()) {
      liveRow++;
    }
    return replayed;
  }

  @Override
  public @Nullable Blob getBlob(int columnIndex) throws SQLException {
    return rows.getString(columnIndex) == null ? null : onServer().getBlob(columnIndex);
  }

  @Override
  public @Nullable Blob getBlob(String columnLabel) throws SQLException {
    return getBlob(findColumn(columnLabel));
  }

  @Override
  public @Nullable Clob getClob(int columnIndex) throws SQLException {
    return rows.getString(columnIndex) == null ? null : onServer().getClob(columnIndex);
  }

  @Override
  public @Nullable Clob getClob(String columnLabel) throws SQLException {
    return getClob(findColumn(columnLabel));
  }

  @Override
  public @Nullable Array getArray(int columnIndex) throws SQLException {
    return onServer().getArray(columnIndex);
  }

  @Override
  public @Nullable Array getArray(String columnLabel) throws SQLException {
    return onServer().getArray(columnLabel);
  }

  @Override
  public @Nullable SQLXML getSQLXML(int columnIndex) throws SQLException {
    return onServer().getSQLXML(columnIndex);
  }

  @Override
  public @Nullable SQLXML getSQLXML(String columnLabel) throws SQLException {
    return onServer().getSQLXML(columnLabel);
  }

  @Override
  public @Nullable Ref getRef(int columnIndex) throws SQLException {
    return onServer().getRef(columnIndex);
  }

  @Override
  public @Nullable Ref getRef(String columnLabel) throws SQLException {
    return onServer().getRef(columnLabel);
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    return iface.isInstance(this) ? iface.cast(this) : onServer().unwrap(iface);
  }

  @Override
  public boolean isWrapperFor(Class<?> iface) throws SQLException {
    return iface.isInstance(this) || onServer().isWrapperFor(iface);
  }
}
