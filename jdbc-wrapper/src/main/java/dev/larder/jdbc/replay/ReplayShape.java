package dev.larder.jdbc.replay;

import dev.larder.jdbc.driver.DriverInternals;
import dev.larder.result.ResultColumns;
import java.util.Arrays;
import org.postgresql.core.Field;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgResultSet;

/**
 * What replayed results of the same columns have in common on one connection: the driver's fields,
 * which remember type names and metadata of their connection, and the label map. Thread-safe.
 */
final class ReplayShape {
  final Field[] fields;
  final ColumnLabels labels;

  /** Whether no getter asks the server, but those of large objects and some of the metadata. */
  final boolean needsNoServer;

  ReplayShape(ResultColumns columns, boolean keepCase) {
    this.fields = DriverInternals.newFields(columns);
    this.labels = new ColumnLabels(PgResultSet.createColumnNameIndexMap(fields, keepCase));
    this.needsNoServer = Arrays.stream(fields).allMatch(field -> isPlain(field.getOID()));
  }

  /** Types that the driver knows without a question, and whose values hold no connection. */
  private static boolean isPlain(int type) {
    return switch (type) {
      case Oid.BOOL, Oid.INT2, Oid.INT4, Oid.INT8, Oid.FLOAT4, Oid.FLOAT8, Oid.NUMERIC -> true;
      case Oid.TEXT, Oid.VARCHAR, Oid.BPCHAR, Oid.UUID, Oid.BYTEA, Oid.JSON, Oid.JSONB -> true;
      case Oid.DATE, Oid.TIME, Oid.TIMETZ, Oid.TIMESTAMP, Oid.TIMESTAMPTZ -> true;
      default -> false;
    };
  }
}
