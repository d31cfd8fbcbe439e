package dev.larder.jdbc.lazy;

import dev.larder.engine.Plan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement of a connection above the pool: until it needs the pool's, it answers hits. */
class LazyStatement extends BorrowingStatement {
  private static final Object[] NO_BINDS = {};

  /** The result of the last execution. */
  private @Nullable LazyResultSet current;

  /** Whether the last execution was a hit without a connection. */
  private boolean answered;

  /** Whether it was a SET that was held back, whose count of rows was not asked for. */
  private boolean setOnly;

  /**
   * Creates a statement.
   *
   * @param atOnce whether the pool's is needed now
   */
  LazyStatement(LazyConnection connection, Making making, boolean atOnce) throws SQLException {
    super(connection, making, atOnce);
  }

  @Override
  void beforeClose() throws SQLException {
    endLast();
  }

  /** Ends what the last execution has left, and returns the pool's statement for the next. */
  final Statement sending() throws SQLException {
    endLast();
    return delegate();
  }

  private void endLast() throws SQLException {
    LazyResultSet open = current;
    current = null;
    if (open != null && answered) {
      open.close();
    }
    answered = false;
    setOnly = false;
  }

  // ---- look-ups

  /** Begins an execution; returns the rows if it is a hit, or null. */
  final @Nullable LazyResultSet look(@Nullable Plan plan, Object[] binds, boolean prepared)
      throws SQLException {
    endLast();
    if (plan == null || isClosedByUs() || hasDelegate()) {
      return null;
    }
    LazyResultSet looked = connection.look(plan, binds, this, prepared);
    LazyResultSet hit = looked == null ? connection.holds(plan, binds, this) : looked;
    if (hit != null) {
      current = hit;
      answered = true;
    }
    return hit;
  }

  /** Begins an execution; returns whether the server need not know yet what it sets. */
  final boolean holds(@Nullable Plan plan) throws SQLException {
    endLast();
    answered = plan != null && !isClosedByUs() && !hasDelegate() && connection.holds(plan);
    setOnly = answered;
    return answered;
  }

  /** Returns rows of the pool's so that they lead here. */
  final LazyResultSet live(ResultSet rows) {
    LazyResultSet known = current;
    if (known != null && known.isOver(rows)) {
      return known;
    }
    LazyResultSet made = new LazyResultSet(rows, this, connection, null);
    current = made;
    return made;
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    LazyResultSet hit = look(connection.plan(sql, false), NO_BINDS, false);
    return hit == null ? live(delegate().executeQuery(sql)) : hit;
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    Plan plan = connection.plan(sql, false);
    return look(plan, NO_BINDS, false) != null || (!holds(plan) && delegate().execute(sql));
  }

  // ---- executions that need the pool's

  @Override
  protected <T> T sendText(String sql, TextCall<T> call, T nothing) throws SQLException {
    return holds(connection.plan(sql, false)) ? nothing : call.on(sending());
  }

  @Override
  public int[] executeBatch() throws SQLException {
    return sending().executeBatch();
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    return sending().executeLargeBatch();
  }

  // ---- results

  /** Returns the open result of a hit without a connection, or null. */
  final @Nullable LazyResultSet openAnswer() throws SQLException {
    LazyResultSet open = answered && !isClosed() ? current : null;
    return open == null || open.isClosed() ? null : open;
  }

  private boolean isAnswered() throws SQLException {
    return answered && !isClosed();
  }

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    if (isAnswered()) {
      return current;
    }
    ResultSet rows = delegate().getResultSet();
    return rows == null ? null : live(rows);
  }

  private int heldCount() {
    return setOnly ? 0 : -1;
  }

  @Override
  public int getUpdateCount() throws SQLException {
    return isAnswered() ? heldCount() : delegate().getUpdateCount();
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    return isAnswered() ? heldCount() : delegate().getLargeUpdateCount();
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    return isAnswered() ? noMoreResults(CLOSE_CURRENT_RESULT) : delegate().getMoreResults();
  }

  @Override
  public boolean getMoreResults(int treatment) throws SQLException {
    return isAnswered() ? noMoreResults(treatment) : delegate().getMoreResults(treatment);
  }

  private boolean noMoreResults(int treatment) throws SQLException {
    LazyResultSet open = current;
    current = null;
    setOnly = false;
    if (open != null && treatment != KEEP_CURRENT_RESULT) {
      open.close();
    }
    return false;
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    return new LazyResultSet(delegate().getGeneratedKeys(), this, connection, null);
  }
}
