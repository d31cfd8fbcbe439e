package dev.larder.jdbc.statement;

import dev.larder.jdbc.gate.StatementGate;
import java.sql.SQLException;
import java.sql.Statement;

/** Whoever made a result set: the statement of Larder that it belongs to. */
interface ResultSetOwner {
  /** Returns what {@link java.sql.ResultSet#getStatement()} answers. */
  Statement statement() throws SQLException;

  /** Returns the connection of Larder that the statement belongs to. */
  CachingConnection owningConnection();

  /** Called once, after {@code result} was closed by its user. */
  default void closed(CachingResultSet result) throws SQLException {}

  /**
   * Called before an updatable result set sends an insert, update or delete of one row. Returns
   * what is to be left after that was tried.
   */
  default StatementGate.Passage beforeRowWrite(CachingResultSet result) throws SQLException {
    return owningConnection().physical().enter(null);
  }

  /**
   * Called before an object of the driver leaves Larder's hands: its statement and connection can
   * be reached through it. The rows are no longer shared with the cache by then. What it throws,
   * the user gets instead.
   */
  default void beforeUnwrap(Class<?> type) throws SQLException {
    owningConnection().beforeUnwrap(type);
  }
}
