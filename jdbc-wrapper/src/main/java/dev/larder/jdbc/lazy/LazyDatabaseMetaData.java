package dev.larder.jdbc.lazy;

import dev.larder.jdbc.delegate.DelegatingDatabaseMetaData;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of the pool's connection, which lead to the connection above the pool. What is known
 * without one is answered without one.
 */
final class LazyDatabaseMetaData extends DelegatingDatabaseMetaData {
  private final LazyConnection connection;
  private final KnownDatabase known;
  private @Nullable DatabaseMetaData pooled;

  LazyDatabaseMetaData(LazyConnection connection, KnownDatabase known) {
    this.connection = connection;
    this.known = known;
  }

  @Override
  protected DatabaseMetaData delegate() {
    try {
      DatabaseMetaData found = pooled;
      if (found == null) {
        found = connection.borrow().pooled().getMetaData();
        pooled = found;
      }
      return found;
    } catch (SQLException e) {
      throw Borrowed.<RuntimeException>unchanged(e);
    }
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  // ---- what is known

  @Override
  public String getURL() {
    return known.url();
  }

  @Override
  public String getUserName() {
    return known.user();
  }

  @Override
  public String getDatabaseProductName() {
    return known.product().name();
  }

  @Override
  public String getDatabaseProductVersion() {
    return known.product().version();
  }

  @Override
  public int getDatabaseMajorVersion() {
    return known.product().major();
  }

  @Override
  public int getDatabaseMinorVersion() {
    return known.product().minor();
  }

  @Override
  public String getDriverName() {
    return known.driver().name();
  }

  @Override
  public String getDriverVersion() {
    return known.driver().version();
  }

  @Override
  public int getDriverMajorVersion() {
    return known.driver().major();
  }

  @Override
  public int getDriverMinorVersion() {
    return known.driver().minor();
  }

  @Override
  public int getJDBCMajorVersion() {
    return known.jdbcMajor();
  }

  @Override
  public int getJDBCMinorVersion() {
    return known.jdbcMinor();
  }
}
