package dev.larder.jdbc.postgresql;

import dev.larder.jdbc.driver.ConnectionInternals;
import dev.larder.jdbc.driver.ProtocolOptions;
import dev.larder.jdbc.format.ResultFormats;
import dev.larder.jdbc.replay.ReplayOptions;
import java.io.Closeable;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Parser;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/**
 * The driver's side of one physical connection: its state, and the facts of its session. As
 * thread-safe as the driver's connection, which serializes statements by itself.
 */
public final class PostgresSession {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Connection physical;
  private final PgConnection driver;
  private final ResultFormats formats;
  private final TransactionBlock block;
  private final boolean singleByte;
  private volatile String rights = "";
  private boolean doubtful;
  private boolean hitLast;
  private long questions;

  /** Tells whether the connection is closed; null where the driver's own answer must do. */
  private final @Nullable Closeable closeAction;

  /** Wraps a connection of the driver, or a wrapper that unwraps to one. */
  public PostgresSession(Connection physical) throws SQLException {
    this.physical = physical;
    this.driver = physical.unwrap(PgConnection.class);
    this.formats = new ResultFormats(driver);
    this.block = new TransactionBlock(driver);
    this.singleByte = ServerEncoding.isSingleByte(driver.getParameterStatus("server_encoding"));
    this.closeAction = ConnectionInternals.closeAction(driver);
  }

  /** Returns the connection as it was handed in. */
  public Connection physical() {
    return physical;
  }

  /** Returns the driver's connection. */
  public PgConnection driver() {
    return driver;
  }

  /** Returns what foretells the formats of results. */
  public ResultFormats formats() {
    return formats;
  }

  // ---- the state, without asking the server

  /** Returns the state of the transaction as the server last reported it. */
  public TransactionStatus status() {
    TransactionState now = driver.getTransactionState();
    // No switch, which would look the state up in a table at each hit.
    return now == TransactionState.IDLE
        ? TransactionStatus.IDLE
        : now == TransactionState.OPEN ? TransactionStatus.OPEN : TransactionStatus.FAILED;
  }

  /** Returns whether the connection is closed. */
  public boolean isClosed() {
    return ConnectionInternals.isClosed(driver);
  }

  /**
   * As {@link #isClosed}, without the lock that the driver takes. It does not notice a socket that
   * somebody else has closed.
   */
  public boolean isFoundClosed() {
    return closeAction == null ? isClosed() : ConnectionInternals.isClosed(closeAction);
  }

  /**
   * Returns what tells that the connection is closed or was collected, which it does not hinder.
   */
  public BooleanSupplier ending() {
    Closeable action = closeAction;
    if (action != null) {
      return () -> ConnectionInternals.isClosed(action);
    }
    WeakReference<PgConnection> connection = new WeakReference<>(driver);
    return () -> ConnectionInternals.isClosed(connection.get());
  }

  /**
   * Runs {@code end}, which must not refer to the connection, once nobody can use it any more. The
   * server may then still be at what was sent last.
   */
  public Cleaner.Cleanable whenForgotten(Runnable end) {
    return CLEANER.register(driver, end);
  }

  /** Returns who ends transactions. The driver takes a lock of the socket's to answer. */
  public CommitMode commitMode() {
    try {
      return driver.getAutoCommit() ? CommitMode.AUTO : CommitMode.MANUAL;
    } catch (SQLException e) {
      return CommitMode.CLOSED; // The driver throws for nothing else.
    }
  }

  /** As {@link #commitMode}, but without a lock, and as little sure as {@link #isFoundClosed}. */
  public CommitMode foundCommitMode() {
    Closeable action = closeAction;
    if (action == null) {
      return commitMode();
    } else if (ConnectionInternals.isClosed(action)) {
      return CommitMode.CLOSED;
    }
    return ConnectionInternals.isAutoCommit(driver) ? CommitMode.AUTO : CommitMode.MANUAL;
  }

  /** Returns whether the server, from 14 on, has last said that it is a standby. */
  public boolean inHotStandby() {
    return "on".equals(driver.getParameterStatus("in_hot_standby"));
  }

  /** Returns whether a backslash is an ordinary character in a string literal. */
  public boolean standardConformingStrings() {
    return driver.getStandardConformingStrings();
  }

  /** Returns whether the database's encoding has characters of one byte only, or may have. */
  public boolean isSingleByte() {
    return singleByte;
  }

  /** Returns {@code sql} as the driver sends it: with the escapes of JDBC replaced. */
  public String replaceEscapes(String sql) throws SQLException {
    return Parser.replaceProcessing(sql, true, standardConformingStrings());
  }

  /** Returns the replay options of a new statement of this connection. */
  public ReplayOptions replayOptions() {
    return ReplayOptions.fetching(driver.getDefaultFetchSize());
  }

  /** Returns the driver's options that change what is sent or how results come back. */
  public String protocolOptions() {
    return ProtocolOptions.of(driver);
  }

  /** Takes the limit of the application's away from a connection that is Larder's own. */
  public void liftLimits() {
    ConnectionInternals.setMaxResultBuffer(driver, -1);
  }

  // ---- transactions

  /** Makes a transaction begin at the server, with a snapshot, if the driver put that off. */
  public void begin() throws SQLException {
    try {
      block.beginEarly(hitLast);
    } catch (RuntimeException | Error e) {
      doubt();
      throw e;
    }
  }

  /**
   * Notes that something was sent; or a hit in a transaction, before which the driver would have
   * set its savepoint.
   */
  public void passed(boolean hit) {
    hitLast = hit;
  }

  /** Returns whether the driver would have set its own savepoint where the last hit was. */
  public boolean owesSavepoint() {
    return hitLast && block.savesItself();
  }

  /** Returns what puts a transaction block around a statement. */
  public TransactionBlock block() {
    return block;
  }

  /**
   * Returns whether the open transaction may have written anything, here or, through a foreign
   * table or a connection of its own, elsewhere.
   */
  public boolean mayHaveWritten() throws SQLException {
    return isSo(WriterQueries.HAS_WRITTEN);
  }

  // ---- outcomes and doubts

  /**
   * Returns whether it is known what was committed after an execution that ended in {@code thrown}:
   * the server said so and the connection lives.
   */
  public boolean isDefinite(Throwable thrown) {
    return !isClosed() && Answers.areDefinite(thrown);
  }

  /** Returns whether {@code thrown} is what the server itself has said. */
  public boolean isAnswer(Throwable thrown) {
    return Answers.of(thrown) != null;
  }

  /** Notes that the driver may take the answer to the last statement for that to the next. */
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
   * Returns whether what was sent before has been answered, by asking the server something. Where
   * another answer comes, or none within seconds, the connection is closed: {@link StepCheck}.
   */
  public boolean resolveDoubt() {
    doubtful = !StepCheck.passes(driver, status() == TransactionStatus.FAILED);
    return !doubtful;
  }

  // ---- questions to the server

  /** Sends a query whose answer does not matter: no BEGIN. */
  public void ask(String sql) throws SQLException {
    OwnStatements.ask(driver, sql, row -> row);
  }

  /** Sends a question that is answered by yes or no: no BEGIN. */
  public boolean isSo(String sql) throws SQLException {
    return OwnStatements.ask(driver, sql, row -> row.next() && row.getBoolean(1));
  }

  /**
   * Asks the session for its facts: one round trip, no BEGIN. In an open transaction it does not
   * ask for those of the server, and the transaction goes on as it was.
   *
   * @param customSettings further settings to read, by lower-case name; an unset or unknown one
   *     reads as {@link ServerSettings#UNSET}
   */
  public SessionFacts readFacts(Collection<String> customSettings) throws SQLException {
    return unlimited(
        () -> {
          if (status() != TransactionStatus.IDLE) {
            return FactQueries.readInTransaction(driver, customSettings);
          }
          SessionFacts facts = FactQueries.read(driver, customSettings);
          rights = facts.rights();
          return facts;
        });
  }

  /** Asks a question, of which the limits of the application's say nothing. */
  SessionFacts unlimited(PoolerQueries.Question question) throws SQLException {
    questions++;
    long limit = ConnectionInternals.maxResultBuffer(driver);
    liftLimits();
    try {
      return question.ask();
    } catch (SQLException | RuntimeException | Error e) {
      if (isLost(e)) {
        doubt();
      }
      throw e;
    } finally {
      ConnectionInternals.setMaxResultBuffer(driver, limit);
    }
  }

  /** Returns how often it was asked for facts. */
  public long questions() {
    return questions;
  }

  /**
   * Returns by what right its user gives commands, as it was read last; see {@link SessionFacts}.
   */
  public String rights() {
    return rights;
  }

  /** Returns whether the server has not just answered a question with an error and gone on. */
  boolean isLost(Throwable thrown) {
    return !isDefinite(thrown) && (!isAnswer(thrown) || Answers.endSession(thrown) || isClosed());
  }

  /** Returns whether a pooler sits in between: another process has answered than was connected. */
  public boolean isPooled(SessionFacts facts) {
    return facts.backend().pid() != driver.getBackendPID();
  }

  /**
   * Returns who may still commit a change to this database: transactions by their numbers, holders
   * of the announce lock by their processes.
   */
  public Set<String> writersInProgress() throws SQLException {
    return WriterQueries.writersInProgress(driver);
  }

  /** Returns every process that serves a session of this database. */
  public List<Backend> backends() throws SQLException {
    return WriterQueries.backends(driver);
  }
}
