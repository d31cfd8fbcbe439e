package dev.larder.jdbc.statement;

import dev.larder.engine.QueryCache;
import dev.larder.jdbc.format.ResultFormats;
import dev.larder.jdbc.replay.DecodedValues;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.core.Oid;

/** Makes result sets of hits that have no connection of their own. Stateless. */
public final class UnpooledResults {
  /** In the options of a key: values are binary. */
  public static final long BINARY = ResultFormats.BINARY;

  /** Of result sets that are behind another, which leads to the statement. */
  private static final ResultSetOwner NOBODY =
      new ResultSetOwner() {
        @Override
        public Statement statement() {
          throw new IllegalStateException("the result set in front knows its statement");
        }

        @Override
        public CachingConnection owningConnection() {
          throw new IllegalStateException("the result set in front knows its connection");
        }
      };

  private UnpooledResults() {}

  /**
   * Returns the rows of a hit, and tells the listeners of it.
   *
   * @param closed of a connection that was closed
   * @param maxResultBytes how much the result may weigh with its decoded values
   */
  public static ResultSet of(
      QueryCache cache,
      CachedResult result,
      ReplayStatements closed,
      ReplayOptions options,
      long maxResultBytes)
      throws SQLException {
    ResultSet replayed = closed.replay(result, options);
    if (!HitListeners.ALL.isEmpty()) {
      HitListeners.hit(cache);
    }
    DecodedValues values = DecodedValues.of(result, replayed, options, maxResultBytes);
    return values == null
        ? new CachingResultSet(replayed, NOBODY, true)
        : new DecodedResultSet(replayed, NOBODY, values);
  }

  /** Returns a row of one text that no server has sent. */
  public static CachedResult row(String label, String text) {
    ResultColumn column = new ResultColumn(label, 0, 0, Oid.TEXT, -1, -1, false);
    byte[][][] rows = {{text.getBytes(StandardCharsets.UTF_8)}};
    return CachedResult.of(new ResultColumns(List.of(column)), new RawRows(rows), false);
  }

  /** Returns the rows of a hit on a connection, for getters that ask the server. */
  public static ResultSet on(CachingConnection connection, CachedResult result)
      throws SQLException {
    ResultSet replayed = connection.replay().replay(result, connection.replayOptions());
    return new CachingResultSet(replayed, (CachingStatement) connection.createStatement(), true);
  }
}
