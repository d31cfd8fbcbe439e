package dev.larder.jdbc.gate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Map;
import java.util.UUID;
import org.postgresql.core.Oid;

/**
 * The types that the driver declares to the server for bind values: where one of them changes, it
 * has the text parsed again. Stateless.
 */
public final class BindOids {
  private static final Map<Class<?>, Integer> OF_CLASSES =
      Map.ofEntries(
          Map.entry(Boolean.class, Oid.BOOL),
          Map.entry(Byte.class, Oid.INT2),
          Map.entry(Short.class, Oid.INT2),
          Map.entry(Float.class, Oid.FLOAT4),
          Map.entry(Double.class, Oid.FLOAT8),
          Map.entry(BigDecimal.class, Oid.NUMERIC),
          Map.entry(BigInteger.class, Oid.NUMERIC),
          Map.entry(Character.class, Oid.VARCHAR),
          Map.entry(UUID.class, Oid.UUID),
          Map.entry(LocalDate.class, Oid.DATE),
          Map.entry(LocalTime.class, Oid.TIME),
          Map.entry(LocalDateTime.class, Oid.TIMESTAMP),
          Map.entry(OffsetTime.class, Oid.TIMETZ),
          Map.entry(OffsetDateTime.class, Oid.TIMESTAMPTZ));

  private BindOids() {}

  /** Returns the type of a value whose class says how it is sent, or a number of its own. */
  public static int of(Object value) {
    Class<?> type = value.getClass();
    if (type == Integer.class) {
      return Oid.INT4;
    }
    if (type == Long.class) {
      return Oid.INT8;
    }
    if (type == String.class) {
      return Oid.VARCHAR;
    }
    Integer known = OF_CLASSES.get(type);
    return known == null ? type.hashCode() : known;
  }

  /** Returns the type of a NULL that is set with a type of JDBC's. */
  public static int ofNull(int sqlType) {
    return sqlType == Types.DATE ? Oid.DATE : ofTyped(sqlType);
  }

  /** Returns the type of a value that is set with a type of JDBC's. */
  public static int ofTyped(int sqlType, Object value) {
    return switch (sqlType) {
      case Types.TIMESTAMP_WITH_TIMEZONE, Types.TIME_WITH_TIMEZONE -> of(value);
      case Types.OTHER -> value instanceof UUID ? Oid.UUID : Oid.UNSPECIFIED;
      default -> ofTyped(sqlType);
    };
  }

  private static int ofTyped(int sqlType) {
    return switch (sqlType) {
      case Types.BOOLEAN, Types.BIT -> Oid.BOOL;
      case Types.SMALLINT, Types.TINYINT -> Oid.INT2;
      case Types.INTEGER -> Oid.INT4;
      case Types.BIGINT -> Oid.INT8;
      case Types.REAL -> Oid.FLOAT4;
      case Types.DOUBLE, Types.FLOAT -> Oid.FLOAT8;
      case Types.NUMERIC, Types.DECIMAL -> Oid.NUMERIC;
      case Types.CHAR -> Oid.BPCHAR;
      case Types.VARCHAR, Types.LONGVARCHAR -> Oid.VARCHAR;
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> Oid.BYTEA;
      case Types.SQLXML -> Oid.XML;
      case Types.BLOB, Types.CLOB -> Oid.OID;
      default -> Oid.UNSPECIFIED;
    };
  }
}
