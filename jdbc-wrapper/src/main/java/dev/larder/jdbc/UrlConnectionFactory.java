package dev.larder.jdbc;

import dev.larder.jdbc.database.ConnectionFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** Connects by the driver's URL. Not a record: its text must not show the credentials. */
final class UrlConnectionFactory implements ConnectionFactory {
  private final String url;
  private final Properties properties;

  UrlConnectionFactory(LarderOptions options) {
    this.url = options.url();
    this.properties = options.properties();
  }

  @Override
  public Connection connect() throws SQLException {
    return DelegateDrivers.connect(url, properties);
  }

  @Override
  public String url() {
    return url;
  }
}
