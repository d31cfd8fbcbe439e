package dev.larder.jdbc.replay;

import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.ResultColumns;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Field;
import org.postgresql.core.ParameterList;
import org.postgresql.core.Query;
import org.postgresql.core.SqlCommand;
import org.postgresql.core.v3.SqlSerializationContext;
import org.postgresql.jdbc.PgResultSet;

/**
 * What replayed results of the same columns have in common on one connection: the driver's fields,
 * which remember type names and metadata of their connection, and the label map. For the driver it
 * is the query that the result came from; a read-only result set asks it for nothing but the
 * labels.
 */
final class ReplayShape implements Query {
  private final Field[] fields;
  private final ColumnLabels labels;

  ReplayShape(ResultColumns columns, boolean keepCase) {
    this.fields = DriverInternals.newFields(columns);
    this.labels = new ColumnLabels(PgResultSet.createColumnNameIndexMap(fields, keepCase));
  }

  Field[] fields() {
    return fields;
  }

  @Override
  public Map<String, Integer> getResultSetColumnNameIndexMap() {
    return labels;
  }

  @Override
  public ParameterList createParameterList() {
    throw new UnsupportedOperationException("A replayed result has no parameters.");
  }

  @Override
  public String toString(@Nullable ParameterList parameters) {
    return toString();
  }

  @Override
  public String toString(@Nullable ParameterList parameters, SqlSerializationContext context) {
    return toString();
  }

  @Override
  public String toString() {
    return "";
  }

  @Override
  public String getNativeSql() {
    return "";
  }

  @Override
  public @Nullable SqlCommand getSqlCommand() {
    return null;
  }

  @Override
  public void close() {}

  @Override
  public boolean isStatementDescribed() {
    return true;
  }

  @Override
  public boolean isEmpty() {
    return true;
  }

  @Override
  public int getBatchSize() {
    return 1;
  }

  @Override
  public Query @Nullable [] getSubqueries() {
    return null;
  }
}
