package dev.larder.jdbc.postgresql;

import java.util.TreeSet;
import org.postgresql.core.Oid;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgConnection;

/** The options of the driver's connections that change what is sent or how results come back. */
final class ProtocolOptions {
  private static final int[] BINARY_TYPES = {
    Oid.BYTEA,
    Oid.BOOL,
    Oid.INT2,
    Oid.INT4,
    Oid.INT8,
    Oid.OID,
    Oid.FLOAT4,
    Oid.FLOAT8,
    Oid.NUMERIC,
    Oid.TIME,
    Oid.DATE,
    Oid.TIMETZ,
    Oid.TIMESTAMP,
    Oid.TIMESTAMPTZ,
    Oid.POINT,
    Oid.BOX,
    Oid.UUID,
    Oid.INT2_ARRAY,
    Oid.INT4_ARRAY,
    Oid.INT8_ARRAY,
    Oid.OID_ARRAY,
    Oid.FLOAT4_ARRAY,
    Oid.FLOAT8_ARRAY,
    Oid.NUMERIC_ARRAY,
    Oid.TEXT_ARRAY,
    Oid.VARCHAR_ARRAY,
    Oid.BYTEA_ARRAY
  };

  private ProtocolOptions() {}

  /** Returns those of one connection, as a text that is equal where they are. */
  static String of(PgConnection driver) {
    return driver.getPreferQueryMode()
        + "/"
        + driver.getStringVarcharFlag()
        + "/"
        + convertsBooleans(driver)
        + "/"
        + binaryTypes(driver)
        + "/"
        + ResultBuffer.limit(driver);
  }

  private static String convertsBooleans(PgConnection driver) {
    try {
      return String.valueOf(driver.getConvertBooleanToNumeric());
    } catch (NoSuchMethodError e) {
      return "false"; // Drivers before 42.7.5 have no such option.
    }
  }

  /** Returns which types are received in binary: those of the driver's, and of classes of users. */
  @SuppressWarnings("deprecation") // Nothing else names types that the driver does not know.
  private static String binaryTypes(PgConnection driver) {
    QueryExecutor executor = driver.getQueryExecutor();
    try {
      return new TreeSet<>(executor.getBinaryReceiveOids()).toString();
    } catch (NoSuchMethodError e) {
      // Drivers of 42.2 do not tell.
      StringBuilder types = new StringBuilder();
      for (int oid : BINARY_TYPES) {
        types.append(executor.useBinaryForReceive(oid) ? '1' : '0');
      }
      return types.toString();
    }
  }
}
