package dev.larder.jdbc.postgresql;

import dev.larder.engine.ServerGeneration;
import dev.larder.log.CacheLog;
import dev.larder.log.MessageText;
import java.sql.SQLException;
import java.util.List;

/** The facts of a session that has just been opened. Stateless. */
public final class FirstFacts {
  private FirstFacts() {}

  /**
   * Asks a new session for its facts. If the server refuses the question, they are those that it
   * tells everybody; if it refuses this one too, or runs no SQL in the session, there are none.
   *
   * @throws SQLException if the connection is lost
   */
  public static SessionFacts read(PostgresSession session) throws SQLException {
    try {
      return session.readFacts(List.of());
    } catch (SQLException e) {
      failIfLost(session, e);
      CacheLog.trouble(CacheLog.Trouble.UNIDENTIFIED, e.getSQLState() + ": " + MessageText.of(e));
    }
    try {
      return FactQueries.readPublic(session.driver());
    } catch (SQLException e) {
      failIfLost(session, e);
      Backend backend = new Backend(session.driver().getBackendPID(), 0);
      return SessionFacts.unidentified(ServerGeneration.NONE, backend);
    }
  }

  private static void failIfLost(PostgresSession session, SQLException e) throws SQLException {
    if (session.isLost(e)) {
      throw e;
    }
  }
}
