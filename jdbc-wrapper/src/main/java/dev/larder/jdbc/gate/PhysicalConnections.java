package dev.larder.jdbc.gate;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.ds.common.BaseDataSource;
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

  /** Returns the URL of a data source of the driver's own; null of any other. */
  public static @Nullable String url(Object source) {
    return source instanceof BaseDataSource own ? own.getUrl() : null;
  }

  /** Returns the user and the password of a data source of the driver's own. */
  public static Properties credentials(Object source) {
    Properties credentials = new Properties();
    if (source instanceof BaseDataSource own) {
      put(credentials, "user", own.getUser());
      put(credentials, "password", own.getPassword());
    }
    return credentials;
  }

  private static void put(Properties credentials, String name, @Nullable String value) {
    if (value != null) {
      credentials.put(name, value);
    }
  }
}
