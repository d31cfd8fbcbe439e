package dev.larder.jdbc;

import dev.larder.jdbc.database.ConnectionFactory;
import java.sql.Connection;
import java.sql.SQLException;

/** Connects by a data source of the application. Not a record: its text shows nothing of it. */
final class SourceConnectionFactory implements ConnectionFactory {
  /** Opens a connection, with the credentials that the last caller gave. */
  interface Source {
    /** Opens a connection. */
    Connection connect() throws SQLException;
  }

  private final Source source;
  private final String url;

  SourceConnectionFactory(Source source, String url) {
    this.source = source;
    this.url = url;
  }

  /** Returns a factory with the URL of a connection of the source, which is closed on failure. */
  static SourceConnectionFactory of(Connection physical, Source source) throws SQLException {
    try {
      return new SourceConnectionFactory(source, physical.getMetaData().getURL());
    } catch (SQLException | RuntimeException e) {
      ConnectionWrapper.closeAfter(e, physical::close);
      throw e;
    }
  }

  @Override
  public Connection connect() throws SQLException {
    return source.connect();
  }

  @Override
  public String url() {
    return url;
  }
}
