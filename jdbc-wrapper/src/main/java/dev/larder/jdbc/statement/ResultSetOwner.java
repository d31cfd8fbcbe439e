package dev.larder.jdbc.statement;

import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Whoever made a result set: the statement of Larder that it belongs to. */
interface ResultSetOwner {
  /** Returns what {@link java.sql.ResultSet#getStatement()} answers. */
  Statement statement() throws SQLException;

  /** Returns the connection of Larder that the statement belongs to. */
  CachingConnection owningConnection();

  /** Called once, after {@code result} was closed by its user. */
  default void closed(CachingResultSet result) throws SQLException {}

  /** Called before an updatable result set sends an insert, update or delete of one row. */
  default void beforeRowWrite(CachingResultSet result) throws SQLException {
    owningConnection().beforeRowWrite();
  }

  /**
   * Called after what {@link #beforeRowWrite} announced was tried.
   *
   * @param failure what the driver threw; null if the write succeeded
   */
  default void afterRowWrite(CachingResultSet result, @Nullable Throwable failure)
      throws SQLException {
    owningConnection().afterRowWrite(failure);
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
