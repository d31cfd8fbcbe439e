package dev.larder.jdbc.replay;

import java.sql.ResultSet;

/**
 * What a statement's settings change in the results that it returns. Two more do not: maxRows and
 * the holdability matter to the driver's result set only while rows are left at the server.
 *
 * @param type the result set type, as of {@link ResultSet#getType()}
 * @param maxFieldSize as of {@link java.sql.Statement#getMaxFieldSize()}
 * @param fetchSize as of {@link java.sql.Statement#getFetchSize()}
 * @param fetchDirection as of {@link java.sql.Statement#getFetchDirection()}
 */
public record ReplayOptions(int type, int maxFieldSize, int fetchSize, int fetchDirection) {
  /** The options of a new statement on a connection without defaultRowFetchSize. */
  public static final ReplayOptions DEFAULT = fetching(0);

  /** Returns the options of a new statement on a connection with this defaultRowFetchSize. */
  public static ReplayOptions fetching(int fetchSize) {
    return new ReplayOptions(ResultSet.TYPE_FORWARD_ONLY, 0, fetchSize, ResultSet.FETCH_FORWARD);
  }
}
