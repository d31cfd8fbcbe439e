package dev.larder.jdbc.gate;

import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGStatement;

/**
 * The driver's extensions of a statement, for the application: none of them can write. Getters that
 * throw nothing answer on a closed connection as for a statement that is never prepared at the
 * server. As thread-safe as the driver's.
 */
public interface GatedPgStatement extends PGStatement {
  /** Returns the driver's statement, or a wrapper that unwraps to it; may make it. */
  Statement driverStatement() throws SQLException;

  private PGStatement driver() throws SQLException {
    return driverStatement().unwrap(PGStatement.class);
  }

  @Override
  default long getLastOID() throws SQLException {
    return driver().getLastOID();
  }

  @Override
  @Deprecated
  default void setUseServerPrepare(boolean flag) throws SQLException {
    driver().setUseServerPrepare(flag);
  }

  @Override
  default boolean isUseServerPrepare() {
    try {
      return driver().isUseServerPrepare();
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  default void setPrepareThreshold(int threshold) throws SQLException {
    driver().setPrepareThreshold(threshold);
  }

  @Override
  default int getPrepareThreshold() {
    try {
      return driver().getPrepareThreshold();
    } catch (SQLException e) {
      return 0;
    }
  }

  @Override
  default void setAdaptiveFetch(boolean adaptiveFetch) {
    try {
      driver().setAdaptiveFetch(adaptiveFetch);
    } catch (SQLException e) {
      // Nothing is fetched by it any more.
    }
  }

  @Override
  default boolean getAdaptiveFetch() {
    try {
      return driver().getAdaptiveFetch();
    } catch (SQLException e) {
      return false;
    }
  }
}
