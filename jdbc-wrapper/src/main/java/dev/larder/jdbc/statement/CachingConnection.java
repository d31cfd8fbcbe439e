package dev.larder.jdbc.statement;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.delegate.DelegatingConnection;
import dev.larder.jdbc.gate.GatedBaseConnection;
import dev.larder.jdbc.gate.GatedPgConnection;
import dev.larder.jdbc.gate.StatementGate;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionBlock;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.jdbc.session.Isolation;
import dev.larder.jdbc.statement.CachingPreparedStatement.StatementFactory;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose queries may be answered from memory. It makes Larder's statements, and sends
 * whatever ends or changes a transaction between announce and publish. Like the driver's it is
 * meant for one thread at a time.
 */
public final class CachingConnection extends DelegatingConnection implements GatedPgConnection {
  private final Connection delegate;
  private final PhysicalConnection physical;
  private final ReplayStatements replay;
  private final StatementPipeline pipeline;
  private final LarderCommands commands;
  private ReplayOptions replayOptions;
  private volatile boolean handleClosed;

  public CachingConnection(Connection delegate, PhysicalConnection physical) throws SQLException {
    this.delegate = delegate;
    this.physical = physical;
    this.replay = new ReplayStatements(delegate);
    this.pipeline = new StatementPipeline(physical);
    this.commands = new LarderCommands(this);
    this.replayOptions = physical.session().replayOptions();
  }

  @Override
  protected Connection delegate() throws SQLException {
    physical.touched();
    return delegate;
  }

  /** Returns what is known of the connection to the server. */
  public PhysicalConnection physical() {
    return physical;
  }

  ReplayStatements replay() {
    return replay;
  }

  StatementPipeline pipeline() {
    return pipeline;
  }

  LarderCommands commands() {
    return commands;
  }

  /** Returns the options of a new statement. */
  public ReplayOptions replayOptions() {
    return replayOptions;
  }

  /** Returns the plan of a text as the driver will send it. */
  Plan plan(String sql, boolean prepared, boolean escapes) throws SQLException {
    boolean mayEscape = escapes && sql.indexOf('{') >= 0;
    return physical.plan(mayEscape ? physical.session().replaceEscapes(sql) : sql, prepared);
  }

  // ---- statements

  @Override
  public Statement createStatement() throws SQLException {
    return new CachingStatement(this, delegate.createStatement());
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    return statement(delegate.createStatement(type, concurrency), type, concurrency);
  }

  @Override
  public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
    return statement(delegate.createStatement(type, concurrency, holdability), type, concurrency);
  }

  private CachingStatement statement(Statement made, int type, int concurrency) {
    CachingStatement statement = new CachingStatement(this, made);
    statement.resultSetKind(type, concurrency);
    return statement;
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return prepared(sql, null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    return prepared(
        sql, () -> delegate.prepareStatement(sql, type, concurrency), type, concurrency, true);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return prepared(
        sql,
        () -> delegate.prepareStatement(sql, type, concurrency, holdability),
        type,
        concurrency,
        holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT
            || holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT);
  }

  private CachingPreparedStatement prepared(
      String sql, StatementFactory factory, int type, int concurrency, boolean usualHoldability)
      throws SQLException {
    boolean usual =
        usualHoldability
            && type >= ResultSet.TYPE_FORWARD_ONLY
            && type <= ResultSet.TYPE_SCROLL_SENSITIVE
            && (concurrency == ResultSet.CONCUR_READ_ONLY
                || concurrency == ResultSet.CONCUR_UPDATABLE);
    if (!usual) {
      factory.create().close(); // The driver says at once which options it does not take.
    }
    CachingPreparedStatement statement = prepared(sql, factory);
    statement.resultSetKind(type, concurrency);
    return statement;
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    StatementFactory factory = () -> delegate.prepareStatement(sql, autoGeneratedKeys);
    return autoGeneratedKeys == Statement.RETURN_GENERATED_KEYS
        ? returning(sql, factory)
        : prepared(sql, factory);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    StatementFactory factory = () -> delegate.prepareStatement(sql, columnIndexes);
    factory.create().close(); // As above.
    return returning(sql, factory);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    return returning(sql, () -> delegate.prepareStatement(sql, columnNames));
  }

  private PreparedStatement returning(String sql, StatementFactory factory) throws SQLException {
    return CachingPreparedStatement.returnsNoKeys(sql, plan(sql, true, true))
        ? prepareStatement(sql)
        : prepared(sql, factory).returningKeys();
  }

  CachingPreparedStatement prepared(String sql, @Nullable StatementFactory factory)
      throws SQLException {
    if (isKnownClosed()) {
      prepareAtDriver(sql).close();
    }
    return new CachingPreparedStatement(this, sql, plan(sql, true, true), factory);
  }

  /** Returns the driver's statement without options. */
  PreparedStatement prepareAtDriver(String sql) throws SQLException {
    return delegate.prepareStatement(sql);
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return CallableQuery.prepare(this, sql, () -> delegate.prepareCall(sql));
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    return call(delegate.prepareCall(sql, type, concurrency), sql);
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return call(delegate.prepareCall(sql, type, concurrency, holdability), sql);
  }

  /** Whatever the text of a call is not understood as, it may do anything. */
  CallableStatement call(CallableStatement made, String sql) {
    return new CachingCallableStatement(this, made, sql, physical.plan(sql, true));
  }

  // ---- transactions: described by the SQL that the driver sends

  private <T> T sendAs(String sql, SqlCall<T> call) throws SQLException {
    return pipeline.send(physical.plan(sql, false), Set.of(), call);
  }

  private void runAs(String sql, SqlCall.Action action) throws SQLException {
    sendAs(sql, SqlCall.of(action));
  }

  @Override
  public void commit() throws SQLException {
    runAs("COMMIT", delegate::commit);
  }

  @Override
  public void rollback() throws SQLException {
    runAs("ROLLBACK", () -> delegate.rollback());
  }

  @Override
  public void setAutoCommit(boolean autoCommit) throws SQLException {
    if (autoCommit && physical.session().commitMode() == CommitMode.MANUAL) {
      runAs("COMMIT", () -> delegate.setAutoCommit(true));
    } else {
      delegate().setAutoCommit(autoCommit);
    }
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return Savepoints.set(physical, () -> delegate.setSavepoint());
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return Savepoints.set(physical, () -> delegate.setSavepoint(name));
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    Savepoints.rollBackTo(physical, savepoint, () -> delegate.rollback(savepoint));
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    Savepoints.release(physical, savepoint, () -> delegate.releaseSavepoint(savepoint));
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    checkNotBegun("isolation level");
    delegate().setTransactionIsolation(level);
    physical.state().tracker().sessionLevel(Isolation.of(level));
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    Isolation known = physical.isolation();
    return known == Isolation.UNKNOWN ? delegate().getTransactionIsolation() : known.level();
  }

  /** Throws what the driver would, had it sent what hits have answered. */
  private void checkNotBegun(String what) throws SQLException {
    if (physical.transaction().begunByHitAlone() && !isKnownClosed()) {
      throw TransactionBlock.activeTransaction(what);
    }
  }

  /** Returns whether nothing can be done but to have the driver say that it is closed. */
  private boolean isKnownClosed() {
    return handleClosed || physical.isFoundClosed();
  }

  @Override
  public void setReadOnly(boolean readOnly) throws SQLException {
    checkNotBegun("read-only property");
    delegate().setReadOnly(readOnly);
  }

  @Override
  public void setSchema(@Nullable String schema) throws SQLException {
    String text =
        schema == null || schema.indexOf('\\') >= 0
            ? "SET search_path TO DEFAULT"
            : "SET search_path TO '" + schema.replace("'", "''") + '\'';
    runAs(text, () -> delegate.setSchema(schema));
  }

  // ---- where objects lead

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    return new CachingDatabaseMetaData(this, delegate.getMetaData());
  }

  @Override
  public @Nullable Array createArrayOf(String typeName, Object @Nullable [] elements)
      throws SQLException {
    return (Array) lead(super.createArrayOf(typeName, elements));
  }

  @Override
  public ResultSet leadRows(ResultSet rows) throws SQLException {
    return new CachingResultSet(rows, new CachingStatement(this, rows.getStatement()), false);
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    if (isKnownClosed() && delegate.isWrapperFor(iface)) {
      delegate.unwrap(iface);
    }
    T gated = GatedBaseConnection.as(iface, this);
    return gated == null ? unwrap(this, delegate, iface) : gated;
  }

  @Override
  public boolean isWrapperFor(Class<?> iface) throws SQLException {
    return iface.isInstance(this) || delegate.isWrapperFor(iface);
  }

  /** Unwraps {@code self}, an object of this connection, of which the driver's is behind it. */
  <T> T unwrap(Object self, Wrapper driver, Class<T> iface) throws SQLException {
    if (iface.isInstance(self)) {
      return iface.cast(self);
    }
    if (driver.isWrapperFor(iface)) {
      beforeUnwrap(iface);
    }
    return driver.unwrap(iface);
  }

  @Override
  public void beforeUnwrap(Class<?> iface) throws SQLException {
    if (physical.cache().config().get(CacheOptions.UNWRAP) == QueryCacheConfig.Unwrap.REFUSE) {
      throw new SQLFeatureNotSupportedException(
          "LRD-041 unwrap(%s) is refused because larder.unwrap=refuse: writes through it cannot be seen."
                  .formatted(iface.getName())
              + " Use org.postgresql.PGConnection, or set larder.unwrap=uncached.",
          "0A000");
    }
    replay.forgetStatements();
    physical.unwrapped();
  }

  // ---- the driver's extensions

  @Override
  public PostgresSession session() {
    return physical.session();
  }

  @Override
  public StatementGate gate() throws SQLException {
    if (isKnownClosed()) {
      delegate.clearWarnings();
    }
    return physical;
  }

  @Override
  public void formatsChanged() {
    physical.formatsChanged();
  }

  @Override
  public void setDefaultFetchSize(int fetchSize) throws SQLException {
    GatedPgConnection.super.setDefaultFetchSize(fetchSize);
    replayOptions = physical.session().replayOptions();
  }

  // ---- life

  @Override
  public boolean isClosed() throws SQLException {
    boolean closed = delegate.isClosed();
    if (closed) {
      // Who is told so may not close it any more, though it was the server that has ended it.
      physical.closed();
    }
    return closed;
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    return delegate.getAutoCommit();
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    Executor closing = command -> executor.execute(() -> runAndClose(command));
    delegate.abort(executor == null ? executor : closing);
    // The driver aborts nothing that the server has ended.
    physical.closed();
  }

  private void runAndClose(Runnable command) {
    command.run();
    physical.closed();
  }

  /** Returns whether this handle was closed, though what is below it may live on. */
  boolean isHandleClosed() {
    return handleClosed;
  }

  @Override
  public void close() throws SQLException {
    handleClosed = true;
    try {
      delegate.close();
    } finally {
      physical.closed();
    }
  }

  /** Says that Larder is there, and what is below it: pools log it. */
  @Override
  public String toString() {
    return "Larder@" + Integer.toHexString(System.identityHashCode(this)) + " wrapping " + delegate;
  }
}
