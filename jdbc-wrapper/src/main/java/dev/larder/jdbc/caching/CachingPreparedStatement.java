package dev.larder.jdbc.caching;

import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.sql.BypassReason;
import dev.larder.sql.StatementKind;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose queries may be answered from memory. Preparing it and setting plain
 * values does not touch the driver. A value of a kind that cannot be part of a key goes to the
 * driver at once and makes the execution a bypass.
 */
final class CachingPreparedStatement extends ValueParameters {
  private final String sql;
  private final Plan plan;

  /**
   * Creates a statement.
   *
   * @param factory makes the delegate; null for the driver's way without options
   */
  CachingPreparedStatement(
      CachingConnection connection, String sql, Plan plan, @Nullable StatementFactory factory) {
    super(connection, plan.parameterCount());
    this.sql = sql;
    this.plan = plan;
    if (factory != null) {
      options().factory = factory;
    }
  }

  /** Makes the driver's statement. */
  @FunctionalInterface
  interface StatementFactory {
    PreparedStatement create() throws SQLException;
  }

  @Override
  PreparedStatement create() throws SQLException {
    if (plan.kind() == StatementKind.LARDER) {
      // The server would refuse the text, if only it were asked for the parameters.
      return connection.prepareAtDriver("");
    }
    StatementFactory factory = factory();
    return factory == null ? connection.prepareAtDriver(sql) : factory.create();
  }

  private PreparedStatement boundDelegate() throws SQLException {
    return bound(delegate());
  }

  private PreparedStatement bound(PreparedStatement statement) throws SQLException {
    applyValues(statement);
    return statement;
  }

  @Override
  @Nullable BypassReason bypass(Object @Nullable [] binds) {
    BypassReason reason = super.bypass(binds);
    return reason == null && anyValueMayReadClock() ? BypassReason.TIME : reason;
  }

  @Override
  @Nullable String onlyText() {
    Object[] values = keyValues();
    return values != null && values.length == 1 && values[0] instanceof String text ? text : null;
  }

  // ---- executions

  @Override
  public ResultSet executeQuery() throws SQLException {
    Lookup lookup = lookup(plan, keyValues());
    return lookup instanceof Lookup.Hit hit
        ? answer(hit)
        : query(plan, lookup, () -> bound(forSending()).executeQuery());
  }

  @Override
  public boolean execute() throws SQLException {
    Lookup lookup = lookup(plan, keyValues());
    if (lookup instanceof Lookup.Hit hit) {
      answer(hit);
      return true;
    }
    return execute(plan, lookup, () -> bound(forSending()).execute());
  }

  @Override
  public int executeUpdate() throws SQLException {
    return update(plan, () -> bound(forSending()).executeUpdate(), 0);
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return update(plan, () -> bound(forSending()).executeLargeUpdate(), 0L);
  }

  @Override
  public void addBatch() throws SQLException {
    if (!isForLarder(plan)) {
      boundDelegate().addBatch();
      addToBatch(plan);
    }
  }

  @Override
  public void clearParameters() throws SQLException {
    clearValues();
    if (hasDelegate()) {
      delegate().clearParameters();
    }
  }

  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    return plan.kind() == StatementKind.LARDER
        ? connection.commands().describe(plan, this)
        : boundDelegate().getMetaData();
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    return boundDelegate().getParameterMetaData();
  }

  /** Returns the statement with its values, as the driver writes it. */
  @Override
  public String toString() {
    try {
      return plan.kind() == StatementKind.LARDER ? sql : boundDelegate().toString();
    } catch (SQLException e) {
      return sql;
    }
  }

  // ---- what a prepared statement refuses

  @Override
  public ResultSet executeQuery(String text) throws SQLException {
    return delegate().executeQuery(text);
  }

  @Override
  public int executeUpdate(String text) throws SQLException {
    return delegate().executeUpdate(text);
  }

  @Override
  public boolean execute(String text) throws SQLException {
    return delegate().execute(text);
  }

  @Override
  public void addBatch(String text) throws SQLException {
    delegate().addBatch(text);
  }
}
