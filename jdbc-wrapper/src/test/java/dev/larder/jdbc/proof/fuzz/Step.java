package dev.larder.jdbc.proof.fuzz;

import java.util.List;

/**
 * One call of JDBC.
 *
 * @param session which of the sessions makes it
 * @param way how
 * @param sql the text; for {@link Way#JDBC} the name of a method and its argument
 * @param binds the values of its parameters
 * @param ordered whether the order of the rows is certain
 * @param read whether it is a query that is asked again after each write
 */
record Step(int session, Way way, String sql, List<Object> binds, boolean ordered, boolean read) {

  /** How a statement is run. */
  enum Way {
    QUERY,
    EXECUTE,
    PREPARED,
    PREPARED_EXECUTE,
    UPDATE,
    BATCH,
    PREPARED_BATCH,
    KEYS,
    MAX_ROWS,
    SCROLLABLE,
    COPY_IN,
    COPY_OUT,
    JDBC
  }

  Step on(int other) {
    return new Step(other, way, sql, binds, ordered, read);
  }

  @Override
  public String toString() {
    return session + " " + way + " " + sql + (binds.isEmpty() ? "" : " -- " + binds);
  }
}
