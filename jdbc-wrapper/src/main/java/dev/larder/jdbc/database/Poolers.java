package dev.larder.jdbc.database;

import dev.larder.log.CacheLog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The poolers that connections have met, by the URL that leads to them. Thread-safe. */
final class Poolers {
  /** PgBouncer's SQLState for BEGIN where each statement may have another process. */
  private static final String REFUSED = "08P01";

  private static final String UNKNOWN_SETTING = "42704";

  private final Map<String, Boolean> known = new ConcurrentHashMap<>();

  /**
   * Returns whether the pooler that {@code factory} leads to lets a transaction have one process of
   * the server. Opens a connection the first time.
   */
  boolean keepsTransactions(ConnectionFactory factory) {
    Boolean asked = known.get(factory.url());
    if (asked != null) {
      return asked;
    }
    try (Connection connection = factory.connectUnattended()) {
      boolean keeps = hasBlocks(connection) && !isPgpool(connection);
      known.put(factory.url(), keeps);
      return keeps;
    } catch (SQLException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "asking a pooler what it is", e);
      return false; // The next connection tries again.
    }
  }

  private static boolean hasBlocks(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      int first = process(statement);
      int second = process(statement);
      connection.commit();
      connection.setAutoCommit(true);
      return first == second;
    } catch (SQLException e) {
      if (REFUSED.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private static int process(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT pg_catalog.pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  /** It may send two statements of a transaction to two servers, and answers this by itself. */
  private static boolean isPgpool(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW pool_version")) {
      return row.next();
    } catch (SQLException e) {
      if (UNKNOWN_SETTING.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }
}
