package dev.larder.jdbc.replay;

import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.ResultColumns;
import org.postgresql.core.Field;
import org.postgresql.jdbc.PgResultSet;

/**
 * What replayed results of the same columns have in common on one connection: the driver's fields,
 * which remember type names and metadata of their connection, and the label map. Thread-safe.
 */
final class ReplayShape {
  final Field[] fields;
  final ColumnLabels labels;

  ReplayShape(ResultColumns columns, boolean keepCase) {
    this.fields = DriverInternals.newFields(columns);
    this.labels = new ColumnLabels(PgResultSet.createColumnNameIndexMap(fields, keepCase));
  }
}
