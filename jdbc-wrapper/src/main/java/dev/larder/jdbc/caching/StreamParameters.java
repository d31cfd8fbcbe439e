package dev.larder.jdbc.caching;

import java.io.InputStream;
import java.io.Reader;
import java.net.URL;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import org.jspecify.annotations.Nullable;

/**
 * The setters of values that can be read only once, or that refer to the server: they go to the
 * driver at once and make the execution a bypass.
 */
abstract class StreamParameters extends ParameterizedStatement implements PreparedStatement {
  StreamParameters(CachingConnection connection, int parameters) {
    super(connection, parameters);
  }

  @Override
  protected PreparedStatement delegate() throws SQLException {
    return (PreparedStatement) super.delegate();
  }

  @Override
  final PreparedStatement forSending() throws SQLException {
    return (PreparedStatement) super.forSending();
  }

  final void opaque(int index, Setter setter) throws SQLException {
    given(index, setter, ParameterizedStatement.OPAQUE);
  }

  final void given(int index, Setter setter, Object part) throws SQLException {
    setter.set(delegate());
    valueGiven(index, part);
  }

  /** Sets a value on the driver's statement. */
  @FunctionalInterface
  interface Setter {
    void set(PreparedStatement statement) throws SQLException;
  }

  @Override
  public void setAsciiStream(int index, @Nullable InputStream x, int length) throws SQLException {
    opaque(index, s -> s.setAsciiStream(index, x, length));
  }

  @Override
  public void setBinaryStream(int index, @Nullable InputStream x, int length) throws SQLException {
    opaque(index, s -> s.setBinaryStream(index, x, length));
  }

  @Override
  public void setCharacterStream(int index, @Nullable Reader x, int length) throws SQLException {
    opaque(index, s -> s.setCharacterStream(index, x, length));
  }

  @Override
  public void setRef(int index, @Nullable Ref x) throws SQLException {
    opaque(index, s -> s.setRef(index, x));
  }

  @Override
  public void setBlob(int index, @Nullable Blob x) throws SQLException {
    opaque(index, s -> s.setBlob(index, x));
  }

  @Override
  public void setClob(int index, @Nullable Clob x) throws SQLException {
    opaque(index, s -> s.setClob(index, x));
  }

  @Override
  public void setURL(int index, @Nullable URL x) throws SQLException {
    opaque(index, s -> s.setURL(index, x));
  }

  @Override
  public void setRowId(int index, @Nullable RowId x) throws SQLException {
    opaque(index, s -> s.setRowId(index, x));
  }

  @Override
  public void setNString(int index, @Nullable String x) throws SQLException {
    opaque(index, s -> s.setNString(index, x));
  }

  @Override
  public void setNCharacterStream(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setNCharacterStream(index, x, length));
  }

  @Override
  public void setNClob(int index, @Nullable NClob x) throws SQLException {
    opaque(index, s -> s.setNClob(index, x));
  }

  @Override
  public void setClob(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setClob(index, x, length));
  }

  @Override
  public void setBlob(int index, @Nullable InputStream x, long length) throws SQLException {
    opaque(index, s -> s.setBlob(index, x, length));
  }

  @Override
  public void setNClob(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setNClob(index, x, length));
  }

  @Override
  public void setSQLXML(int index, @Nullable SQLXML x) throws SQLException {
    opaque(index, s -> s.setSQLXML(index, x));
  }

  @Override
  public void setAsciiStream(int index, @Nullable InputStream x, long length) throws SQLException {
    opaque(index, s -> s.setAsciiStream(index, x, length));
  }

  @Override
  public void setBinaryStream(int index, @Nullable InputStream x, long length) throws SQLException {
    opaque(index, s -> s.setBinaryStream(index, x, length));
  }

  @Override
  public void setCharacterStream(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setCharacterStream(index, x, length));
  }

  @Override
  public void setAsciiStream(int index, @Nullable InputStream x) throws SQLException {
    opaque(index, s -> s.setAsciiStream(index, x));
  }

  @Override
  public void setBinaryStream(int index, @Nullable InputStream x) throws SQLException {
    opaque(index, s -> s.setBinaryStream(index, x));
  }

  @Override
  public void setCharacterStream(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setCharacterStream(index, x));
  }

  @Override
  public void setNCharacterStream(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setNCharacterStream(index, x));
  }

  @Override
  public void setClob(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setClob(index, x));
  }

  @Override
  public void setBlob(int index, @Nullable InputStream x) throws SQLException {
    opaque(index, s -> s.setBlob(index, x));
  }

  @Override
  public void setNClob(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setNClob(index, x));
  }

  @Override
  public void setObject(int index, @Nullable Object x, SQLType type) throws SQLException {
    opaque(index, s -> s.setObject(index, x, type));
  }

  @Override
  public void setObject(int index, @Nullable Object x, SQLType type, int scale)
      throws SQLException {
    opaque(index, s -> s.setObject(index, x, type, scale));
  }

  @Override
  @Deprecated
  public void setUnicodeStream(int index, @Nullable InputStream x, int length) throws SQLException {
    opaque(index, s -> s.setUnicodeStream(index, x, length));
  }
}
