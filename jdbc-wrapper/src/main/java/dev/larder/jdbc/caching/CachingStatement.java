package dev.larder.jdbc.caching;

import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.delegate.DelegatingStatement;
import dev.larder.jdbc.postgresql.ReplayOptions;
import dev.larder.result.CachedResult;
import dev.larder.sql.BypassReason;
import dev.larder.sql.StatementKind;
import dev.larder.store.ProtocolStep;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose queries may be answered from memory. It alone owns the statement's current
 * result, update count, warnings and keys: after a hit they are the hit's, after anything else the
 * driver's. Its delegate is made when something is first asked of it. As thread-safe as the
 * driver's: {@link #cancel} may be called from any thread.
 */
class CachingStatement extends DelegatingStatement implements ResultSetOwner {
  private static final Object[] NO_BINDS = {};

  /** Stands for the binds of an execution that wants generated keys, which a hit has none of. */
  private static final Object[] KEYS_WANTED = {};

  final CachingConnection connection;
  private volatile @Nullable Statement delegate;
  private @Nullable CachingResultSet current;
  private @Nullable StatementBatch batch;
  private int answeredCount = -1;
  private @Nullable StatementOptions options;
  private boolean answered;
  private boolean shared;
  private boolean closed;

  CachingStatement(CachingConnection connection, @Nullable Statement delegate) {
    this.connection = connection;
    this.delegate = delegate;
  }

  // ---- the delegate

  @Override
  protected Statement delegate() throws SQLException {
    Statement made = delegate;
    if (made == null) {
      made = create();
      if (closed) {
        made.close();
      }
      delegate = made;
    }
    connection.physical().touched();
    return made;
  }

  /** Makes the delegate of a statement that was made without one. */
  Statement create() throws SQLException {
    throw new IllegalStateException("a statement without a delegate must know how to make it");
  }

  final CachingPreparedStatement.@Nullable StatementFactory factory() {
    StatementOptions set = options;
    return set == null ? null : set.factory;
  }

  final boolean hasDelegate() {
    return delegate != null;
  }

  // ---- what the read path asks

  /** Returns why this execution uses no cache, by the statement's own options, or null. */
  @Nullable BypassReason bypass(Object @Nullable [] binds) {
    if (closed || connection.isHandleClosed()) {
      return BypassReason.CLOSED;
    }
    if (binds == null) {
      return BypassReason.BIND_TYPE;
    }
    if (binds == KEYS_WANTED) {
      return BypassReason.STATEMENT_OPTION;
    }
    StatementOptions set = options;
    return set == null ? null : set.bypass();
  }

  final long keyOptions() {
    StatementOptions set = options;
    return set == null ? 0 : set.maxRows;
  }

  final boolean hasWarnings() throws SQLException {
    Statement made = delegate;
    return made != null && made.getWarnings() != null;
  }

  final ResultSet replay(CachedResult result) throws SQLException {
    return connection.replay().replay(result, replayOptions());
  }

  final ReplayOptions replayOptions() {
    StatementOptions set = options;
    return set == null ? connection.replayOptions() : set.replay();
  }

  final void captured(boolean isShared) {
    shared = isShared;
  }

  final StatementOptions options() {
    StatementOptions set = options;
    if (set == null) {
      set = new StatementOptions(connection.replayOptions());
      options = set;
    }
    return set;
  }

  // ---- executions

  final Plan plan(String sql) throws SQLException {
    return connection.plan(sql, false, options == null || options.escapeProcessing);
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
  }

  /** The driver closes its own results without taking that for the completion. */
  private boolean closesOnCompletion() {
    return options != null && options.closeOnCompletion;
  }

  /** Begins an execution that may be a hit, and decides about it. */
  final @Nullable Lookup lookup(Plan plan, Object @Nullable [] binds) throws SQLException {
    beforeExecution();
    return connection.execution().lookup(this, plan, binds);
  }

  /** Answers with a hit. */
  final CachingResultSet answer(Lookup.Hit hit) throws SQLException {
    return answer(connection.execution().replay(this, hit));
  }

  /** Runs a query that is no hit. */
  final ResultSet query(Plan plan, @Nullable Lookup lookup, SqlCall<ResultSet> run)
      throws SQLException {
    return plan.kind() == StatementKind.LARDER
        ? answerRequired(connection.commands().answer(plan, this))
        : live(connection.execution().run(this, plan, lookup, run, result -> result));
  }

  /** Runs a statement that is no hit; returns whether its first result is a result set. */
  final boolean execute(Plan plan, @Nullable Lookup lookup, SqlCall<Boolean> run)
      throws SQLException {
    return plan.kind() == StatementKind.LARDER
        ? answerOrNothing(connection.commands().answer(plan, this))
        : connection
            .execution()
            .run(this, plan, lookup, run, isResult -> isResult ? delegateResult() : null);
  }

  final <T> T update(Plan plan, SqlCall<T> run, T nothing) throws SQLException {
    beforeExecution();
    if (plan.kind() == StatementKind.LARDER) {
      ResultSet made = connection.commands().answer(plan, this);
      if (made != null) {
        made.close();
        throw new SQLException("A result was returned when none was expected.", "0100E");
      }
      answerOrNothing(null);
      return nothing;
    }
    return connection.execution().update(this, plan, run);
  }

  private @Nullable ResultSet delegateResult() throws SQLException {
    Statement made = delegate;
    return made == null ? null : made.getResultSet();
  }

  private ResultSet answerRequired(@Nullable ResultSet made) throws SQLException {
    answered = true;
    if (made == null) {
      throw new SQLException("No results were returned by the query.", "02000");
    }
    return answer(made);
  }

  private boolean answerOrNothing(@Nullable ResultSet made) {
    answered = true;
    if (made != null) {
      answer(made);
    } else {
      answeredCount = 0;
    }
    return made != null;
  }

  private CachingResultSet answer(ResultSet replayed) {
    CachingResultSet result = new CachingResultSet(replayed, this, true);
    current = result;
    answered = true;
    return result;
  }

  private CachingResultSet live(ResultSet result) {
    CachingResultSet known = current;
    if (known == null || known.delegate() != result) {
      known = new CachingResultSet(result, this, shared);
      current = known;
    }
    return known;
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    Plan plan = plan(sql);
    Lookup lookup = lookup(plan, NO_BINDS);
    return lookup instanceof Lookup.Hit hit
        ? answer(hit)
        : query(plan, lookup, () -> delegate().executeQuery(sql));
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    return execute(sql, NO_BINDS, () -> delegate().execute(sql));
  }

  @Override
  public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
    return execute(
        sql,
        autoGeneratedKeys == RETURN_GENERATED_KEYS ? KEYS_WANTED : NO_BINDS,
        () -> delegate().execute(sql, autoGeneratedKeys));
  }

  @Override
  public boolean execute(String sql, int[] columnIndexes) throws SQLException {
    return execute(sql, KEYS_WANTED, () -> delegate().execute(sql, columnIndexes));
  }

  @Override
  public boolean execute(String sql, String[] columnNames) throws SQLException {
    return execute(sql, KEYS_WANTED, () -> delegate().execute(sql, columnNames));
  }

  private boolean execute(String sql, Object[] binds, SqlCall<Boolean> run) throws SQLException {
    Plan plan = plan(sql);
    Lookup lookup = lookup(plan, binds);
    if (lookup instanceof Lookup.Hit hit) {
      answer(hit);
      return true;
    }
    return execute(plan, lookup, run);
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    return update(plan(sql), () -> delegate().executeUpdate(sql), 0);
  }

  @Override
  public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return update(plan(sql), () -> delegate().executeUpdate(sql, autoGeneratedKeys), 0);
  }

  @Override
  public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return update(plan(sql), () -> delegate().executeUpdate(sql, columnIndexes), 0);
  }

  @Override
  public int executeUpdate(String sql, String[] columnNames) throws SQLException {
    return update(plan(sql), () -> delegate().executeUpdate(sql, columnNames), 0);
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    return update(plan(sql), () -> delegate().executeLargeUpdate(sql), 0L);
  }

  @Override
  public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return update(plan(sql), () -> delegate().executeLargeUpdate(sql, autoGeneratedKeys), 0L);
  }

  @Override
  public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return update(plan(sql), () -> delegate().executeLargeUpdate(sql, columnIndexes), 0L);
  }

  @Override
  public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
    return update(plan(sql), () -> delegate().executeLargeUpdate(sql, columnNames), 0L);
  }

  // ---- batches

  @Override
  public void addBatch(String sql) throws SQLException {
    Plan plan = plan(sql);
    if (!isForLarder(plan)) {
      delegate().addBatch(sql);
      addToBatch(plan);
    }
  }

  /** Takes a statement of a batch that the server must not see; returns whether it is one. */
  final boolean isForLarder(Plan plan) {
    boolean command = plan.kind() == StatementKind.LARDER;
    if (command) {
      batch().command(plan);
    }
    return command;
  }

  final void addToBatch(Plan plan) {
    batch().sent(plan);
  }

  private StatementBatch batch() {
    StatementBatch collected = batch;
    if (collected == null) {
      collected = new StatementBatch();
      batch = collected;
    }
    return collected;
  }

  @Override
  public void clearBatch() throws SQLException {
    batch = null;
    delegate().clearBatch();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    StatementBatch collected = takeBatch();
    int[] counts = send(collected, () -> delegate().executeBatch());
    return collected.commands().isEmpty()
        ? counts
        : Arrays.stream(collected.counts(Arrays.stream(counts).asLongStream().toArray()))
            .mapToInt(count -> (int) count)
            .toArray();
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    StatementBatch collected = takeBatch();
    long[] counts = send(collected, () -> delegate().executeLargeBatch());
    return collected.commands().isEmpty() ? counts : collected.counts(counts);
  }

  /** Begins a new batch, carries out the old one's statements for Larder, and returns it. */
  private StatementBatch takeBatch() throws SQLException {
    StatementBatch collected = batch();
    batch = null;
    for (Plan plan : collected.commands()) {
      ResultSet made = connection.commands().answer(plan, this);
      if (made != null) {
        made.close();
      }
    }
    return collected;
  }

  private <T> T send(StatementBatch collected, SqlCall<T> run) throws SQLException {
    beforeExecution();
    PhysicalConnection physical = connection.physical();
    List<Plan> announced = collected.sent();
    if (announced.size() > 1 && !ProtocolStep.ANNOUNCE_WHOLE_BATCH.isTaken()) {
      announced = announced.subList(0, 1);
    }
    return physical.send(Effects.union(announced.stream().map(physical::effects).toList()), run);
  }

  // ---- the current result

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    if (answered) {
      return current;
    }
    ResultSet result = delegate().getResultSet();
    return result == null ? null : live(result);
  }

  @Override
  public int getUpdateCount() throws SQLException {
    return answered ? answeredCount : delegate().getUpdateCount();
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    return answered ? answeredCount : delegate().getLargeUpdateCount();
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    return answered ? noMoreResults(CLOSE_CURRENT_RESULT) : delegate().getMoreResults();
  }

  @Override
  public boolean getMoreResults(int current) throws SQLException {
    return answered ? noMoreResults(current) : delegate().getMoreResults(current);
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
    return answered && !closed ? null : delegate().getWarnings();
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    ResultSet keys =
        answered
            ? connection.replay().noGeneratedKeys(replayOptions())
            : delegate().getGeneratedKeys();
    return new CachingResultSet(keys, this, false);
  }

  // ---- options, by the driver's rules; those that matter to the cache are noted

  @Override
  public void setMaxRows(int max) throws SQLException {
    delegate().setMaxRows(max);
    options().maxRows = max;
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    delegate().setLargeMaxRows(max);
    options().maxRows = max;
  }

  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    delegate().setMaxFieldSize(max);
    options().maxFieldSize = max;
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    delegate().setFetchSize(rows);
    options().fetchSize = rows;
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    delegate().setFetchDirection(direction);
    options().fetchDirection = direction;
  }

  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    delegate().setEscapeProcessing(enable);
    options().escapeProcessing = enable;
  }

  final void resultSetKind(int type, int concurrency) {
    if (type != ResultSet.TYPE_FORWARD_ONLY || concurrency != ResultSet.CONCUR_READ_ONLY) {
      options().type = type;
      options().concurrency = concurrency;
    }
  }

  // ---- life

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    CachingResultSet open = current;
    current = null;
    if (open != null) {
      open.closeSilently();
    }
    Statement made = delegate;
    if (made != null) {
      made.close();
    }
  }

  @Override
  public boolean isClosed() throws SQLException {
    Statement made = delegate;
    return closed || (made != null && made.isClosed());
  }

  @Override
  public void cancel() throws SQLException {
    Statement made = delegate;
    if (made != null) {
      made.cancel();
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (closed) {
      return delegate().getConnection();
    }
    return connection;
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    if (iface.isInstance(this)) {
      return iface.cast(this);
    }
    Statement made = delegate();
    T extensions = connection.physical().session().extensions(iface, made);
    if (extensions != null) {
      return extensions;
    }
    if (made.isWrapperFor(iface)) {
      connection.beforeUnwrap(iface);
    }
    return made.unwrap(iface);
  }

  @Override
  public boolean isWrapperFor(Class<?> iface) throws SQLException {
    return iface.isInstance(this) || delegate().isWrapperFor(iface);
  }

  @Override
  public String toString() {
    Statement made = delegate;
    return made == null ? super.toString() : made.toString();
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
