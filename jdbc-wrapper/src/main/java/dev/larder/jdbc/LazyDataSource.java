package dev.larder.jdbc;

import dev.larder.jdbc.lazy.LazyPool;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A data source above a pool of connections through Larder. Its connections answer hits by
 * themselves, and borrow one of the pool's at the first statement that is no hit. So a hit does not
 * wait for the pool. The option {@code larder.lazyConnections} of the pool's connections switches
 * that on; without it, and wherever Larder is in doubt, a connection is borrowed at once.
 * Thread-safe.
 *
 * <pre>{@code
 * hikari.setJdbcUrl("jdbc:larder:postgresql://localhost/shop?larder.lazyConnections=auto");
 * DataSource source = new LazyDataSource(new HikariDataSource(hikari));
 * }</pre>
 */
public final class LazyDataSource implements DataSource, AutoCloseable {
  private final DataSource pool;
  private final KnownPool known;
  private final LazyPool lazy;

  /**
   * Makes a data source.
   *
   * @param pool below which Larder is; this one closes it
   */
  public LazyDataSource(DataSource pool) {
    this.pool = pool;
    this.known = new KnownPool(pool);
    this.lazy = new LazyPool(pool::getConnection, known);
  }

  /**
   * Returns a connection, which may not be one of the pool's yet: that the database answers shows
   * the first statement that needs it.
   *
   * @throws SQLException what the pool throws, if it is closed, or a connection is needed at once
   */
  @Override
  public Connection getConnection() throws SQLException {
    if (known.isClosed()) {
      lazy.close();
    }
    return lazy.open();
  }

  /** Returns a connection of the pool as another user. */
  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return pool.getConnection(user, password);
  }

  /** Closes the pool, if it can be closed. */
  @Override
  public void close() throws SQLException {
    lazy.close();
    known.close();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    return type.isInstance(pool) ? type.cast(pool) : pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || type.isInstance(pool) || pool.isWrapperFor(type);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    pool.setLogWriter(out);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return pool.getParentLogger();
  }

  @Override
  public String toString() {
    return "LazyDataSource above " + pool;
  }
}
