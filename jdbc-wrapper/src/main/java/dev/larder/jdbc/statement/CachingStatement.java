package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.format.DeclaredTypes;
import dev.larder.jdbc.session.Overlap;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A statement whose queries may be answered from memory: its executions and batches. */
class CachingStatement extends AnsweredStatement {
  private static final Object[] NO_BINDS = {};

  /**
   * Stands for the binds of an execution that wants generated keys, which a hit has none of, or
   * something that the driver refuses.
   */
  private static final Object[] KEYS_WANTED = {};

  /** When the execution that began last was looked up: see {@link Overlap#turn}. */
  int turn;

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

  /** Returns whether the driver had these values, and not those of another thread. */
  boolean wasSentWith(@Nullable Object[] binds) {
    return true;
  }

  // ---- executions

  final Plan plan(String sql) throws SQLException {
    StatementExtras set = extrasIfAny();
    connection.physical().session().formats().runsPlain(sql);
    return connection.plan(sql, false, set == null || set.escapeProcessing);
  }

  /** Runs a query that is no hit. */
  final ResultSet query(Plan plan, Object[] binds, @Nullable Lookup lookup, SqlCall<ResultSet> run)
      throws SQLException {
    StatementKind kind = plan.shape().kind();
    SessionCommand held = kind == StatementKind.QUERY ? holdBack(plan, binds) : null;
    if (held != null) {
      return answerRequired(rowOf(held));
    }
    return kind == StatementKind.LARDER
        ? answerRequired(connection.commands().answer(plan, this))
        : live(connection.pipeline().run(this, plan, binds, lookup, run, result -> result));
  }

  /**
   * Runs a statement that is no hit, unless it is held back; returns whether its first result is a
   * result set.
   */
  final boolean execute(Plan plan, Object[] binds, @Nullable Lookup lookup, SqlCall<Boolean> run)
      throws SQLException {
    SessionCommand held = holdBack(plan, binds);
    if (held == null) {
      return send(plan, binds, lookup, run);
    }
    return answerOrNothing(plan.shape().kind() == StatementKind.QUERY ? rowOf(held) : null);
  }

  private boolean send(Plan plan, Object[] binds, @Nullable Lookup lookup, SqlCall<Boolean> run)
      throws SQLException {
    return plan.shape().kind() == StatementKind.LARDER
        ? answerOrNothing(connection.commands().answer(plan, this))
        : connection
            .pipeline()
            .run(this, plan, binds, lookup, run, isResult -> isResult ? delegateResult() : null);
  }

  final <T> T update(Plan plan, Object[] binds, SqlCall<T> run, T nothing) throws SQLException {
    beforeExecution();
    StatementKind kind = plan.shape().kind();
    if (kind == StatementKind.LARDER) {
      ResultSet made = connection.commands().answer(plan, this);
      if (made != null) {
        made.close();
        throw new SQLException("A result was returned when none was expected.", "0100E");
      }
      answerOrNothing(null);
      return nothing;
    }
    if (kind == StatementKind.SET && holdBack(plan, binds) != null) {
      answerOrNothing(null);
      return nothing;
    }
    return connection.pipeline().send(this, plan, binds, run);
  }

  /** Holds a statement back, if that may be; returns what it sets, or null if it is to be sent. */
  private @Nullable SessionCommand holdBack(Plan plan, Object[] binds) throws SQLException {
    return refusal(binds) == null ? connection.physical().sender().held().hold(plan, binds) : null;
  }

  /** Returns the row that set_config would return. */
  private ResultSet rowOf(SessionCommand held) throws SQLException {
    return connection
        .replay()
        .fromText(LarderCommands.of("set_config", held.value()), replayOptions());
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

  /** Notes that an execution has waited before it is sent. */
  final void waited(long nanos) {
    int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(nanos);
    if (seconds > 0) {
      extras().waitedSeconds = seconds;
    }
  }

  /** Returns {@code run} with the query timeout less the seconds that the execution has waited. */
  final <T> SqlCall<T> inTimeLeft(SqlCall<T> run) {
    StatementExtras set = extrasIfAny();
    if (set == null || set.waitedSeconds == 0) {
      return run;
    }
    int waited = set.waitedSeconds;
    set.waitedSeconds = 0;
    return () -> {
      Statement made = forSending();
      int timeout = made.getQueryTimeout();
      if (timeout == 0) {
        return run.call();
      }
      made.setQueryTimeout(Math.max(1, timeout - waited));
      try {
        return run.call();
      } finally {
        if (!made.isClosed()) {
          made.setQueryTimeout(timeout);
        }
      }
    };
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    Plan plan = plan(sql);
    Lookup lookup = connection.pipeline().decide(this, plan, NO_BINDS);
    return lookup instanceof Lookup.Hit hit
        ? answer(hit)
        : query(plan, NO_BINDS, lookup, () -> forSending().executeQuery(sql));
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
    return binds == KEYS_WANTED
        ? send(plan, binds, lookup, run)
        : execute(plan, binds, lookup, run);
  }

  @Override
  protected <T> T sendText(String sql, TextCall<T> call, T nothing) throws SQLException {
    return update(plan(sql), NO_BINDS, () -> call.on(forSending()), nothing);
  }

  /** Returns the types of users that parameters are declared to be of: {@link DeclaredTypes}. */
  Set<Long> declaredTypes(@Nullable Object[] binds) {
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
      addToBatch(plan, NO_BINDS, Set.of());
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

  final void addToBatch(Plan plan, @Nullable Object[] binds, Set<Long> parameterTypes) {
    batch().sent(plan, binds, parameterTypes);
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
    delegate().clearBatch();
    extras().batch = null;
  }

  @Override
  public int[] executeBatch() throws SQLException {
    return send(batch -> batch.counts(batch.send(this, () -> forSending().executeBatch())));
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    return send(batch -> batch.counts(batch.send(this, () -> forSending().executeLargeBatch())));
  }

  /**
   * Sends the batch, of which nothing is left afterwards: nor at the driver, if it was not sent.
   */
  private <T> T send(SentBatch<T> run) throws SQLException {
    try {
      return run.send(takeBatch());
    } catch (SQLException | RuntimeException | Error e) {
      Statement made = delegateIfMade();
      if (made != null && !made.isClosed()) {
        made.clearBatch();
      }
      throw e;
    }
  }

  /** Sends a batch. */
  @FunctionalInterface
  private interface SentBatch<T> {
    T send(StatementBatch batch) throws SQLException;
  }

  /** Begins a new batch, carries out the old one's statements for Larder, and returns it. */
  private StatementBatch takeBatch() throws SQLException {
    StatementBatch collected = batch();
    extras().batch = null;
    collected.carryOut(connection.commands(), this);
    beforeExecution();
    return collected;
  }
}
