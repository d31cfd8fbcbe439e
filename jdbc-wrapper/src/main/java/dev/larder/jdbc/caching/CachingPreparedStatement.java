package dev.larder.jdbc.caching;

import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.postgresql.BindSnapshots;
import dev.larder.sql.BypassReason;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose queries may be answered from memory. Preparing it and setting plain
 * values does not touch the driver. A value of a kind that cannot be part of a key goes to the
 * driver at once and makes the execution a bypass.
 */
final class CachingPreparedStatement extends ParameterizedStatement implements PreparedStatement {
  private final String sql;
  private final Plan plan;

  /**
   * Creates a statement.
   *
   * @param factory makes the delegate; null for the driver's way without options
   */
  CachingPreparedStatement(
      CachingConnection connection, String sql, Plan plan, @Nullable StatementFactory factory) {
    super(connection, plan.parameterCount());
    this.sql = sql;
    this.plan = plan;
    if (factory != null) {
      options().factory = factory;
    }
  }

  /** Makes the driver's statement. */
  @FunctionalInterface
  interface StatementFactory {
    PreparedStatement create() throws SQLException;
  }

  @Override
  PreparedStatement create() throws SQLException {
    StatementFactory factory = factory();
    return factory == null ? connection.prepareAtDriver(sql) : factory.create();
  }

  @Override
  protected PreparedStatement delegate() throws SQLException {
    return (PreparedStatement) super.delegate();
  }

  private PreparedStatement boundDelegate() throws SQLException {
    PreparedStatement statement = delegate();
    applyValues(statement);
    return statement;
  }

  @Override
  @Nullable BypassReason bypass(Object @Nullable [] binds) {
    BypassReason reason = super.bypass(binds);
    return reason == null && anyValueMayReadClock() ? BypassReason.TIME : reason;
  }

  // ---- executions

  @Override
  public ResultSet executeQuery() throws SQLException {
    Lookup lookup = lookup(plan, keyValues());
    return lookup instanceof Lookup.Hit hit
        ? answer(hit)
        : query(plan, lookup, () -> boundDelegate().executeQuery());
  }

  @Override
  public boolean execute() throws SQLException {
    Lookup lookup = lookup(plan, keyValues());
    if (lookup instanceof Lookup.Hit hit) {
      answer(hit);
      return true;
    }
    return execute(plan, lookup, () -> boundDelegate().execute());
  }

  @Override
  public int executeUpdate() throws SQLException {
    return update(plan, () -> boundDelegate().executeUpdate(), 0);
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return update(plan, () -> boundDelegate().executeLargeUpdate(), 0L);
  }

  @Override
  public void addBatch() throws SQLException {
    if (!isForLarder(plan)) {
      boundDelegate().addBatch();
      addToBatch(plan);
    }
  }

  @Override
  public void clearParameters() throws SQLException {
    clearValues();
    if (hasDelegate()) {
      delegate().clearParameters();
    }
  }

  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    return boundDelegate().getMetaData();
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    return boundDelegate().getParameterMetaData();
  }

  @Override
  public String toString() {
    try {
      return hasDelegate() ? boundDelegate().toString() : sql;
    } catch (SQLException e) {
      return sql;
    }
  }

  // ---- values

  private void set(int index, Object value) throws SQLException {
    if (isParameter(index) && !isClosed()) {
      setValue(index, value);
    } else {
      // The driver says what is wrong.
      delegate().setObject(index, null);
    }
  }

  private void opaque(int index, Setter setter) throws SQLException {
    given(index, setter, ParameterizedStatement.OPAQUE);
  }

  private void given(int index, Setter setter, Object part) throws SQLException {
    setter.set(delegate());
    valueGiven(index, part);
  }

  /** Sets a value on the driver's statement. */
  @FunctionalInterface
  private interface Setter {
    void set(PreparedStatement statement) throws SQLException;
  }

  @Override
  public void setObject(int index, @Nullable Object x) throws SQLException {
    if (x == null) {
      set(index, new Bind.OfNull(Types.OTHER));
    } else if (ParameterizedStatement.isImmutable(x)) {
      set(index, x);
    } else if (x.getClass() == Timestamp.class) {
      setTimestamp(index, (Timestamp) x);
    } else if (x.getClass() == Date.class) {
      setDate(index, (Date) x);
    } else if (x.getClass() == Time.class) {
      setTime(index, (Time) x);
    } else if (x instanceof byte[] bytes) {
      setBytes(index, bytes);
    } else if (x instanceof Byte small) {
      setByte(index, small);
    } else {
      driverObject(index, x, s -> s.setObject(index, x));
    }
  }

  @Override
  public void setObject(int index, @Nullable Object x, int sqlType) throws SQLException {
    if (x == null) {
      setNull(index, sqlType);
    } else if (isItself(x, sqlType)) {
      set(index, x);
    } else if (ParameterizedStatement.isImmutable(x)) {
      given(index, s -> s.setObject(index, x, sqlType), new Bind.OfTyped(x, sqlType, -1));
    } else {
      driverObject(index, x, s -> s.setObject(index, x, sqlType));
    }
  }

  @Override
  public void setObject(int index, @Nullable Object x, int sqlType, int scale) throws SQLException {
    if (x == null) {
      setNull(index, sqlType);
    } else if (ParameterizedStatement.isImmutable(x)) {
      given(index, s -> s.setObject(index, x, sqlType, scale), new Bind.OfTyped(x, sqlType, scale));
    } else {
      opaque(index, s -> s.setObject(index, x, sqlType, scale));
    }
  }

  /** Returns whether the driver sends {@code x} with this type as it sends it without. */
  private static boolean isItself(Object x, int sqlType) {
    return switch (sqlType) {
      case Types.INTEGER -> x instanceof Integer;
      case Types.BIGINT -> x instanceof Long;
      case Types.VARCHAR -> x instanceof String;
      default -> false;
    };
  }

  @Override
  public void setArray(int index, @Nullable Array x) throws SQLException {
    if (x == null) {
      set(index, new Bind.OfNull(Types.ARRAY));
    } else {
      driverObject(index, x, s -> s.setArray(index, x));
    }
  }

  private void driverObject(int index, Object x, Setter setter) throws SQLException {
    Object part = BindSnapshots.keyPart(x);
    given(index, setter, part == null ? ParameterizedStatement.OPAQUE : new Bind.OfDriver(part));
  }

  @Override
  public void setNull(int index, int sqlType) throws SQLException {
    given(index, s -> s.setNull(index, sqlType), new Bind.OfNull(sqlType));
  }

  @Override
  public void setBoolean(int index, boolean x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setByte(int index, byte x) throws SQLException {
    set(index, (short) x);
  }

  @Override
  public void setShort(int index, short x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setInt(int index, int x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setLong(int index, long x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setFloat(int index, float x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setDouble(int index, double x) throws SQLException {
    set(index, x);
  }

  @Override
  public void setBigDecimal(int index, @Nullable BigDecimal x) throws SQLException {
    set(index, x == null ? new Bind.OfNull(Types.DECIMAL) : x);
  }

  @Override
  public void setString(int index, @Nullable String x) throws SQLException {
    set(index, x == null ? new Bind.OfNull(Types.VARCHAR) : x);
  }

  @Override
  public void setBytes(int index, byte @Nullable [] x) throws SQLException {
    set(index, x == null ? new Bind.OfNull(Types.VARBINARY) : new Bind.OfBytes(x.clone()));
  }

  @Override
  public void setDate(int index, @Nullable Date x) throws SQLException {
    setDate(index, x, null);
  }

  @Override
  public void setDate(int index, @Nullable Date x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null) {
      set(index, new Bind.OfNull(Types.DATE));
    } else if (x.getClass() == Date.class) {
      set(index, Bind.OfTemporal.of(x, calendar));
    } else {
      opaque(index, s -> s.setDate(index, x, calendar));
    }
  }

  @Override
  public void setTime(int index, @Nullable Time x) throws SQLException {
    setTime(index, x, null);
  }

  @Override
  public void setTime(int index, @Nullable Time x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null) {
      set(index, new Bind.OfNull(Types.TIME));
    } else if (x.getClass() == Time.class) {
      set(index, Bind.OfTemporal.of(x, calendar));
    } else {
      opaque(index, s -> s.setTime(index, x, calendar));
    }
  }

  @Override
  public void setTimestamp(int index, @Nullable Timestamp x) throws SQLException {
    setTimestamp(index, x, null);
  }

  @Override
  public void setTimestamp(int index, @Nullable Timestamp x, @Nullable Calendar calendar)
      throws SQLException {
    if (x == null) {
      set(index, new Bind.OfNull(Types.TIMESTAMP));
    } else if (x.getClass() == Timestamp.class) {
      set(index, Bind.OfTemporal.of(x, calendar));
    } else {
      opaque(index, s -> s.setTimestamp(index, x, calendar));
    }
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
  public void setNull(int index, int sqlType, @Nullable String typeName) throws SQLException {
    opaque(index, s -> s.setNull(index, sqlType, typeName));
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

  // ---- what a prepared statement refuses

  @Override
  public ResultSet executeQuery(String text) throws SQLException {
    return delegate().executeQuery(text);
  }

  @Override
  public int executeUpdate(String text) throws SQLException {
    return delegate().executeUpdate(text);
  }

  @Override
  public boolean execute(String text) throws SQLException {
    return delegate().execute(text);
  }

  @Override
  public void addBatch(String text) throws SQLException {
    delegate().addBatch(text);
  }
}
