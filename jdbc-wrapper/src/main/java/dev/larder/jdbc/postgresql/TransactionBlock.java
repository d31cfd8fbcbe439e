package dev.larder.jdbc.postgresql;

import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.GT;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Puts a transaction block around a statement that would otherwise be a transaction of its own. As
 * thread-safe as the driver's connection.
 */
public final class TransactionBlock {
  private final PgConnection driver;

  TransactionBlock(PgConnection driver) {
    this.driver = driver;
  }

  /** Begins a block. To be called in autocommit only. */
  public void begin() throws SQLException {
    if (driver.isReadOnly()) {
      // The driver's transaction would be read-only, where in autocommit it may not be.
      OwnStatements.run(driver, "BEGIN");
    } else {
      driver.setAutoCommit(false);
    }
  }

  /**
   * Makes a transaction begin with a snapshot, where autocommit is off.
   *
   * @param saving whether the driver's own savepoint is set anew, if it uses one
   */
  void beginEarly(boolean saving) throws SQLException {
    AutoSave usual = driver.getAutosave();
    driver.setAutosave(saving ? usual : AutoSave.NEVER);
    try (Statement statement = driver.createStatement()) {
      statement.execute("SELECT 1");
    } finally {
      driver.setAutosave(usual);
    }
  }

  /** Returns whether the driver sets savepoints of its own. */
  public boolean savesItself() {
    return driver.getAutosave() != AutoSave.NEVER;
  }

  /** Runs {@code sql} as the application's statements are run, after BEGIN if one is due. */
  public void run(String sql) throws SQLException {
    try (Statement statement = driver.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs {@code sql}, which is no statement of the application's, and begins no transaction. */
  public void runAside(String sql) throws SQLException {
    OwnStatements.run(driver, sql);
  }

  /** Commits the block. */
  public void commit() throws SQLException {
    if (driver.getAutoCommit()) {
      OwnStatements.run(driver, "COMMIT");
    } else {
      driver.commit();
    }
  }

  /**
   * Rolls the block back if it was not committed, and returns to autocommit.
   *
   * @param failure why it was not committed; null if it was
   */
  public void end(@Nullable Throwable failure) {
    try {
      if (!driver.isClosed()) {
        if (driver.getTransactionState() != TransactionState.IDLE) {
          rollBack();
        }
        driver.setAutoCommit(true);
      }
    } catch (SQLException e) {
      if (failure != null) {
        failure.addSuppressed(e);
      }
      abort(e);
    }
  }

  /** What is still open must not be committed by what comes next. */
  private void abort(SQLException because) {
    try {
      driver.abort(Runnable::run);
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  /** Rolls the open transaction back, whether it is a block of this or not. */
  public void rollBack() throws SQLException {
    if (driver.getAutoCommit()) {
      OwnStatements.run(driver, "ROLLBACK");
    } else {
      driver.rollback();
    }
  }

  /** Returns the driver's exception for changing {@code what} in the middle of a transaction. */
  public static SQLException activeTransaction(String what) {
    return new PSQLException(
        GT.tr("Cannot change transaction " + what + " in the middle of a transaction."),
        PSQLState.ACTIVE_SQL_TRANSACTION);
  }
}
