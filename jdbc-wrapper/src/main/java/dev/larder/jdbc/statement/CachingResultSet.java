package dev.larder.jdbc.statement;

import dev.larder.jdbc.delegate.DelegatingResultSet;
import dev.larder.jdbc.gate.GatedPgResultSet;
import dev.larder.jdbc.gate.Leading;
import dev.larder.jdbc.gate.StatementGate;
import dev.larder.jdbc.replay.PostgresResults;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result set of the driver, live or replayed, as Larder's user sees it: it leads to Larder's
 * statement, and nothing that it hands out holds bytes of the cache. Like the driver's result sets
 * it is meant for one thread at a time.
 *
 * <p>The driver hands out arrays of its own in binary format: {@code getBytes}, streams over them,
 * and objects that keep them (its arrays, and binary types of users). While the rows are shared
 * such a value is a copy, or is made again from a copy of its row.
 */
class CachingResultSet extends DelegatingResultSet implements GatedPgResultSet {
  private final ResultSet result;
  private final ResultSetOwner owner;
  private boolean shared;

  /**
   * Creates a result set.
   *
   * @param result the driver's, or a foreign wrapper of it
   * @param shared true if the rows are shared with the cache: {@code result} was replayed, or has
   *     been captured
   */
  CachingResultSet(ResultSet result, ResultSetOwner owner, boolean shared) {
    this.result = result;
    this.owner = owner;
    this.shared = shared;
  }

  /** Returns {@code last} again for the same result, as the driver does, or else a new one. */
  static CachingResultSet of(
      @Nullable CachingResultSet last, ResultSet result, ResultSetOwner owner, boolean shared) {
    return last != null && last.result == result
        ? last
        : new CachingResultSet(result, owner, shared);
  }

  /** Returns whether the rows are shared with the cache. */
  final boolean isShared() {
    return shared;
  }

  @Override
  protected ResultSet delegate() {
    return result;
  }

  @Override
  public ResultSet driverResult() {
    return result;
  }

  @Override
  public void close() throws SQLException {
    boolean wasClosed = result.isClosed();
    try {
      result.close();
    } finally {
      if (!wasClosed) {
        owner.closed(this);
      }
    }
  }

  /** Closes without word to the owner, who does this by itself. */
  void closeSilently() throws SQLException {
    result.close();
  }

  @Override
  public Statement getStatement() throws SQLException {
    // The driver's answer is not used, but its exception when the result set is closed.
    result.getStatement();
    return owner.statement();
  }

  @Override
  public byte @Nullable [] getBytes(int columnIndex) throws SQLException {
    return own(result.getBytes(columnIndex));
  }

  @Override
  public byte @Nullable [] getBytes(String columnLabel) throws SQLException {
    return own(result.getBytes(columnLabel));
  }

  @Override
  public @Nullable InputStream getBinaryStream(int columnIndex) throws SQLException {
    return own(result.getBinaryStream(columnIndex));
  }

  @Override
  public @Nullable InputStream getBinaryStream(String columnLabel) throws SQLException {
    return own(result.getBinaryStream(columnLabel));
  }

  @Override
  public @Nullable Array getArray(int columnIndex) throws SQLException {
    Array value = result.getArray(columnIndex);
    return (Array) led(keepsBytes(value) ? result.getArray(columnIndex) : value);
  }

  @Override
  public @Nullable Array getArray(String columnLabel) throws SQLException {
    Array value = result.getArray(columnLabel);
    return (Array) led(keepsBytes(value) ? result.getArray(columnLabel) : value);
  }

  @Override
  public @Nullable Object getObject(int columnIndex) throws SQLException {
    Object value = result.getObject(columnIndex);
    return led(keepsBytes(value) ? result.getObject(columnIndex) : value);
  }

  @Override
  public @Nullable Object getObject(String columnLabel) throws SQLException {
    Object value = result.getObject(columnLabel);
    return led(keepsBytes(value) ? result.getObject(columnLabel) : value);
  }

  @Override
  public @Nullable Object getObject(int columnIndex, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    Object value = result.getObject(columnIndex, map);
    return led(keepsBytes(value) ? result.getObject(columnIndex, map) : value);
  }

  @Override
  public @Nullable Object getObject(String columnLabel, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    Object value = result.getObject(columnLabel, map);
    return led(keepsBytes(value) ? result.getObject(columnLabel, map) : value);
  }

  @Override
  public <T> @Nullable T getObject(int columnIndex, Class<T> type) throws SQLException {
    T value = result.getObject(columnIndex, type);
    return type.cast(led(keepsBytes(value) ? result.getObject(columnIndex, type) : value));
  }

  @Override
  public <T> @Nullable T getObject(String columnLabel, Class<T> type) throws SQLException {
    T value = result.getObject(columnLabel, type);
    return type.cast(led(keepsBytes(value) ? result.getObject(columnLabel, type) : value));
  }

  /** Makes what can be reached through a value lead to Larder's connection. */
  private @Nullable Object led(@Nullable Object value) throws SQLException {
    return Leading.concerns(value)
            && owner.statement().getConnection() instanceof CachingConnection connection
        ? connection.lead(value)
        : value;
  }

  private byte @Nullable [] own(byte @Nullable [] value) {
    return shared && value != null ? value.clone() : value;
  }

  private @Nullable InputStream own(@Nullable InputStream value) throws SQLException {
    if (!shared || value == null) {
      return value;
    }
    try {
      return new ByteArrayInputStream(value.readAllBytes());
    } catch (IOException e) {
      throw new SQLException("The stream of a value cannot be read.", "58030", e);
    }
  }

  /** Answers whether {@code value} must be made again, now that its row is the user's own. */
  private boolean keepsBytes(@Nullable Object value) throws SQLException {
    if (shared && PostgresResults.mayKeepBytes(value)) {
      PostgresResults.unshareRow(result);
      return true;
    }
    return false;
  }

  @Override
  public void insertRow() throws SQLException {
    write(result::insertRow);
  }

  @Override
  public void updateRow() throws SQLException {
    write(result::updateRow);
  }

  @Override
  public void deleteRow() throws SQLException {
    write(result::deleteRow);
  }

  @Override
  public void refreshRow() throws SQLException {
    if (result.getConcurrency() == CONCUR_UPDATABLE) {
      owner.owningConnection().physical().touched();
    }
    result.refreshRow();
    owner.owningConnection().physical().reads().everything(); // The driver has asked by itself.
  }

  private void write(RowWrite write) throws SQLException {
    if (result.getConcurrency() != CONCUR_UPDATABLE) {
      write.run();
      return;
    }
    StatementGate.Passage passage = owner.beforeRowWrite(this);
    Throwable failure = null;
    try {
      write.run();
    } catch (SQLException | RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      passage.leave(failure);
    }
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    if (iface.isInstance(this)) {
      return iface.cast(this);
    }
    if (shared && result.isWrapperFor(iface)) {
      PostgresResults.unshareAll(result);
      shared = false;
    }
    if (result.isWrapperFor(iface)) {
      owner.beforeUnwrap(iface);
    }
    return result.unwrap(iface);
  }

  /** Writes the row that an updatable result set is on. */
  @FunctionalInterface
  private interface RowWrite {
    void run() throws SQLException;
  }
}
