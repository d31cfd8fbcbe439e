package dev.larder.jdbc.postgresql;

import java.io.Closeable;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Parser;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.GT;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/**
 * The driver's side of one physical connection: its state, and the facts of its session. As
 * thread-safe as the driver's connection, which serializes statements by itself.
 */
public final class PostgresSession {
  private static final Set<String> UNKNOWN_OUTCOME_STATES =
      Set.of("57P01", "57P02", "57P03", "57P04", "57P05");

  private static final Cleaner CLEANER = Cleaner.create();

  private final Connection physical;
  private final PgConnection driver;
  private final ResultFormats formats;

  /** Tells whether the connection is closed; null where the driver's own answer must do. */
  private final @Nullable Closeable closeAction;

  private boolean doubtful;

  /**
   * Wraps a connection.
   *
   * @param physical a connection of the driver, or a wrapper that unwraps to one
   * @throws SQLException where it does not unwrap to one
   */
  public PostgresSession(Connection physical) throws SQLException {
    this.physical = physical;
    this.driver = physical.unwrap(PgConnection.class);
    this.formats = new ResultFormats(driver);
    this.closeAction = PostgresResults.supported() ? DriverInternals.closeAction(driver) : null;
  }

  /** Returns the connection as it was handed in. */
  public Connection physical() {
    return physical;
  }

  PgConnection driver() {
    return driver;
  }

  /** Returns what foretells the formats of results. */
  public ResultFormats formats() {
    return formats;
  }

  /** Returns the state of the transaction as the server last reported it. */
  public TransactionStatus status() {
    TransactionState state = driver.getTransactionState();
    if (state == TransactionState.IDLE) {
      return TransactionStatus.IDLE;
    }
    return state == TransactionState.OPEN ? TransactionStatus.OPEN : TransactionStatus.FAILED;
  }

  /** Returns whether the connection is closed, without asking the server. */
  public boolean isClosed() {
    return isClosed(driver);
  }

  /**
   * Returns whether the driver has closed the connection, as {@link #isClosed} does but for a
   * socket that was closed by somebody else, and without the lock that the driver takes.
   */
  public boolean isFoundClosed() {
    Closeable action = closeAction;
    return action == null ? isClosed() : DriverInternals.isClosed(action);
  }

  /**
   * Returns what says whether the driver has closed the connection, or nobody can use it any more.
   * It does not keep the connection from being collected; nor does it ask the server.
   */
  public BooleanSupplier ending() {
    Closeable action = closeAction;
    if (action != null) {
      return () -> DriverInternals.isClosed(action);
    }
    WeakReference<PgConnection> connection = new WeakReference<>(driver);
    return () -> isClosed(connection.get());
  }

  private static boolean isClosed(@Nullable PgConnection connection) {
    try {
      return connection == null || connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /**
   * Has {@code end}, which must not refer to it, run when nobody can use the driver's connection
   * any more. The server may then still be at what was sent last.
   */
  public Cleaner.Cleanable whenForgotten(Runnable end) {
    return CLEANER.register(driver, end);
  }

  /**
   * Returns who ends transactions, without asking the server. The driver takes a lock of the
   * socket's to answer.
   */
  public CommitMode commitMode() {
    try {
      return driver.getAutoCommit() ? CommitMode.AUTO : CommitMode.MANUAL;
    } catch (SQLException e) {
      // The driver throws for a closed connection only.
      return CommitMode.CLOSED;
    }
  }

  /**
   * As {@link #commitMode}, but without a lock: whether the connection is closed is found out as by
   * {@link #isFoundClosed}.
   */
  public CommitMode foundCommitMode() {
    Closeable action = closeAction;
    if (action == null) {
      return commitMode();
    }
    if (DriverInternals.isClosed(action)) {
      return CommitMode.CLOSED;
    }
    return DriverInternals.isAutoCommit(driver) ? CommitMode.AUTO : CommitMode.MANUAL;
  }

  /** Returns whether a backslash is an ordinary character in a string literal. */
  public boolean standardConformingStrings() {
    return driver.getStandardConformingStrings();
  }

  /**
   * Returns the exception that the driver throws where {@code what} is changed in the middle of a
   * transaction.
   */
  public SQLException activeTransaction(String what) {
    return new PSQLException(
        GT.tr("Cannot change transaction " + what + " in the middle of a transaction."),
        PSQLState.ACTIVE_SQL_TRANSACTION);
  }

  /**
   * Makes a transaction begin at the server, with a snapshot, where the driver has put that off.
   */
  public void begin() throws SQLException {
    try (Statement statement = driver.createStatement()) {
      statement.execute("SELECT 1");
    } catch (RuntimeException | Error e) {
      doubt();
      throw e;
    }
  }

  /**
   * Puts a transaction block around the next statement, which would otherwise be a transaction of
   * its own. To be called in autocommit only.
   */
  public void beginBlock() throws SQLException {
    if (driver.isReadOnly()) {
      // The driver's transaction would be read-only, where in autocommit it may not be.
      driver.execSQLUpdate("BEGIN");
    } else {
      driver.setAutoCommit(false);
    }
  }

  /** Commits the block of {@link #beginBlock}. */
  public void commitBlock() throws SQLException {
    if (driver.getAutoCommit()) {
      driver.execSQLUpdate("COMMIT");
    } else {
      driver.commit();
    }
  }

  /**
   * Rolls the block of {@link #beginBlock} back if it was not committed, and returns to autocommit.
   *
   * @param failure why it was not committed; null if it was
   */
  public void endBlock(@Nullable Throwable failure) {
    try {
      if (!driver.isClosed()) {
        if (status() != TransactionStatus.IDLE) {
          rollBack();
        }
        driver.setAutoCommit(true);
      }
    } catch (SQLException e) {
      if (failure != null) {
        failure.addSuppressed(e);
      }
      abort(e);
    }
  }

  /** What is still open must not be committed by what comes next. */
  private void abort(SQLException because) {
    try {
      driver.abort(Runnable::run);
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  /** Rolls the open transaction back. */
  public void rollBack() throws SQLException {
    if (driver.getAutoCommit()) {
      driver.execSQLUpdate("ROLLBACK");
    } else {
      driver.rollback();
    }
  }

  /**
   * Returns whether the open transaction may have written anything, here or, through a foreign
   * table or a connection of its own, elsewhere.
   */
  public boolean mayHaveWritten() throws SQLException {
    try (ResultSet answer = driver.execSQLQuery(WrittenQuery.TEXT)) {
      answer.next();
      boolean may = answer.getBoolean(1);
      answer.getStatement().close();
      return may;
    }
  }

  /** Sends a query whose answer does not matter: no BEGIN. */
  public void ask(String sql) throws SQLException {
    try (ResultSet answer = driver.execSQLQuery(sql)) {
      answer.getStatement().close();
    }
  }

  /**
   * Notes that the driver may have given up in the middle of an exchange, so that what it takes for
   * the answer to the next statement may be that to the last.
   */
  public void doubt() {
    doubtful = true;
  }

  /** Takes the last {@link #doubt} back: it has turned out that there was none. */
  public void noDoubt() {
    doubtful = false;
  }

  /** Returns whether the driver may take one answer for another. */
  public boolean isDoubtful() {
    return doubtful;
  }

  /**
   * Asks the server something that has one answer, where there is doubt. A connection on which that
   * is not what comes, or not within seconds, is closed: every answer on it would be a wrong one.
   *
   * @return whether what was sent before has been answered
   */
  public boolean resolveDoubt() {
    doubtful = !StepCheck.passes(driver, status() == TransactionStatus.FAILED);
    return !doubtful;
  }

  /** Returns the replay options of a new statement of this connection. */
  public ReplayOptions replayOptions() {
    ReplayOptions usual = ReplayOptions.DEFAULT;
    return new ReplayOptions(
        usual.type(), usual.maxFieldSize(), driver.getDefaultFetchSize(), usual.fetchDirection());
  }

  /**
   * Returns whether a pooler sits in between: the process that the protocol named is not the one
   * that answered.
   */
  public boolean isPooled(SessionFacts facts) {
    return facts.backend().pid() != driver.getBackendPID();
  }

  /** Returns the driver's options that change what is sent or how results come back. */
  public String protocolOptions() {
    return ProtocolOptions.of(driver);
  }

  /** Takes the limit of the application's away from a connection that is Larder's own. */
  public void liftLimits() {
    ResultBuffer.lift(driver);
  }

  /** Returns {@code sql} as the driver sends it: with the escapes of JDBC replaced. */
  public String replaceEscapes(String sql) throws SQLException {
    return Parser.replaceProcessing(sql, true, standardConformingStrings());
  }

  /**
   * Returns whether an execution that ended in {@code thrown} has left no doubt about what was
   * committed: the server said so and the connection lives.
   */
  public boolean isDefinite(Throwable thrown) {
    if (isClosed() || !(thrown instanceof SQLException failure)) {
      return false;
    }
    String state = failure.getSQLState();
    if (PSQLState.CONNECTION_DOES_NOT_EXIST.getState().equals(state)) {
      // The connection lives: it was a handle that was closed, and nothing was sent.
      return true;
    }
    if (state != null && (state.startsWith("08") || UNKNOWN_OUTCOME_STATES.contains(state))) {
      return false;
    }
    ServerErrorMessage message =
        thrown instanceof PSQLException driverFailure
            ? driverFailure.getServerErrorMessage()
            : null;
    String severity = message == null ? null : message.getSeverity();
    return !"FATAL".equals(severity) && !"PANIC".equals(severity);
  }

  /** Returns whether {@code thrown} is what the server itself has said. */
  public boolean isAnswer(Throwable thrown) {
    return thrown instanceof PSQLException failure && failure.getServerErrorMessage() != null;
  }

  /**
   * Asks the session for its facts: one round trip, no BEGIN. In an open transaction it does not
   * ask for those of the server, and the transaction goes on as it was.
   *
   * @param customSettings further settings to read, by lower-case name; an unset or unknown one
   *     reads as {@link ServerSettings#UNSET}
   */
  public SessionFacts readFacts(Collection<String> customSettings) throws SQLException {
    long limit = ResultBuffer.limit(driver);
    ResultBuffer.lift(driver);
    try {
      return status() == TransactionStatus.IDLE
          ? FactQueries.read(driver, customSettings)
          : FactQueries.readInTransaction(driver, customSettings);
    } catch (SQLException | RuntimeException | Error e) {
      if (!isDefinite(e)) {
        doubt();
      }
      throw e;
    } finally {
      ResultBuffer.restore(driver, limit);
    }
  }

  /**
   * Asks a new session for its facts. Where the server refuses, they are those that it tells
   * everybody.
   */
  public SessionFacts readFirstFacts() throws SQLException {
    try {
      return readFacts(List.of());
    } catch (SQLException e) {
      if (isClosed() || !isDefinite(e)) {
        throw e;
      }
      return readPublicFacts();
    }
  }

  private SessionFacts readPublicFacts() throws SQLException {
    try {
      return FactQueries.readPublic(driver);
    } catch (SQLException e) {
      if (isClosed() || !PSQLState.NOT_IMPLEMENTED.getState().equals(e.getSQLState())) {
        throw e;
      }
      return FactQueries.withoutSql(driver);
    }
  }

  /**
   * Returns who may still commit a change to this database: transactions by their numbers, holders
   * of the announce lock by their processes.
   */
  public Set<String> writersInProgress() throws SQLException {
    return LockQueries.writersInProgress(driver);
  }

  /** Returns every process that serves a session of this database. */
  public List<Backend> backends() throws SQLException {
    return FactQueries.backends(driver);
  }

  /**
   * Returns whether the server has last said that it is a standby (14 and later say so by
   * themselves), without asking it.
   */
  public boolean inHotStandby() {
    return "on".equals(driver.getParameterStatus("in_hot_standby"));
  }
}
