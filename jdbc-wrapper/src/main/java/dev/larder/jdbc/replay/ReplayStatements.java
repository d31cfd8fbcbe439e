package dev.larder.jdbc.replay;

import dev.larder.engine.StatusTable;
import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultColumns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.BaseStatement;
import org.postgresql.core.Field;
import org.postgresql.core.Oid;
import org.postgresql.core.Tuple;
import org.postgresql.jdbc.PgResultSet;

/**
 * Gives cached results back as the driver's own result sets on one physical connection. It keeps
 * hidden statements, one for each {@link ReplayOptions} in use, and the driver's fields for each
 * set of columns. Both are bounded and need nothing from the server. Thread-safe.
 */
public final class ReplayStatements {
  private static final int MAX_STATEMENTS = 8;

  /** About 180 bytes each. */
  private static final int MAX_COLUMNS = 2_048;

  private final BaseConnection connection;
  private final ConcurrentMap<ResultColumns, ReplayShape> shapes = new ConcurrentHashMap<>();
  private final AtomicInteger shapeColumns = new AtomicInteger();
  private final Map<ReplayOptions, BaseStatement> statements = new LinkedHashMap<>();
  private volatile @Nullable HiddenStatement latest;

  /**
   * Creates the replay state of {@code physical}; sends nothing.
   *
   * @param physical the driver's connection, or a foreign wrapper that unwraps to it
   */
  public ReplayStatements(Connection physical) throws SQLException {
    this.connection =
        physical instanceof BaseConnection base ? base : physical.unwrap(BaseConnection.class);
  }

  /**
   * Returns {@code result} as a read-only result set of the driver, before its first row. Its rows
   * are shared with the cache: hand out nothing of it but through a {@code CachingResultSet}.
   *
   * @throws SQLException what the driver throws, if the connection is closed or an option is wrong
   */
  public ResultSet replay(CachedResult result, ReplayOptions options) throws SQLException {
    ReplayShape known = shapes.get(result.columns());
    ReplayShape shape = known == null ? addShape(result.columns()) : known;
    Field[] fields = shape.fields;
    TupleRows rows =
        result.rows() instanceof TupleRows same ? same : TupleRows.of(result.rows(), fields.length);
    ResultSet replayed = statement(options).createResultSet(null, fields, rows, null);
    DriverInternals.setLabels((PgResultSet) replayed, shape.labels);
    return replayed;
  }

  /** Makes what is needed to replay with these options, and no others, on a closed connection. */
  public void prepareForClose(ReplayOptions options) throws SQLException {
    statement(options);
  }

  /** Returns whether the getters of a result of these columns never ask the server. */
  public boolean needNoServer(ResultColumns columns) throws SQLException {
    ReplayShape known = shapes.get(columns);
    return (known == null ? addShape(columns) : known).needsNoServer;
  }

  /** Returns {@code table} as a result that no server has sent, in text format. */
  public ResultSet fromText(StatusTable table, ReplayOptions options) throws SQLException {
    Field[] fields = new Field[table.columns().size()];
    for (int i = 0; i < fields.length; i++) {
      StatusTable.Column column = table.columns().get(i);
      fields[i] = new Field(column.name(), oid(column.type()));
    }
    List<Tuple> tuples = new ArrayList<>(table.rows().size());
    for (List<@Nullable String> row : table.rows()) {
      tuples.add(encode(row));
    }
    return statement(options).createDriverResultSet(fields, tuples);
  }

  private static int oid(StatusTable.Type type) {
    return switch (type) {
      case TEXT -> Oid.TEXT;
      case INT8 -> Oid.INT8;
      case FLOAT8 -> Oid.FLOAT8;
      case BOOL -> Oid.BOOL;
      case TIMESTAMPTZ -> Oid.TIMESTAMPTZ;
    };
  }

  /** Returns what the driver answers to getGeneratedKeys when there are none. */
  public ResultSet noGeneratedKeys(ReplayOptions options) throws SQLException {
    return statement(options).createDriverResultSet(new Field[0], new ArrayList<>());
  }

  /**
   * Forgets the hidden statements. Call it when a result set of the driver leaves Larder's hands:
   * it leads to its statement, whose settings are then anybody's.
   */
  public synchronized void forgetStatements() {
    statements.clear();
    latest = null;
  }

  int knownShapes() {
    return shapes.size();
  }

  @SuppressWarnings("NullAway") // An element of the driver's rows is null for NULL.
  private Tuple encode(List<@Nullable String> row) throws SQLException {
    byte[][] values = new byte[row.size()][];
    for (int i = 0; i < values.length; i++) {
      String text = row.get(i);
      values[i] = text == null ? null : connection.encodeString(text);
    }
    return new Tuple(values);
  }

  private ReplayShape addShape(ResultColumns columns) throws SQLException {
    if (shapeColumns.addAndGet(columns.count() + 1) > MAX_COLUMNS) {
      shapes.clear();
      shapeColumns.set(columns.count() + 1);
    }
    ReplayShape made = new ReplayShape(columns, connection.isColumnSanitiserDisabled());
    shapes.put(columns, made);
    return made;
  }

  @SuppressWarnings("ReferenceEquality") // Mostly they are the very options.
  private BaseStatement statement(ReplayOptions options) throws SQLException {
    HiddenStatement hidden = latest;
    return hidden != null
            && (hidden.options == options || hidden.options.equals(options))
            && !hidden.statement.isClosed()
        ? hidden.statement
        : findOrCreate(options);
  }

  private synchronized BaseStatement findOrCreate(ReplayOptions options) throws SQLException {
    BaseStatement statement = statements.get(options);
    if (statement == null || statement.isClosed()) {
      if (statements.size() >= MAX_STATEMENTS) {
        statements.remove(statements.keySet().iterator().next());
      }
      statement = create(options);
      statements.put(options, statement);
    }
    latest = new HiddenStatement(options, statement);
    return statement;
  }

  private BaseStatement create(ReplayOptions options) throws SQLException {
    BaseStatement statement =
        connection
            .createStatement(options.type(), ResultSet.CONCUR_READ_ONLY)
            .unwrap(BaseStatement.class);
    statement.setMaxFieldSize(options.maxFieldSize());
    statement.setFetchSize(options.fetchSize());
    statement.setFetchDirection(options.fetchDirection());
    return statement;
  }

  /** A statement that never executes anything. */
  private record HiddenStatement(ReplayOptions options, BaseStatement statement) {}
}
