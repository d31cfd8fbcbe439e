package dev.larder.jdbc.database;

import dev.larder.jdbc.catalog.PostgresCatalogLoader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Opens the connection over which the catalog is read. Used by one thread at a time. */
final class ForCatalog implements PostgresCatalogLoader.Connector {
  /** A pooler would hand on whatever is set for longer. */
  private static final String BEGUN =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
          + " SET LOCAL search_path = pg_catalog; SET LOCAL statement_timeout = '60s';"
          + " SET LOCAL jit = off";

  private final OwnConnections connections;
  private boolean pooled;

  ForCatalog(OwnConnections connections) {
    this.connections = connections;
  }

  @Override
  public Connection connect() throws SQLException {
    OwnConnections.Own own = connections.open();
    pooled = own.isPooled();
    return own.connection();
  }

  @Override
  public boolean keepsSettings() {
    return !pooled;
  }

  @Override
  public void begun(Statement statement) throws SQLException {
    if (pooled) {
      statement.execute(BEGUN);
      connections.checkServer(statement);
    }
  }
}
