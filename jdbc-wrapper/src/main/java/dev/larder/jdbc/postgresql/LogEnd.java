package dev.larder.jdbc.postgresql;

import dev.larder.sql.OwnSql;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Where the log of a server ends. Stateless. */
public final class LogEnd {
  /** Asks for it; {@link #read} understands the answer. */
  public static final String QUESTION =
      OwnSql.pinned("SELECT pg_walfile_name(wal), wal FROM pg_current_wal_insert_lsn() AS wal");

  private LogEnd() {}

  /** Asks for it, as timeline and place: {@code 1:0/16B3748}. One round trip, no BEGIN. */
  public static String of(PostgresSession session) throws SQLException {
    return OwnStatements.ask(session.driver(), QUESTION, LogEnd::read);
  }

  /** Returns the timeline and the place that an answer to {@link #QUESTION} says. */
  public static String read(ResultSet row) throws SQLException {
    row.next();
    // The name of a file of the log begins with the timeline.
    return Long.parseLong(row.getString(1).substring(0, 8), 16) + ":" + row.getString(2);
  }
}
