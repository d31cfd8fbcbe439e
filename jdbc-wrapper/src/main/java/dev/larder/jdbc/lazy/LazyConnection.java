package dev.larder.jdbc.lazy;

import dev.larder.engine.Plan;
import dev.larder.log.CacheLog;
import dev.larder.result.CachedResult;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementKind;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A connection above the pool. It answers hits, and what it knows, by itself; anything else borrows
 * a connection of the pool. Like the driver's it is meant for one thread at a time.
 */
final class LazyConnection extends BorrowingConnection {
  private static final Object[] NO_BINDS = {};

  LazyConnection(LazyPool pool, @Nullable UsualSession session, @Nullable Borrowed borrowed) {
    super(pool, session, borrowed);
  }

  // ---- look-ups

  /** Returns the plan of a text that may be looked up, or null. */
  @Nullable Plan plan(@Nullable String sql, boolean prepared) {
    UsualSession own = looking();
    // The driver replaces escapes of JDBC.
    return own == null || sql == null || sql.indexOf('{') >= 0 ? null : own.plan(sql, prepared);
  }

  /** Returns the rows of a hit, or null: then the statement needs a connection. */
  @Nullable LazyResultSet look(Plan plan, Object[] binds, LazyStatement statement, boolean prepared)
      throws SQLException {
    UsualSession own = looking();
    looked(plan.shape().kind() == StatementKind.QUERY);
    if (own == null || !isUsual(own) || !mayHit()) {
      return null;
    }
    CachedResult result = look(own, plan, binds, statement.maxRows(), prepared);
    LazyResultSet rows = result == null ? null : rows(own, result, statement);
    if (rows != null) {
      looked(false);
      hit();
    }
    return rows;
  }

  private @Nullable LazyResultSet rows(
      UsualSession own, CachedResult result, LazyStatement statement) throws SQLException {
    ResultSet rows = own.rows(result);
    if (rows == null) {
      return null;
    }
    statement.setUp(rows);
    return new LazyResultSet(rows, statement, this, result);
  }

  private @Nullable CachedResult look(
      UsualSession session, Plan plan, Object[] binds, long maxRows, boolean prepared) {
    try {
      return session.look(plan, binds, maxRows, prepared, view(session));
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking a statement up above the pool", e);
      return null;
    }
  }

  // ---- settings of a transaction

  /** Returns whether {@code plan} is SET LOCAL, and the server need not know of it yet. */
  boolean holds(Plan plan) throws SQLException {
    return plan.shape().kind() == StatementKind.SET && held(plan, NO_BINDS) != null;
  }

  /** Returns the row of set_config, where the server need not know of it yet; or null. */
  @Nullable LazyResultSet holds(Plan plan, Object[] binds, LazyStatement statement)
      throws SQLException {
    UsualSession own = looking();
    SessionCommand command = plan.shape().kind() == StatementKind.QUERY ? held(plan, binds) : null;
    if (own == null || command == null) {
      return null;
    }
    looked(false);
    return rows(own, own.row(command), statement);
  }

  private @Nullable SessionCommand held(Plan plan, Object[] binds) throws SQLException {
    UsualSession own = looking();
    if (own == null) {
      return null;
    }
    try {
      SessionCommand command = own.local(plan, binds);
      boolean query = plan.shape().kind() == StatementKind.QUERY;
      return command != null && hold(own, command, query) ? command : null;
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "holding back a setting above the pool", e);
      return null;
    }
  }

  // ---- statements

  @Override
  public Statement createStatement() throws SQLException {
    return new LazyStatement(this, Connection::createStatement, looking() == null);
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    return new LazyStatement(
        this, c -> c.createStatement(type, concurrency), !isPlain(type, concurrency));
  }

  @Override
  public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
    return new LazyStatement(this, c -> c.createStatement(type, concurrency, holdability), true);
  }

  private boolean isPlain(int type, int concurrency) {
    return looking() != null
        && type == ResultSet.TYPE_FORWARD_ONLY
        && concurrency == ResultSet.CONCUR_READ_ONLY;
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return new LazyPreparedStatement(this, c -> c.prepareStatement(sql), sql, plan(sql, true));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    Plan plan = isPlain(type, concurrency) ? plan(sql, true) : null;
    return new LazyPreparedStatement(
        this, c -> c.prepareStatement(sql, type, concurrency), sql, plan);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return new LazyPreparedStatement(
        this, c -> c.prepareStatement(sql, type, concurrency, holdability), sql, null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    return new LazyPreparedStatement(
        this, c -> c.prepareStatement(sql, autoGeneratedKeys), sql, null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    return new LazyPreparedStatement(this, c -> c.prepareStatement(sql, columnIndexes), sql, null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    return new LazyPreparedStatement(this, c -> c.prepareStatement(sql, columnNames), sql, null);
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return new LazyCall(this, super.prepareCall(sql));
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    return new LazyCall(this, super.prepareCall(sql, type, concurrency));
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return new LazyCall(this, super.prepareCall(sql, type, concurrency, holdability));
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    UsualSession own = looking();
    KnownDatabase known = own == null ? KnownDatabase.of(super.getMetaData()) : own.knownDatabase();
    return new LazyDatabaseMetaData(this, known);
  }
}
