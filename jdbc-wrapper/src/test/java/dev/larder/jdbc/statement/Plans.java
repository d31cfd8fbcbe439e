package dev.larder.jdbc.statement;

import dev.larder.engine.Plan;
import java.sql.SQLException;

/** Plans of texts, for tests of other packages. */
public final class Plans {
  private Plans() {}

  /** Returns the plan of a text that is no prepared statement's. */
  public static Plan of(CachingConnection connection, String sql) throws SQLException {
    return connection.plan(sql, false, true);
  }
}
