package dev.larder.jdbc.caching;

import dev.larder.jdbc.postgresql.PostgresResults;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its current result, update count, warnings and keys: after a hit they are the
 * hit's, after anything else the driver's.
 */
abstract class AnsweredStatement extends ConfiguredStatement implements ResultSetOwner {
  private @Nullable CachingResultSet current;
  private int answeredCount = -1;
  private boolean answered;
  private boolean shared;

  /** The results that stay open beside the current one until the next execution. */
  private @Nullable List<CachingResultSet> kept;

  private @Nullable CachingResultSet keys;

  AnsweredStatement(CachingConnection connection, @Nullable Statement delegate) {
    super(connection, delegate);
  }

  final void captured(boolean isShared) {
    shared = isShared;
  }

  /** Ends what the last execution left, as every execution does. */
  final void beforeExecution() throws SQLException {
    CachingResultSet open = current;
    boolean replayed = answered;
    current = null;
    answered = false;
    answeredCount = -1;
    shared = false;
    if (open != null && (replayed || !closesOnCompletion())) {
      open.closeSilently();
    }
    if (!closesOnCompletion()) {
      closeOthers();
    }
  }

  /** Closes what the driver closes besides the current result, where it runs the statement. */
  private void closeOthers() throws SQLException {
    closeKept();
    CachingResultSet open = keys;
    keys = null;
    if (open != null) {
      open.closeSilently();
    }
  }

  private void closeKept() throws SQLException {
    List<CachingResultSet> open = kept;
    kept = null;
    if (open != null) {
      for (CachingResultSet result : open) {
        result.closeSilently();
      }
    }
  }

  private void keepCurrent() {
    CachingResultSet open = current;
    if (open != null) {
      List<CachingResultSet> all = kept == null ? new ArrayList<>() : kept;
      all.add(open);
      kept = all;
    }
  }

  /** The driver closes its own results without taking that for the completion. */
  private boolean closesOnCompletion() {
    StatementOptions set = optionsIfSet();
    return set != null && set.closeOnCompletion;
  }

  final @Nullable ResultSet delegateResult() throws SQLException {
    Statement made = delegateIfMade();
    return made == null ? null : made.getResultSet();
  }

  /** Returns whether the driver will fetch more rows of its present result, unseen. */
  final boolean hasMoreAtServer() throws SQLException {
    ResultSet live = replayOptions().fetchSize() == 0 ? null : delegateResult();
    return live != null && PostgresResults.hasMoreAtServer(live);
  }

  /** Returns the driver's count of rows; negative where it has none. */
  final long delegateCount() throws SQLException {
    Statement made = delegateIfMade();
    return made == null ? -1 : made.getUpdateCount();
  }

  final ResultSet answerRequired(@Nullable ResultSet made) throws SQLException {
    answered = true;
    if (made == null) {
      throw new SQLException("No results were returned by the query.", "02000");
    }
    return answer(made);
  }

  final boolean answerOrNothing(@Nullable ResultSet made) {
    answered = true;
    if (made != null) {
      answer(made);
    } else {
      answeredCount = 0;
    }
    return made != null;
  }

  private CachingResultSet answer(ResultSet made) {
    return answer(new CachingResultSet(made, this, true));
  }

  final CachingResultSet answer(CachingResultSet result) {
    current = result;
    answered = true;
    return result;
  }

  final CachingResultSet live(ResultSet result) {
    CachingResultSet live = CachingResultSet.of(current, result, this, shared);
    current = live;
    return live;
  }

  /** A statement that was closed says what the driver's says. */
  private boolean isAnswered() {
    return answered && !isClosedByUs();
  }

  /** Returns the result of a hit while it is open, or null. */
  final @Nullable ResultSet openAnswer() throws SQLException {
    CachingResultSet open = isAnswered() ? current : null;
    return open == null || open.isClosed() ? null : open;
  }

  // ---- the current result

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    if (isAnswered()) {
      return current;
    }
    ResultSet result = delegate().getResultSet();
    return result == null ? null : live(result);
  }

  @Override
  public int getUpdateCount() throws SQLException {
    return isAnswered() ? answeredCount : delegate().getUpdateCount();
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    return isAnswered() ? answeredCount : delegate().getLargeUpdateCount();
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    return isAnswered() ? noMoreResults(CLOSE_CURRENT_RESULT) : delegate().getMoreResults();
  }

  @Override
  public boolean getMoreResults(int current) throws SQLException {
    if (current == KEEP_CURRENT_RESULT) {
      keepCurrent();
    } else if (current == CLOSE_ALL_RESULTS) {
      closeKept();
    }
    return isAnswered() ? noMoreResults(current) : delegate().getMoreResults(current);
  }

  private boolean noMoreResults(int treatment) throws SQLException {
    CachingResultSet open = current;
    current = null;
    answeredCount = -1;
    if (open != null && treatment != KEEP_CURRENT_RESULT) {
      open.close();
    }
    return false;
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    return isAnswered() ? null : delegate().getWarnings();
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    if (isAnswered()) {
      return new CachingResultSet(
          connection.replay().noGeneratedKeys(replayOptions()), this, false);
    }
    ResultSet live = delegate().getGeneratedKeys();
    CachingResultSet made = CachingResultSet.of(keys, live, this, false);
    if (live.getMetaData().getColumnCount() > 0) {
      keys = made; // Where there are none the driver makes an empty result, and forgets it.
    }
    return made;
  }

  @Override
  void beforeClose() throws SQLException {
    CachingResultSet open = current;
    current = null;
    if (open != null) {
      open.closeSilently();
    }
    closeOthers();
  }

  // ---- as the owner of result sets

  @Override
  public Statement statement() {
    return this;
  }

  @Override
  public void closed(CachingResultSet result) throws SQLException {
    if (answered && result == current && closesOnCompletion()) {
      close();
    }
  }

  @Override
  public void closeOnCompletion() throws SQLException {
    delegate().closeOnCompletion();
    options().closeOnCompletion = true;
  }

  @Override
  public void beforeRowWrite(CachingResultSet result) throws SQLException {
    connection.beforeRowWrite();
  }

  @Override
  public void afterRowWrite(CachingResultSet result, @Nullable Throwable failure) {
    connection.afterRowWrite(failure);
  }

  @Override
  public void beforeUnwrap(Class<?> type) throws SQLException {
    connection.beforeUnwrap(type);
  }
}
