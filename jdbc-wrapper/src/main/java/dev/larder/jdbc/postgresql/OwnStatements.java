package dev.larder.jdbc.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.core.BaseStatement;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Sends statements of Larder's own on a connection of the application's: without BEGIN, without the
 * driver's own savepoint, and so that their messages do not become warnings of the connection.
 * Stateless.
 */
final class OwnStatements {
  private OwnStatements() {}

  /** Reads the answer to a question. */
  @FunctionalInterface
  interface Answer<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Sends a question, and returns what {@code answer} reads of the first rows. */
  static <T> T ask(PgConnection driver, String sql, Answer<T> answer) throws SQLException {
    try (BaseStatement statement = (BaseStatement) driver.createStatement()) {
      boolean rows = execute(driver, statement, sql);
      while (!rows && statement.getUpdateCount() != -1) {
        rows = statement.getMoreResults();
      }
      ResultSet row = statement.getResultSet();
      if (row == null) {
        throw new PSQLException("The server has returned no rows.", PSQLState.NO_DATA);
      }
      return answer.read(row);
    }
  }

  /** Sends something that returns nothing. */
  static void run(PgConnection driver, String sql) throws SQLException {
    try (BaseStatement statement = (BaseStatement) driver.createStatement()) {
      boolean unused = execute(driver, statement, sql);
    }
  }

  private static boolean execute(PgConnection driver, BaseStatement statement, String sql)
      throws SQLException {
    AutoSave usual = driver.getAutosave();
    driver.setAutosave(AutoSave.NEVER);
    try {
      return statement.executeWithFlags(sql, QueryExecutor.QUERY_SUPPRESS_BEGIN);
    } finally {
      driver.setAutosave(usual);
    }
  }
}
