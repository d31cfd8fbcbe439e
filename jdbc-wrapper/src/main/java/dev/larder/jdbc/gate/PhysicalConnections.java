package dev.larder.jdbc.gate;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.XADataSource;
import org.postgresql.PGConnection;
import org.postgresql.xa.PGXADataSource;

/** Finds and makes the driver's own objects. Stateless. */
public final class PhysicalConnections {
  private PhysicalConnections() {}

  /** Returns the driver's own connection below wrappers that JDBC can unwrap. */
  public static Optional<Connection> find(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return Optional.empty();
    }
    return connection.unwrap(PGConnection.class) instanceof Connection physical
        ? Optional.of(physical)
        : Optional.empty();
  }

  /** Returns the driver's own XA data source. */
  public static XADataSource xaDataSource(String url) throws SQLException {
    PGXADataSource source = new PGXADataSource();
    try {
      source.setUrl(url);
    } catch (IllegalArgumentException e) {
      throw new SQLException("The driver does not take the URL of the XA data source.", "08001", e);
    }
    return source;
  }
}
