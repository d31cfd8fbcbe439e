package dev.larder.jdbc.caching;

import dev.larder.engine.DatabaseIdentity;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Larder's own connections to one database, always with the newest credentials seen. Thread-safe.
 */
final class OwnConnections {
  private static final String IDENTITY =
      "SELECT (SELECT system_identifier::text FROM pg_catalog.pg_control_system()),"
          + " (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()),"
          + " pg_catalog.pg_is_in_recovery()";

  private final @Nullable DatabaseIdentity identity;
  private volatile ConnectionFactory newest;

  /**
   * Creates them.
   *
   * @param identity the database that every connection must be one to, or null where it is not
   *     known
   */
  OwnConnections(@Nullable DatabaseIdentity identity, ConnectionFactory first) {
    this.identity = identity;
    this.newest = first;
  }

  /** Notes a factory that has just made a connection. */
  void seen(ConnectionFactory factory) {
    newest = factory;
  }

  /** Returns whether the newest connection seen was opened with {@code url}. */
  boolean isTo(String url) {
    return newest.url().equals(url);
  }

  /**
   * Opens a connection. With several hosts in a URL it may end at another server, or at a standby,
   * whose catalog and list of sessions say nothing about the primary's: such a one is refused.
   */
  Connection connect() throws SQLException {
    Connection connection = newest.connect();
    try {
      check(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.close();
      } catch (SQLException failure) {
        e.addSuppressed(failure);
      }
      throw e;
    }
  }

  private void check(Connection connection) throws SQLException {
    if (identity == null) {
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(IDENTITY)) {
      row.next();
      if (!identity.equals(new DatabaseIdentity(row.getString(1), row.getLong(2)))) {
        throw new SQLException("Larder's own connection reached another database.", "08001");
      }
      if (row.getBoolean(3)) {
        throw new SQLException("Larder's own connection reached a standby.", "08001");
      }
    }
  }
}
