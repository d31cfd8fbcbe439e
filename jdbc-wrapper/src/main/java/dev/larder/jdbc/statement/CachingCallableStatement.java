package dev.larder.jdbc.statement;

import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.delegate.DelegatingCallableStatement;
import dev.larder.jdbc.format.CountedText;
import dev.larder.jdbc.format.DeclaredTypes;
import dev.larder.jdbc.gate.GatedPgStatement;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A call: it passes through, between announce and publish. */
final class CachingCallableStatement extends DelegatingCallableStatement
    implements GatedPgStatement, ResultSetOwner {
  private final CachingConnection connection;
  private final CallableStatement delegate;
  private final Plan plan;
  private final String sql;
  private final @Nullable CountedText text;
  private Set<Long> batchTypes = Set.of();
  private @Nullable CachingResultSet current;

  CachingCallableStatement(
      CachingConnection connection, CallableStatement delegate, String sql, Plan plan) {
    this.connection = connection;
    this.delegate = delegate;
    this.sql = sql;
    this.plan = plan;
    this.text = connection.physical().session().formats().prepared(sql, true);
  }

  @Override
  protected CallableStatement delegate() throws SQLException {
    connection.physical().touched();
    return delegate;
  }

  @Override
  public Statement driverStatement() throws SQLException {
    return delegate();
  }

  private <T extends @Nullable Object> T send(SqlCall<T> call) throws SQLException {
    Set<Long> types = DeclaredTypes.union(batchTypes, DeclaredTypes.of(delegate));
    return connection.pipeline().send(plan, types, call);
  }

  @Override
  protected <T> T sendText(String sql, TextCall<T> call, T nothing) throws SQLException {
    Plan plan = connection.plan(sql, false, true);
    return connection.pipeline().send(plan, Set.of(), () -> call.on(delegate));
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    return delegate().executeUpdate(sql); // Refused by the driver.
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    return wrap(send(delegate::executeQuery));
  }

  @Override
  public boolean execute() throws SQLException {
    return send(delegate::execute);
  }

  @Override
  public int executeUpdate() throws SQLException {
    return send(delegate::executeUpdate);
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return send(delegate::executeLargeUpdate);
  }

  @Override
  public void addBatch() throws SQLException {
    batchTypes = DeclaredTypes.union(batchTypes, DeclaredTypes.of(delegate));
    delegate().addBatch();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    return send(delegate::executeBatch);
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    return send(delegate::executeLargeBatch);
  }

  private ResultSet wrap(ResultSet result) {
    CachingResultSet live = CachingResultSet.of(current, result, this, false);
    current = live;
    return live;
  }

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    ResultSet result = delegate().getResultSet();
    return result == null ? null : wrap(result);
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    return new CachingResultSet(delegate().getGeneratedKeys(), this, false);
  }

  @Override
  public @Nullable Object getObject(int index) throws SQLException {
    return connection.lead(delegate().getObject(index));
  }

  @Override
  public @Nullable Object getObject(String name) throws SQLException {
    return connection.lead(delegate().getObject(name));
  }

  @Override
  public @Nullable Object getObject(int index, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return connection.lead(delegate().getObject(index, map));
  }

  @Override
  public @Nullable Object getObject(String name, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return connection.lead(delegate().getObject(name, map));
  }

  @Override
  public <T> @Nullable T getObject(int index, Class<T> type) throws SQLException {
    return type.cast(connection.lead(delegate().getObject(index, type)));
  }

  @Override
  public @Nullable Array getArray(int index) throws SQLException {
    return (Array) connection.lead(delegate().getArray(index));
  }

  @Override
  public @Nullable Array getArray(String name) throws SQLException {
    return (Array) connection.lead(delegate().getArray(name));
  }

  @Override
  public void close() throws SQLException {
    boolean open = !delegate.isClosed();
    delegate().close();
    if (open) {
      connection.physical().session().formats().closed(text, sql, true);
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    delegate.getConnection();
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

  @Override
  public Statement statement() {
    return this;
  }

  @Override
  public CachingConnection owningConnection() {
    return connection;
  }
}
