package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.postgresql.DeclaredTypes;
import dev.larder.jdbc.postgresql.DecodedValues;
import dev.larder.jdbc.postgresql.ReplayOptions;
import dev.larder.jdbc.session.Overlap;
import dev.larder.sql.StatementKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose queries may be answered from memory: its executions, and its current result,
 * which is the hit's after a hit and the driver's after anything else.
 */
class CachingStatement extends ConfiguredStatement implements ResultSetOwner {
  private static final Object[] NO_BINDS = {};

  /**
   * Stands for the binds of an execution that wants generated keys, which a hit has none of, or
   * something that the driver refuses.
   */
  private static final Object[] KEYS_WANTED = {};

  private @Nullable CachingResultSet current;

  /** When the execution that began last was looked up: see {@link Overlap#turn}. */
  int turn;

  private boolean answered;
  private boolean shared;

  CachingStatement(CachingConnection connection, @Nullable Statement delegate) {
    super(connection, delegate);
  }

  /**
   * Returns why this execution uses no cache, by the statement's own options and values, or null.
   */
  @Nullable BypassReason refusal(Object[] binds) {
    if (isClosedByUs() || connection.isHandleClosed()) {
      return BypassReason.CLOSED;
    }
    if (binds == KEYS_WANTED) {
      return BypassReason.STATEMENT_OPTION;
    }
    StatementExtras set = extrasIfAny();
    return set == null ? null : set.bypass();
  }

  // ---- executions

  final Plan plan(String sql) throws SQLException {
    StatementExtras set = extrasIfAny();
    connection.physical().session().formats().runsPlain(sql);
    return connection.plan(sql, false, set == null || set.escapeProcessing);
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

  /** Runs a query that is no hit. */
  final ResultSet query(Plan plan, @Nullable Lookup lookup, SqlCall<ResultSet> run)
      throws SQLException {
    return plan.shape().kind() == StatementKind.LARDER
        ? answerRequired(connection.commands().answer(plan, this))
        : live(connection.pipeline().run(this, plan, lookup, run, result -> result));
  }

  /** Runs a statement that is no hit; returns whether its first result is a result set. */
  final boolean execute(Plan plan, @Nullable Lookup lookup, SqlCall<Boolean> run)
      throws SQLException {
    return plan.shape().kind() == StatementKind.LARDER
        ? answerOrNothing(connection.commands().answer(plan, this))
        : connection
            .pipeline()
            .run(this, plan, lookup, run, isResult -> isResult ? delegateResult() : null);
  }

  final <T> T update(Plan plan, SqlCall<T> run, T nothing) throws SQLException {
    beforeExecution();
    if (plan.shape().kind() == StatementKind.LARDER) {
      ResultSet made = connection.commands().answer(plan, this);
      if (made != null) {
        made.close();
        throw new SQLException("A result was returned when none was expected.", "0100E");
      }
      answerOrNothing(null);
      return nothing;
    }
    return connection.pipeline().send(this, plan, run);
  }

  /**
   * Returns {@code run} so that the driver fetches all rows at once, as in autocommit: in a
   * transaction that ends with the statement the other portions would be lost.
   */
  final <T extends @Nullable Object> SqlCall<T> allAtOnce(SqlCall<T> run) {
    if (replayOptions().fetchSize() == 0) {
      return run;
    }
    return () -> {
      Statement made = delegate();
      int portion = made.getFetchSize();
      made.setFetchSize(0);
      try {
        return run.call();
      } finally {
        made.setFetchSize(portion);
      }
    };
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    Plan plan = plan(sql);
    Lookup lookup = connection.pipeline().decide(this, plan, NO_BINDS);
    return lookup instanceof Lookup.Hit hit
        ? answer(hit)
        : query(plan, lookup, () -> forSending().executeQuery(sql));
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    return execute(sql, NO_BINDS, () -> forSending().execute(sql));
  }

  @Override
  public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
    return execute(
        sql,
        autoGeneratedKeys == NO_GENERATED_KEYS ? NO_BINDS : KEYS_WANTED,
        () -> forSending().execute(sql, autoGeneratedKeys));
  }

  @Override
  public boolean execute(String sql, int[] columnIndexes) throws SQLException {
    return execute(sql, KEYS_WANTED, () -> forSending().execute(sql, columnIndexes));
  }

  @Override
  public boolean execute(String sql, String[] columnNames) throws SQLException {
    return execute(sql, KEYS_WANTED, () -> forSending().execute(sql, columnNames));
  }

  private boolean execute(String sql, Object[] binds, SqlCall<Boolean> run) throws SQLException {
    Plan plan = plan(sql);
    Lookup lookup = connection.pipeline().decide(this, plan, binds);
    if (lookup instanceof Lookup.Hit hit) {
      answer(hit);
      return true;
    }
    return execute(plan, lookup, run);
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    return update(plan(sql), () -> forSending().executeUpdate(sql), 0);
  }

  @Override
  public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return update(plan(sql), () -> forSending().executeUpdate(sql, autoGeneratedKeys), 0);
  }

  @Override
  public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return update(plan(sql), () -> forSending().executeUpdate(sql, columnIndexes), 0);
  }

  @Override
  public int executeUpdate(String sql, String[] columnNames) throws SQLException {
    return update(plan(sql), () -> forSending().executeUpdate(sql, columnNames), 0);
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    return update(plan(sql), () -> forSending().executeLargeUpdate(sql), 0L);
  }

  @Override
  public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return update(plan(sql), () -> forSending().executeLargeUpdate(sql, autoGeneratedKeys), 0L);
  }

  @Override
  public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return update(plan(sql), () -> forSending().executeLargeUpdate(sql, columnIndexes), 0L);
  }

  @Override
  public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
    return update(plan(sql), () -> forSending().executeLargeUpdate(sql, columnNames), 0L);
  }

  /** Returns the types of users that parameters are declared to be of: {@link DeclaredTypes}. */
  Set<Long> declaredTypes() {
    return Set.of();
  }

  /** Returns the value of the only parameter, if it is a text, or null. */
  @Nullable String onlyText() {
    return null;
  }

  // ---- batches

  @Override
  public void addBatch(String sql) throws SQLException {
    Plan plan = plan(sql);
    if (!isForLarder(plan)) {
      delegate().addBatch(sql);
      addToBatch(plan, Set.of());
    }
  }

  /** Takes a statement of a batch that the server must not see; returns whether it is one. */
  final boolean isForLarder(Plan plan) {
    boolean command = plan.shape().kind() == StatementKind.LARDER;
    if (command) {
      batch().command(plan);
    }
    return command;
  }

  final void addToBatch(Plan plan, Set<Long> parameterTypes) {
    batch().sent(plan, parameterTypes);
  }

  private StatementBatch batch() {
    StatementBatch collected = extras().batch;
    if (collected == null) {
      collected = new StatementBatch();
      extras().batch = collected;
    }
    return collected;
  }

  @Override
  public void clearBatch() throws SQLException {
    extras().batch = null;
    delegate().clearBatch();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    StatementBatch collected = takeBatch();
    return collected.counts(collected.send(this, () -> forSending().executeBatch()));
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    StatementBatch collected = takeBatch();
    return collected.counts(collected.send(this, () -> forSending().executeLargeBatch()));
  }

  /** Begins a new batch, carries out the old one's statements for Larder, and returns it. */
  private StatementBatch takeBatch() throws SQLException {
    StatementBatch collected = batch();
    extras().batch = null;
    collected.carryOut(connection.commands(), this);
    beforeExecution();
    return collected;
  }

  // ---- the current result

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

  private ResultSet answerRequired(@Nullable ResultSet made) throws SQLException {
    answered = true;
    if (made == null) {
      throw new SQLException("No results were returned by the query.", "02000");
    }
    CachingResultSet result = new CachingResultSet(made, this, true);
    current = result;
    return result;
  }

  private boolean answerOrNothing(@Nullable ResultSet made) {
    answered = true;
    if (made != null) {
      current = new CachingResultSet(made, this, true);
    } else {
      extras().count = 0;
    }
    return made != null;
  }

  private CachingResultSet live(ResultSet result) {
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
    return this;
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
