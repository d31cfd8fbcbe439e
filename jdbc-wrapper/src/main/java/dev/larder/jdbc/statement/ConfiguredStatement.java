package dev.larder.jdbc.statement;

import dev.larder.jdbc.connection.RowCounter;
import dev.larder.jdbc.connection.Sender;
import dev.larder.jdbc.delegate.DelegatingStatement;
import dev.larder.jdbc.gate.GatedPgStatement;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.jdbc.replay.ReplayOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The driver's statement behind one of ours, made when something is first asked of it, and the
 * options that the cache must know. As thread-safe as the driver's: {@link #cancel} may be called
 * from any thread.
 */
abstract class ConfiguredStatement extends DelegatingStatement
    implements GatedPgStatement, RowCounter {
  final CachingConnection connection;
  private volatile @Nullable Statement delegate;
  private @Nullable StatementExtras extras;
  private boolean closed;

  ConfiguredStatement(CachingConnection connection, @Nullable Statement delegate) {
    this.connection = connection;
    if (delegate != null) {
      this.delegate = delegate; // Not for null, which costs every hit a fence.
    }
  }

  @Override
  protected Statement delegate() throws SQLException {
    Statement made = forSending();
    connection.physical().touched();
    return made;
  }

  @Override
  public Statement driverStatement() throws SQLException {
    return delegate();
  }

  /** As {@link #delegate}, for what goes through {@link Sender}, which notes that by itself. */
  Statement forSending() throws SQLException {
    Statement made = delegate;
    if (made == null) {
      made = create();
      if (closed) {
        made.close();
      }
      delegate = made;
    }
    return made;
  }

  /** Makes the delegate of a statement that was made without one. */
  Statement create() throws SQLException {
    throw new IllegalStateException("a statement without a delegate must know how to make it");
  }

  final CachingPreparedStatement.@Nullable StatementFactory factory() {
    StatementExtras set = extras;
    return set == null ? null : set.factory;
  }

  final boolean hasDelegate() {
    return delegate != null;
  }

  final @Nullable Statement delegateIfMade() {
    return delegate;
  }

  final @Nullable ResultSet delegateResult() throws SQLException {
    Statement made = delegate;
    return made == null ? null : made.getResultSet();
  }

  @Override
  public final long written(@Nullable Object answer) throws SQLException {
    if (answer instanceof Number count) {
      return count.longValue();
    } else if (answer instanceof int[] counts) {
      return sum(Arrays.stream(counts).asLongStream());
    } else if (answer instanceof long[] counts) {
      return sum(Arrays.stream(counts));
    } else if (answer instanceof ResultSet returned) {
      return PostgresResults.rowCount(returned);
    } else if (answer instanceof Boolean isResult) {
      ResultSet returned = isResult ? delegateResult() : null;
      Statement made = delegate;
      return returned != null
          ? PostgresResults.rowCount(returned)
          : made == null ? -1 : made.getUpdateCount();
    }
    return -1;
  }

  private static long sum(LongStream counts) {
    return counts.reduce(0, (sum, count) -> sum < 0 || count < 0 ? -1 : sum + count);
  }

  /** Returns whether the driver will fetch more rows of its present result, unseen. */
  final boolean hasMoreAtServer() throws SQLException {
    ResultSet live = replayOptions().fetchSize() == 0 ? null : delegateResult();
    return live != null && PostgresResults.hasMoreAtServer(live);
  }

  // ---- what the read path asks

  final boolean hasWarnings() throws SQLException {
    Statement made = delegate;
    return made != null && made.getWarnings() != null;
  }

  final ReplayOptions replayOptions() {
    StatementExtras set = extras;
    return set == null ? connection.replayOptions() : set.replay();
  }

  final StatementExtras extras() {
    StatementExtras set = extras;
    if (set == null) {
      set = new StatementExtras(connection.replayOptions());
      extras = set;
    }
    return set;
  }

  /** Returns what few statements have, or null where this one has nothing of it. */
  final @Nullable StatementExtras extrasIfAny() {
    return extras;
  }

  // ---- options, by the driver's rules; those that matter to the cache are noted

  @Override
  public void setMaxRows(int max) throws SQLException {
    delegate().setMaxRows(max);
    extras().maxRows = max;
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    delegate().setLargeMaxRows(max);
    extras().maxRows = max;
  }

  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    delegate().setMaxFieldSize(max);
    extras().maxFieldSize = max;
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    delegate().setFetchSize(rows);
    extras().fetchSize = rows;
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    delegate().setFetchDirection(direction);
    extras().fetchDirection = direction;
  }

  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    delegate().setEscapeProcessing(enable);
    extras().escapeProcessing = enable;
  }

  @Override
  public void closeOnCompletion() throws SQLException {
    delegate().closeOnCompletion();
    extras().closeOnCompletion = true;
  }

  final void resultSetKind(int type, int concurrency) {
    if (type != ResultSet.TYPE_FORWARD_ONLY || concurrency != ResultSet.CONCUR_READ_ONLY) {
      extras().type = type;
      extras().concurrency = concurrency;
    }
  }

  // ---- life

  /** Ends what a subclass has open. */
  void beforeClose() throws SQLException {}

  final boolean isClosedByUs() {
    return closed;
  }

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    beforeClose();
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
    if (!connection.pipeline().waits().cancel(this) && made != null) {
      made.cancel();
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (closed) {
      // Its answer is not used, but the exception of a driver that refuses to answer.
      delegate().getConnection();
    }
    return connection;
  }

  @Override
  public <T> T unwrap(Class<T> iface) throws SQLException {
    return iface.isInstance(this) ? iface.cast(this) : connection.unwrap(this, delegate(), iface);
  }

  @Override
  public String toString() {
    Statement made = delegate;
    return made == null ? super.toString() : made.toString();
  }
}
