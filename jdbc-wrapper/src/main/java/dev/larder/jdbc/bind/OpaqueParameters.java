package dev.larder.jdbc.bind;

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
interface OpaqueParameters extends PreparedStatement {
  /** Has {@code setter} set a value on the driver's statement that cannot be part of a key. */
  void opaque(int index, Setter setter) throws SQLException;

  /** Sets a value on the driver's statement. */
  @FunctionalInterface
  interface Setter {
    void set(PreparedStatement statement) throws SQLException;
  }

  @Override
  default void setAsciiStream(int index, @Nullable InputStream x, int length) throws SQLException {
    opaque(index, s -> s.setAsciiStream(index, x, length));
  }

  @Override
  default void setBinaryStream(int index, @Nullable InputStream x, int length) throws SQLException {
    opaque(index, s -> s.setBinaryStream(index, x, length));
  }

  @Override
  default void setCharacterStream(int index, @Nullable Reader x, int length) throws SQLException {
    opaque(index, s -> s.setCharacterStream(index, x, length));
  }

  @Override
  default void setRef(int index, @Nullable Ref x) throws SQLException {
    opaque(index, s -> s.setRef(index, x));
  }

  @Override
  default void setBlob(int index, @Nullable Blob x) throws SQLException {
    opaque(index, s -> s.setBlob(index, x));
  }

  @Override
  default void setClob(int index, @Nullable Clob x) throws SQLException {
    opaque(index, s -> s.setClob(index, x));
  }

  @Override
  default void setURL(int index, @Nullable URL x) throws SQLException {
    opaque(index, s -> s.setURL(index, x));
  }

  @Override
  default void setRowId(int index, @Nullable RowId x) throws SQLException {
    opaque(index, s -> s.setRowId(index, x));
  }

  @Override
  default void setNString(int index, @Nullable String x) throws SQLException {
    opaque(index, s -> s.setNString(index, x));
  }

  @Override
  default void setNCharacterStream(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setNCharacterStream(index, x, length));
  }

  @Override
  default void setNClob(int index, @Nullable NClob x) throws SQLException {
    opaque(index, s -> s.setNClob(index, x));
  }

  @Override
  default void setClob(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setClob(index, x, length));
  }

  @Override
  default void setBlob(int index, @Nullable InputStream x, long length) throws SQLException {
    opaque(index, s -> s.setBlob(index, x, length));
  }

  @Override
  default void setNClob(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setNClob(index, x, length));
  }

  @Override
  default void setSQLXML(int index, @Nullable SQLXML x) throws SQLException {
    opaque(index, s -> s.setSQLXML(index, x));
  }

  @Override
  default void setAsciiStream(int index, @Nullable InputStream x, long length) throws SQLException {
    opaque(index, s -> s.setAsciiStream(index, x, length));
  }

  @Override
  default void setBinaryStream(int index, @Nullable InputStream x, long length)
      throws SQLException {
    opaque(index, s -> s.setBinaryStream(index, x, length));
  }

  @Override
  default void setCharacterStream(int index, @Nullable Reader x, long length) throws SQLException {
    opaque(index, s -> s.setCharacterStream(index, x, length));
  }

  @Override
  default void setAsciiStream(int index, @Nullable InputStream x) throws SQLException {
    opaque(index, s -> s.setAsciiStream(index, x));
  }

  @Override
  default void setBinaryStream(int index, @Nullable InputStream x) throws SQLException {
    opaque(index, s -> s.setBinaryStream(index, x));
  }

  @Override
  default void setCharacterStream(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setCharacterStream(index, x));
  }

  @Override
  default void setNCharacterStream(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setNCharacterStream(index, x));
  }

  @Override
  default void setClob(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setClob(index, x));
  }

  @Override
  default void setBlob(int index, @Nullable InputStream x) throws SQLException {
    opaque(index, s -> s.setBlob(index, x));
  }

  @Override
  default void setNClob(int index, @Nullable Reader x) throws SQLException {
    opaque(index, s -> s.setNClob(index, x));
  }

  @Override
  default void setObject(int index, @Nullable Object x, SQLType type) throws SQLException {
    opaque(index, s -> s.setObject(index, x, type));
  }

  @Override
  default void setObject(int index, @Nullable Object x, SQLType type, int scale)
      throws SQLException {
    opaque(index, s -> s.setObject(index, x, type, scale));
  }

  @Override
  @Deprecated
  default void setUnicodeStream(int index, @Nullable InputStream x, int length)
      throws SQLException {
    opaque(index, s -> s.setUnicodeStream(index, x, length));
  }
}
