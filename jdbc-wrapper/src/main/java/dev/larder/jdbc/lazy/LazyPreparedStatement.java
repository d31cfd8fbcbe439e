package dev.larder.jdbc.lazy;

import dev.larder.engine.Plan;
import dev.larder.jdbc.bind.Bind;
import dev.larder.jdbc.bind.Parameters;
import dev.larder.jdbc.bind.ValueParameters;
import dev.larder.jdbc.postgresql.PostgresSession;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement of a connection above the pool: until it needs the pool's, it keeps the
 * values as well.
 */
final class LazyPreparedStatement extends LazyStatement implements ValueParameters {
  private final String sql;
  private final @Nullable Plan plan;
  private Parameters parameters;

  /**
   * Creates a statement.
   *
   * @param plan of the text, or null where the pool's statement is needed at once
   */
  LazyPreparedStatement(LazyConnection connection, Making making, String sql, @Nullable Plan plan)
      throws SQLException {
    super(connection, making, plan == null);
    this.sql = sql;
    this.plan = plan;
    this.parameters = new Parameters(plan == null ? 0 : plan.parameterCount());
  }

  @Override
  protected PreparedStatement delegate() throws SQLException {
    return (PreparedStatement) super.delegate();
  }

  private PreparedStatement forSending() throws SQLException {
    return (PreparedStatement) sending();
  }

  @Override
  void setUp(Statement made) throws SQLException {
    parameters.apply((PreparedStatement) made, parameters.keyParts());
  }

  // ---- values: those that the pool's statement does not have yet are kept here

  private boolean isKept(int index) throws SQLException {
    return !hasDelegate() && parameters.exists(index) && !isClosed();
  }

  @Override
  public void set(int index, Object value) throws SQLException {
    if (isKept(index)) {
      parameters = parameters.set(index, value);
    } else {
      Parameters.apply(delegate(), index, value);
    }
  }

  @Override
  public void given(int index, Setter setter, Object part) throws SQLException {
    if (isKept(index) && part instanceof Bind.OfNull none && isPlain(none.sqlType())) {
      parameters = parameters.set(index, part);
    } else {
      setter.set(delegate());
    }
  }

  /** Of these types the driver takes a NULL without looking at anything else. */
  private static boolean isPlain(int sqlType) {
    return switch (sqlType) {
      case Types.INTEGER, Types.SMALLINT, Types.BIGINT, Types.NUMERIC, Types.DECIMAL -> true;
      case Types.REAL, Types.DOUBLE, Types.FLOAT, Types.BOOLEAN, Types.BIT -> true;
      case Types.VARCHAR, Types.CHAR, Types.LONGVARCHAR, Types.VARBINARY, Types.BINARY -> true;
      case Types.DATE, Types.OTHER, Types.NULL -> true;
      default -> false;
    };
  }

  @Override
  public void nullOfTypeBefore(int index, int sqlType) throws SQLException {
    delegate().setNull(index, sqlType);
  }

  @Override
  public @Nullable Object valueSet(int index) {
    return hasDelegate() ? null : parameters.value(index);
  }

  @Override
  public PostgresSession session() {
    try {
      return connection.caching().physical().session();
    } catch (SQLException e) {
      throw Borrowed.<RuntimeException>unchanged(e);
    }
  }

  @Override
  public void clearParameters() throws SQLException {
    if (hasDelegate() || isClosed()) {
      delegate().clearParameters();
    } else {
      parameters = parameters.cleared();
    }
  }

  // ---- executions

  private @Nullable LazyResultSet look() throws SQLException {
    Object[] values = parameters.keyParts();
    boolean mayHit =
        !hasDelegate()
            && Parameters.refusal(values) == null
            && !Parameters.mayBeOfUsersTypes(values);
    return look(mayHit ? plan : null, values, true);
  }

  /** Returns the plan, where no value is missing. */
  private @Nullable Plan planIfSet() {
    return plan != null && plan.parameterCount() == 0 ? plan : null;
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    LazyResultSet hit = look();
    return hit == null ? live(delegate().executeQuery()) : hit;
  }

  @Override
  public boolean execute() throws SQLException {
    return look() != null || (!holds(planIfSet()) && delegate().execute());
  }

  @Override
  public int executeUpdate() throws SQLException {
    return holds(planIfSet()) ? 0 : forSending().executeUpdate();
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return holds(planIfSet()) ? 0 : forSending().executeLargeUpdate();
  }

  @Override
  public void addBatch() throws SQLException {
    delegate().addBatch();
  }

  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    LazyResultSet open = openAnswer();
    return open == null ? delegate().getMetaData() : open.getMetaData();
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    return delegate().getParameterMetaData();
  }

  @Override
  public String toString() {
    return hasDelegate() ? super.toString() : sql;
  }

  // ---- what a prepared statement refuses

  @Override
  public ResultSet executeQuery(String text) throws SQLException {
    return delegate().executeQuery(text);
  }

  @Override
  public boolean execute(String text) throws SQLException {
    return delegate().execute(text);
  }
}
