package dev.larder.jdbc.statement;

import dev.larder.engine.Lookup;
import dev.larder.jdbc.replay.DecodedValues;
import dev.larder.jdbc.replay.ReplayOptions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The current result of a statement: the hit's after a hit, else the driver's. */
abstract class AnsweredStatement extends ConfiguredStatement implements ResultSetOwner {
  private @Nullable CachingResultSet current;
  private boolean answered;
  private boolean shared;

  AnsweredStatement(CachingConnection connection, @Nullable Statement delegate) {
    super(connection, delegate);
  }

  /** Answers with a hit. */
  final CachingResultSet answer(Lookup.Hit hit) throws SQLException {
    if (!HitListeners.ALL.isEmpty()) {
      HitListeners.hit(connection.physical().cache());
    }
    ReplayOptions options = replayOptions();
    ResultSet replayed = connection.replay().replay(hit.result(), options);
    DecodedValues values =
        DecodedValues.of(
            hit.result(), replayed, options, connection.pipeline().limits().maxResultBytes());
    CachingResultSet result =
        values == null
            ? new CachingResultSet(replayed, this, true)
            : new DecodedResultSet(replayed, this, values);
    current = result;
    answered = true;
    return result;
  }

  final void captured(boolean isShared) {
    shared = isShared;
  }

  /** Ends what the last execution left, as every execution does. */
  final void beforeExecution() throws SQLException {
    if (current != null || extrasIfAny() != null) {
      endLast(current);
    }
    answered = false;
    shared = false;
  }

  private void endLast(@Nullable CachingResultSet open) throws SQLException {
    // The driver closes its own results without taking that for the completion.
    boolean completes = closesOnCompletion();
    current = null;
    if (open != null && (answered || !completes)) {
      open.closeSilently();
    }
    StatementExtras set = extrasIfAny();
    if (set != null) {
      set.count = StatementExtras.NO_COUNT;
      set.waitedSeconds = 0;
      if (!completes) {
        set.closeOthers();
      }
    }
  }

  private boolean closesOnCompletion() {
    StatementExtras set = extrasIfAny();
    return set != null && set.closeOnCompletion;
  }

  private int answeredCount() {
    StatementExtras set = extrasIfAny();
    return set == null ? StatementExtras.NO_COUNT : set.count;
  }

  final ResultSet answerRequired(@Nullable ResultSet made) throws SQLException {
    answered = true;
    if (made == null) {
      throw new SQLException("No results were returned by the query.", "02000");
    }
    CachingResultSet result = new CachingResultSet(made, this, true);
    current = result;
    return result;
  }

  final boolean answerOrNothing(@Nullable ResultSet made) {
    answered = true;
    if (made != null) {
      current = new CachingResultSet(made, this, true);
    } else {
      extras().count = 0;
    }
    return made != null;
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
    return isAnswered() ? answeredCount() : delegate().getUpdateCount();
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    return isAnswered() ? answeredCount() : delegate().getLargeUpdateCount();
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    return isAnswered() ? noMoreResults(CLOSE_CURRENT_RESULT) : delegate().getMoreResults();
  }

  @Override
  public boolean getMoreResults(int treatment) throws SQLException {
    CachingResultSet open = current;
    if (treatment == KEEP_CURRENT_RESULT && open != null) {
      extras().kept.add(open);
    } else if (treatment == CLOSE_ALL_RESULTS && extrasIfAny() != null) {
      extras().closeKept();
    }
    return isAnswered() ? noMoreResults(treatment) : delegate().getMoreResults(treatment);
  }

  private boolean noMoreResults(int treatment) throws SQLException {
    CachingResultSet open = current;
    StatementExtras set = extrasIfAny();
    current = null;
    if (set != null) {
      set.count = StatementExtras.NO_COUNT;
    }
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
    StatementExtras set = extrasIfAny();
    CachingResultSet last = set == null ? null : set.keys;
    CachingResultSet made = CachingResultSet.of(last, live, this, false);
    if (live.getMetaData().getColumnCount() > 0) {
      extras().keys =
          made; // Where there are none the driver makes an empty result, and forgets it.
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
    StatementExtras set = extrasIfAny();
    if (set != null) {
      set.closeOthers();
    }
  }

  // ---- as the owner of result sets

  @Override
  public Statement statement() {
    StatementExtras set = extrasIfAny();
    return set == null || set.shownAs == null ? this : set.shownAs;
  }

  @Override
  public CachingConnection owningConnection() {
    return connection;
  }

  @Override
  public void closed(CachingResultSet result) throws SQLException {
    if (answered && result == current && closesOnCompletion()) {
      close();
    }
  }
}
