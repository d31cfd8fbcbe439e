package dev.larder.jdbc.feed;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens connections to the primary of one database, past any pooler, with the newest credentials
 * seen or those of {@code larder.feed.url}. Each has reached the database, and the very life of its
 * server, that this JVM knows; else it is refused. Whoever opens one closes it; it may also be
 * closed because the server has no connection left for the application. Thread-safe.
 */
public interface FeedConnections {
  /**
   * Opens a connection for questions.
   *
   * @throws Refusal if it has reached something else; the connection is closed
   * @throws SQLException as the driver throws it
   */
  Connection ask() throws SQLException;

  /**
   * Opens a connection on which the log can be read.
   *
   * @throws Refusal if it has reached something else; the connection is closed
   * @throws SQLException as the driver throws it
   */
  Connection follow() throws SQLException;
}
