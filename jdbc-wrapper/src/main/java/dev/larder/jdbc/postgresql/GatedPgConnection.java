package dev.larder.jdbc.postgresql;

import java.sql.Array;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.fastpath.FastpathArg;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PreferQueryMode;
import org.postgresql.largeobject.LargeObjectManager;
import org.postgresql.replication.PGReplicationConnection;
import org.postgresql.util.PGobject;

/**
 * The driver's extensions as the application gets them by {@code unwrap(PGConnection.class)}: what
 * can write goes through the gate. As thread-safe as the driver's.
 */
final class GatedPgConnection implements PGConnection {
  private final BaseConnection driver;
  private final StatementGate gate;
  private final Leading leading;

  GatedPgConnection(BaseConnection driver, StatementGate gate, Leading leading) {
    this.driver = driver;
    this.gate = gate;
    this.leading = leading;
  }

  @Override
  public CopyManager getCopyAPI() throws SQLException {
    return new AnnouncingCopyManager(driver, gate);
  }

  @Override
  @Deprecated
  public Fastpath getFastpathAPI() {
    return new GatedFastpath(driver, gate);
  }

  @Override
  public void alterUserPassword(String user, char[] newPassword, @Nullable String encryptionType)
      throws SQLException {
    StatementGate.Passage passage = gate.enter(null);
    Throwable thrown = null;
    try {
      driver.alterUserPassword(user, newPassword, encryptionType);
    } catch (SQLException | RuntimeException | Error e) {
      thrown = e;
      throw e;
    } finally {
      passage.leave(thrown);
    }
  }

  /** A function call by number: it may do anything. */
  @SuppressWarnings("deprecation") // The driver deprecates the class, applications still use it.
  private static final class GatedFastpath extends Fastpath {
    private final StatementGate gate;

    GatedFastpath(BaseConnection driver, StatementGate gate) {
      super(driver);
      this.gate = gate;
    }

    // Every other call of the driver's ends in this one.
    @Override
    public byte @Nullable [] fastpath(int function, FastpathArg[] arguments) throws SQLException {
      StatementGate.Passage passage = gate.enter(null);
      Throwable thrown = null;
      try {
        return super.fastpath(function, arguments);
      } catch (SQLException | RuntimeException | Error e) {
        thrown = e;
        throw e;
      } finally {
        passage.leave(thrown);
      }
    }
  }

  // ---- what changes formats: a class that reads a type in binary has it sent so

  @Override
  public void addDataType(String type, Class<? extends PGobject> klass) throws SQLException {
    try {
      driver.addDataType(type, klass);
    } finally {
      gate.formatsChanged();
    }
  }

  @Override
  @Deprecated
  public void addDataType(String type, String className) {
    try {
      driver.addDataType(type, className);
    } finally {
      gate.formatsChanged();
    }
  }

  // ---- what passes through

  @Override
  public @Nullable Array createArrayOf(String typeName, @Nullable Object elements)
      throws SQLException {
    return (Array) leading.lead(driver.createArrayOf(typeName, elements));
  }

  @Override
  public PGNotification @Nullable [] getNotifications() throws SQLException {
    return driver.getNotifications();
  }

  @Override
  public PGNotification @Nullable [] getNotifications(int timeoutMillis) throws SQLException {
    return driver.getNotifications(timeoutMillis);
  }

  @Override
  public LargeObjectManager getLargeObjectAPI() throws SQLException {
    return driver.getLargeObjectAPI();
  }

  @Override
  public void setPrepareThreshold(int threshold) {
    driver.setPrepareThreshold(threshold);
  }

  @Override
  public int getPrepareThreshold() {
    return driver.getPrepareThreshold();
  }

  @Override
  public void setDefaultFetchSize(int fetchSize) throws SQLException {
    driver.setDefaultFetchSize(fetchSize);
  }

  @Override
  public int getDefaultFetchSize() {
    return driver.getDefaultFetchSize();
  }

  @Override
  public int getBackendPID() {
    return driver.getBackendPID();
  }

  @Override
  public void cancelQuery() throws SQLException {
    driver.cancelQuery();
  }

  @Override
  public String escapeIdentifier(String identifier) throws SQLException {
    return driver.escapeIdentifier(identifier);
  }

  @Override
  public String escapeLiteral(String literal) throws SQLException {
    return driver.escapeLiteral(literal);
  }

  @Override
  public PreferQueryMode getPreferQueryMode() {
    return driver.getPreferQueryMode();
  }

  @Override
  public AutoSave getAutosave() {
    return driver.getAutosave();
  }

  @Override
  public void setAutosave(AutoSave autoSave) {
    driver.setAutosave(autoSave);
  }

  @Override
  public PGReplicationConnection getReplicationAPI() {
    return driver.getReplicationAPI();
  }

  @Override
  public Map<String, String> getParameterStatuses() {
    return driver.getParameterStatuses();
  }

  @Override
  public @Nullable String getParameterStatus(String parameterName) {
    return driver.getParameterStatus(parameterName);
  }

  @Override
  public void setAdaptiveFetch(boolean adaptiveFetch) {
    driver.setAdaptiveFetch(adaptiveFetch);
  }

  @Override
  public boolean getAdaptiveFetch() {
    return driver.getAdaptiveFetch();
  }

  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    driver.setQueryTimeout(seconds);
  }

  @Override
  public int getQueryTimeout() {
    return driver.getQueryTimeout();
  }
}
