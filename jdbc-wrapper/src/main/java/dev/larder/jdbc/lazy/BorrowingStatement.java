package dev.larder.jdbc.lazy;

import dev.larder.jdbc.delegate.DelegatingStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The statement of the pool's connection behind one of ours, made when something is first asked of
 * it, and the options that are kept until then. As thread-safe as the driver's: {@link #cancel} may
 * be called from any thread.
 */
abstract class BorrowingStatement extends DelegatingStatement {
  private static final int AS_USUAL = -1;

  final LazyConnection connection;
  private final Making making;
  private volatile @Nullable Statement delegate;
  private boolean closed;
  private int maxRows;
  private int fetchSize = AS_USUAL;
  private int queryTimeout = AS_USUAL;

  /** Makes the statement of the pool's connection. */
  @FunctionalInterface
  interface Making {
    Statement make(Connection pooled) throws SQLException;
  }

  BorrowingStatement(LazyConnection connection, Making making, boolean atOnce) throws SQLException {
    this.connection = connection;
    this.making = making;
    if (atOnce) {
      this.delegate = making.make(connection.borrow().pooled());
    }
  }

  // ---- the statement of the pool's connection

  @Override
  protected Statement delegate() throws SQLException {
    Statement made = delegate;
    if (made == null) {
      made = make();
      delegate = made;
    }
    return made;
  }

  private Statement make() throws SQLException {
    Statement made = making.make(connection.borrow().pooled());
    try {
      if (maxRows > 0) {
        made.setMaxRows(maxRows);
      }
      if (fetchSize != AS_USUAL) {
        made.setFetchSize(fetchSize);
      }
      if (queryTimeout != AS_USUAL) {
        made.setQueryTimeout(queryTimeout);
      }
      setUp(made);
    } catch (SQLException | RuntimeException | Error e) {
      made.close();
      throw e;
    }
    if (closed) {
      made.close(); // It says so itself.
    }
    return made;
  }

  /** Gives a statement of the pool's what it does not have. */
  void setUp(Statement made) throws SQLException {}

  final boolean hasDelegate() {
    return delegate != null;
  }

  /** Ends what a subclass has open. */
  void beforeClose() throws SQLException {}

  // ---- options

  final int maxRows() {
    return maxRows;
  }

  /** Gives the rows of a hit what was set here. */
  final void setUp(ResultSet rows) throws SQLException {
    if (fetchSize != AS_USUAL) {
      rows.setFetchSize(fetchSize);
    }
  }

  /** Returns whether all that there is of the statement is here. */
  final boolean isUntouched() throws SQLException {
    return delegate == null && !isClosed();
  }

  @Override
  public void setMaxRows(int max) throws SQLException {
    if (max >= 0 && isUntouched()) {
      maxRows = max;
    } else {
      delegate().setMaxRows(max);
    }
  }

  @Override
  public int getMaxRows() throws SQLException {
    return isUntouched() ? maxRows : delegate().getMaxRows();
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    if (rows >= 0 && isUntouched()) {
      fetchSize = rows;
    } else {
      delegate().setFetchSize(rows);
    }
  }

  @Override
  public int getFetchSize() throws SQLException {
    PooledSession usual = isUntouched() ? connection.usual() : null;
    return usual == null
        ? delegate().getFetchSize()
        : fetchSize == AS_USUAL ? usual.options().fetchSize() : fetchSize;
  }

  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    if (seconds >= 0 && isUntouched()) {
      queryTimeout = seconds;
    } else {
      delegate().setQueryTimeout(seconds);
    }
  }

  @Override
  public int getQueryTimeout() throws SQLException {
    PooledSession usual = isUntouched() ? connection.usual() : null;
    return usual == null
        ? delegate().getQueryTimeout()
        : queryTimeout == AS_USUAL ? usual.queryTimeout() : queryTimeout;
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    return isUntouched() ? null : delegate().getWarnings();
  }

  @Override
  public void clearWarnings() throws SQLException {
    if (!isUntouched()) {
      delegate().clearWarnings();
    }
  }

  // ---- life

  final boolean isClosedByUs() {
    return closed;
  }

  @Override
  public void cancel() throws SQLException {
    Statement made = delegate;
    if (made != null) {
      made.cancel();
    }
  }

  @Override
  public boolean isClosed() throws SQLException {
    Statement made = delegate;
    return closed || (made == null ? connection.isClosedByUs() : made.isClosed());
  }

  @Override
  public void close() throws SQLException {
    if (!closed) {
      beforeClose();
      closed = true;
      Statement made = delegate;
      if (made != null) {
        made.close();
      }
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (isClosed()) {
      delegate().getConnection(); // For its exception.
    }
    return connection;
  }

  @Override
  public String toString() {
    Statement made = delegate;
    return made == null ? super.toString() : made.toString();
  }
}
