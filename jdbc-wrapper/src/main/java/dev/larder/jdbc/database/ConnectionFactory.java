package dev.larder.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens further plain connections to the database of a connection, for Larder's own use: with the
 * same URL, properties and credentials, through no cache and no pool. Thread-safe; may be used long
 * after the connection that it came with was closed. Not a record: its text must not show
 * credentials.
 */
public final class ConnectionFactory {
  private final String url;
  private final Opened.Opening<Connection> opening;

  /**
   * Creates a factory.
   *
   * @param url the driver's own, without Larder's prefix and options
   */
  public ConnectionFactory(String url, Opened.Opening<Connection> opening) {
    this.url = url;
    this.opening = opening;
  }

  /** Opens a connection; the caller closes it. */
  public Connection connect() throws SQLException {
    return opening.open();
  }

  /** Returns the driver's own URL. */
  public String url() {
    return url;
  }
}
