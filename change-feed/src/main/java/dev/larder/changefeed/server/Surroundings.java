package dev.larder.changefeed.server;

import dev.larder.changefeed.coverage.PublishedTables;
import dev.larder.sql.OwnSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * All that a look at the server would find, as one text that differs once any of it does: whom the
 * server takes for a standby, whether the slot is there, the publication, and the tables. So a look
 * that finds nothing new costs one question, of a statement that is prepared once. Used by one
 * thread.
 */
final class Surroundings implements AutoCloseable {
  private final PreparedStatement query;
  private @Nullable String known;

  Surroundings(Connection connection, String slot, String publication, int version)
      throws SQLException {
    query = connection.prepareStatement(sql(version));
    query.setString(1, slot);
    for (int parameter = 2; parameter <= 4; parameter++) {
      query.setString(parameter, publication);
    }
  }

  private static String sql(int version) {
    return OwnSql.pinned(
        """
        SELECT concat_ws(' ', current_setting('synchronous_standby_names'),
               EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = ?),
               (SELECT p.oid::text || '.' || p.xmin::text || p::text
                  FROM pg_publication p WHERE p.pubname = ?),
               (%s))\
        """
            .formatted(PublishedTables.digest(version)));
  }

  /** Looks at the server. */
  interface Look {
    /** Throws where something is not as it should be. */
    void look() throws SQLException, FeedFailure;
  }

  /** Has {@code look} look if anything may differ from what it found when it threw nothing last. */
  void lookIfChanged(Look look) throws SQLException, FeedFailure {
    String before = read();
    if (!before.equals(known)) {
      known = null;
      look.look();
      // What has changed meanwhile may change back before the next text.
      known = before.equals(read()) ? before : null;
    }
  }

  private String read() throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  public void close() throws SQLException {
    query.close();
  }
}
