package dev.larder.jdbc.postgresql;

import java.sql.SQLException;
import org.postgresql.PGStatement;

/**
 * The driver's extensions of a statement as the application gets them by {@code
 * unwrap(PGStatement.class)}: none of them can write, but the driver's own object could. As
 * thread-safe as the driver's.
 */
final class GatedPgStatement implements PGStatement {
  private final PGStatement driver;

  GatedPgStatement(PGStatement driver) {
    this.driver = driver;
  }

  @Override
  public long getLastOID() throws SQLException {
    return driver.getLastOID();
  }

  @Override
  @Deprecated
  public void setUseServerPrepare(boolean flag) throws SQLException {
    driver.setUseServerPrepare(flag);
  }

  @Override
  public boolean isUseServerPrepare() {
    return driver.isUseServerPrepare();
  }

  @Override
  public void setPrepareThreshold(int threshold) throws SQLException {
    driver.setPrepareThreshold(threshold);
  }

  @Override
  public int getPrepareThreshold() {
    return driver.getPrepareThreshold();
  }

  @Override
  public void setAdaptiveFetch(boolean adaptiveFetch) {
    driver.setAdaptiveFetch(adaptiveFetch);
  }

  @Override
  public boolean getAdaptiveFetch() {
    return driver.getAdaptiveFetch();
  }
}
