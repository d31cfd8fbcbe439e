package dev.larder.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens further plain connections to the database of a connection, for Larder's own use: with the
 * same URL, properties and credentials, through no cache and no pool. Thread-safe; may be kept and
 * used long after the connection that it came with was closed.
 */
public interface ConnectionFactory {
  /** Opens a connection; whoever calls closes it. */
  Connection connect() throws SQLException;

  /** Returns the driver's own URL, without Larder's prefix and options. */
  String url();
}
