package dev.larder.jdbc.gate;

import dev.larder.engine.FollowedSession;
import dev.larder.jdbc.postgresql.PostgresSession;
import java.sql.Array;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PreferQueryMode;
import org.postgresql.largeobject.LargeObjectManager;
import org.postgresql.replication.PGReplicationConnection;
import org.postgresql.util.PGobject;

/**
 * The driver's extensions of a connection, for the application: what can write goes through the
 * gate. As thread-safe as the driver's.
 */
public interface GatedPgConnection extends PGConnection, Leading {
  /** Returns the driver's side of the connection. */
  PostgresSession session();

  /**
   * Returns what the writes pass through.
   *
   * @throws SQLException if the connection is closed
   */
  StatementGate gate() throws SQLException;

  /** See {@link StatementGate#formatsChanged}. */
  void formatsChanged();

  /**
   * Called before an object of the driver is handed out, through which writes are unseen.
   *
   * @throws SQLException if {@code larder.unwrap} refuses that
   */
  void beforeUnwrap(Class<?> type) throws SQLException;

  private BaseConnection driver() {
    return session().driver();
  }

  @Override
  default CopyManager getCopyAPI() throws SQLException {
    gate(); // For its error, if the connection is closed.
    return new CopyManager(GatedBaseConnection.of(this));
  }

  @Override
  @Deprecated
  default Fastpath getFastpathAPI() throws SQLException {
    return GatedFastpath.ofAnything(driver(), gate());
  }

  @Override
  default void alterUserPassword(String user, char[] newPassword, @Nullable String encryptionType)
      throws SQLException {
    boolean unused =
        gate()
            .pass(
                null,
                () -> {
                  driver().alterUserPassword(user, newPassword, encryptionType);
                  return true;
                });
  }

  // ---- what changes formats: a class that reads a type in binary has it sent so

  @Override
  default void addDataType(String type, Class<? extends PGobject> klass) throws SQLException {
    try {
      driver().addDataType(type, klass);
    } finally {
      formatsChanged();
    }
  }

  @Override
  @Deprecated
  default void addDataType(String type, String className) {
    try {
      driver().addDataType(type, className);
    } finally {
      formatsChanged();
    }
  }

  // ---- what passes through

  @Override
  default @Nullable Array createArrayOf(String typeName, @Nullable Object elements)
      throws SQLException {
    gate().touched();
    return (Array) lead(driver().createArrayOf(typeName, elements));
  }

  @Override
  default PGNotification @Nullable [] getNotifications() throws SQLException {
    gate().touched();
    return told(driver().getNotifications());
  }

  @Override
  default PGNotification @Nullable [] getNotifications(int timeoutMillis) throws SQLException {
    gate().touched();
    return told(driver().getNotifications(timeoutMillis));
  }

  /** What others have notified of was visible before: what is read now is no older. */
  private PGNotification @Nullable [] told(PGNotification @Nullable [] received)
      throws SQLException {
    FollowedSession followed = gate().followed();
    if (followed != null && received != null && received.length > 0) {
      followed.told();
    }
    return received;
  }

  @Override
  default LargeObjectManager getLargeObjectAPI() throws SQLException {
    gate().touched();
    return gate().largeObjects().of(driver());
  }

  @Override
  default void setPrepareThreshold(int threshold) {
    driver().setPrepareThreshold(threshold);
  }

  @Override
  default int getPrepareThreshold() {
    return driver().getPrepareThreshold();
  }

  @Override
  default void setDefaultFetchSize(int fetchSize) throws SQLException {
    driver().setDefaultFetchSize(fetchSize);
  }

  @Override
  default int getDefaultFetchSize() {
    return driver().getDefaultFetchSize();
  }

  @Override
  default int getBackendPID() {
    return driver().getBackendPID();
  }

  @Override
  default void cancelQuery() throws SQLException {
    driver().cancelQuery();
  }

  @Override
  default String escapeIdentifier(String identifier) throws SQLException {
    return driver().escapeIdentifier(identifier);
  }

  @Override
  default String escapeLiteral(String literal) throws SQLException {
    return driver().escapeLiteral(literal);
  }

  @Override
  default PreferQueryMode getPreferQueryMode() {
    return driver().getPreferQueryMode();
  }

  @Override
  default AutoSave getAutosave() {
    return driver().getAutosave();
  }

  @Override
  default void setAutosave(AutoSave autoSave) {
    driver().setAutosave(autoSave);
  }

  @Override
  default PGReplicationConnection getReplicationAPI() {
    return driver().getReplicationAPI();
  }

  @Override
  default Map<String, String> getParameterStatuses() {
    return driver().getParameterStatuses();
  }

  @Override
  default @Nullable String getParameterStatus(String parameterName) {
    return driver().getParameterStatus(parameterName);
  }

  @Override
  default void setAdaptiveFetch(boolean adaptiveFetch) {
    driver().setAdaptiveFetch(adaptiveFetch);
  }

  @Override
  default boolean getAdaptiveFetch() {
    return driver().getAdaptiveFetch();
  }

  @Override
  default void setQueryTimeout(int seconds) throws SQLException {
    driver().setQueryTimeout(seconds);
  }

  @Override
  default int getQueryTimeout() {
    return driver().getQueryTimeout();
  }
}
