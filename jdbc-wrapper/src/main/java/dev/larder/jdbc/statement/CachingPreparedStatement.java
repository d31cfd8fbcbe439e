package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.bind.Parameters;
import dev.larder.jdbc.bind.ValueParameters;
import dev.larder.jdbc.format.CountedText;
import dev.larder.jdbc.format.DeclaredTypes;
import dev.larder.jdbc.format.ResultFormats;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.lexer.Tokens;
import dev.larder.sql.StatementKind;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose queries may be answered from memory. Preparing it and setting plain
 * values does not touch the driver. A value of a kind that cannot be part of a key goes to the
 * driver at once and makes the execution a bypass.
 */
final class CachingPreparedStatement extends CachingStatement implements ValueParameters {
  private final Plan plan;
  private Parameters parameters;

  /**
   * The text as the application wrote it: a String, or a {@link CountedText} once its executions
   * are counted. A field for each would have every hit allocate more.
   */
  private Object text;

  /**
   * Creates a statement.
   *
   * @param factory makes the delegate; null for the driver's way without options
   */
  CachingPreparedStatement(
      CachingConnection connection, String sql, Plan plan, @Nullable StatementFactory factory) {
    super(connection, null);
    this.plan = plan;
    this.parameters = new Parameters(plan.parameterCount());
    CountedText counted = formats().prepared(sql, false);
    this.text = counted == null ? sql : counted;
    if (factory != null) {
      extras().factory = factory;
    }
  }

  /** Makes the driver's statement. */
  @FunctionalInterface
  interface StatementFactory {
    PreparedStatement create() throws SQLException;
  }

  @Override
  PreparedStatement create() throws SQLException {
    if (plan.shape().kind() == StatementKind.LARDER) {
      // The server would refuse the text, if only it were asked for the parameters.
      return connection.prepareAtDriver("");
    }
    StatementFactory factory = factory();
    return factory == null ? connection.prepareAtDriver(sql()) : factory.create();
  }

  @Override
  protected PreparedStatement delegate() throws SQLException {
    return (PreparedStatement) super.delegate();
  }

  private ResultFormats formats() {
    return connection.physical().session().formats();
  }

  private String sql() {
    return text instanceof CountedText counted ? counted.sql() : (String) text;
  }

  /** Returns what the format of its results is foretold by. */
  CountedText text() {
    if (text instanceof CountedText counted) {
      return counted;
    }
    CountedText begun = formats().follow((String) text);
    text = begun;
    return begun;
  }

  @Override
  void beforeClose() throws SQLException {
    super.beforeClose();
    formats().closed(text instanceof CountedText counted ? counted : null, sql(), false);
  }

  private PreparedStatement boundDelegate() throws SQLException {
    connection.physical().touched();
    return bound(parameters.keyParts());
  }

  /** Returns the driver's statement with {@code values}, for sending. */
  private PreparedStatement bound(@Nullable Object[] values) throws SQLException {
    PreparedStatement made = (PreparedStatement) forSending();
    parameters.apply(made, values);
    return made;
  }

  @Override
  boolean wasSentWith(@Nullable Object[] values) {
    return parameters.areGiven(values);
  }

  @Override
  @Nullable BypassReason refusal(Object[] binds) {
    BypassReason reason = super.refusal(binds);
    return reason == null ? Parameters.refusal(binds) : reason;
  }

  @Override
  @Nullable String onlyText() {
    return parameters.onlyText();
  }

  @Override
  Set<Long> declaredTypes(@Nullable Object[] binds) {
    Statement made = delegateIfMade();
    return made == null || !Parameters.mayBeOfUsersTypes(binds) ? Set.of() : DeclaredTypes.of(made);
  }

  /** Returns whether the driver ignores a wish for keys: it looks for RETURNING. */
  static boolean returnsNoKeys(String sql, Plan plan) {
    return plan.shape().kind() == StatementKind.QUERY
        && !Tokens.foldLoosely(sql).contains("returning");
  }

  /** Has the driver asked for generated keys. */
  CachingPreparedStatement returningKeys() {
    extras().returnsKeys = true;
    return this;
  }

  int valueTypes() {
    return parameters.types();
  }

  // ---- values

  @Override
  public void set(int index, Object value) throws SQLException {
    if (parameters.exists(index) && !isClosed()) {
      parameters = parameters.set(index, value);
    } else {
      // The driver says what is wrong.
      delegate().setObject(index, null);
    }
  }

  @Override
  public void given(int index, Setter setter, Object part) throws SQLException {
    PreparedStatement made = delegate();
    parameters = parameters.give(made, index, setter, part);
  }

  @Override
  public void nullOfTypeBefore(int index, int sqlType) throws SQLException {
    PreparedStatement made = delegate();
    Parameters before = parameters;
    synchronized (before.monitor()) {
      before.apply(made, before.keyParts());
      parameters = before.give(made, index, s -> s.setNull(index, sqlType), Parameters.OPAQUE);
    }
  }

  @Override
  public @Nullable Object valueSet(int index) {
    return parameters.value(index);
  }

  @Override
  public PostgresSession session() {
    return connection.physical().session();
  }

  // ---- executions

  @Override
  public ResultSet executeQuery() throws SQLException {
    Object[] values = parameters.keyParts();
    Lookup lookup = connection.pipeline().decide(this, plan, values);
    return lookup instanceof Lookup.Hit hit
        ? answer(hit)
        : query(plan, values, lookup, () -> bound(values).executeQuery());
  }

  @Override
  public boolean execute() throws SQLException {
    Object[] values = parameters.keyParts();
    Lookup lookup = connection.pipeline().decide(this, plan, values);
    if (lookup instanceof Lookup.Hit hit) {
      answer(hit);
      return true;
    }
    return execute(plan, values, lookup, () -> bound(values).execute());
  }

  @Override
  public int executeUpdate() throws SQLException {
    @Nullable Object[] values = parameters.keyParts();
    return update(plan, values, () -> bound(values).executeUpdate(), 0);
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    @Nullable Object[] values = parameters.keyParts();
    return update(plan, values, () -> bound(values).executeLargeUpdate(), 0L);
  }

  @Override
  public void addBatch() throws SQLException {
    if (!isForLarder(plan)) {
      @Nullable Object[] values = parameters.keyParts();
      PreparedStatement made = delegate();
      synchronized (parameters.monitor()) {
        parameters.apply(made, values);
        made.addBatch();
        boolean known = parameters.areGiven(values);
        addToBatch(plan, known ? values : new Object[values.length], declaredTypes(values));
      }
    }
  }

  @Override
  public void clearParameters() throws SQLException {
    parameters = parameters.cleared();
    if (hasDelegate()) {
      parameters.clear(delegate());
    }
  }

  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    if (plan.shape().kind() == StatementKind.LARDER) {
      return connection.commands().describe(plan, this);
    }
    ResultSet open = openAnswer();
    if (open != null) {
      return open.getMetaData();
    }
    ResultSetMetaData described = boundDelegate().getMetaData();
    if (text instanceof CountedText counted) {
      formats().describes(counted, parameters.typesOfAll());
    }
    return described;
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    ParameterMetaData described = boundDelegate().getParameterMetaData();
    if (text instanceof CountedText counted) {
      formats().describesParameters(counted, parameters.typesOfAll());
    }
    return described;
  }

  /** Returns the statement with its values, as the driver writes it. */
  @Override
  public String toString() {
    try {
      return plan.shape().kind() == StatementKind.LARDER ? sql() : boundDelegate().toString();
    } catch (SQLException e) {
      return sql();
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
  public boolean execute(String text, int autoGeneratedKeys) throws SQLException {
    return autoGeneratedKeys == NO_GENERATED_KEYS
        ? execute(text)
        : super.execute(text, autoGeneratedKeys);
  }

  @Override
  public void addBatch(String text) throws SQLException {
    delegate().addBatch(text);
  }
}
