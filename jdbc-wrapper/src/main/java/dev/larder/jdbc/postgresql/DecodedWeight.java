package dev.larder.jdbc.postgresql;

import dev.larder.result.CachedResult;
import dev.larder.result.HeapWeight;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultRows;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;

/**
 * What the {@link DecodedValues} of a result occupy on the heap once all of them are there, found
 * out from their bytes without decoding them. Stateless.
 */
final class DecodedWeight {
  private static final long INT = HeapWeight.align(HeapWeight.HEADER + Integer.BYTES);
  private static final long LONG = HeapWeight.align(HeapWeight.HEADER + Integer.BYTES + Long.BYTES);
  private static final long UUID =
      HeapWeight.align(HeapWeight.HEADER + Integer.BYTES + 2L * Long.BYTES);
  private static final long STRING =
      HeapWeight.align(HeapWeight.HEADER + HeapWeight.REFERENCE + Integer.BYTES + 2);
  private static final long BIG_DECIMAL =
      HeapWeight.align(HeapWeight.HEADER + 2L * HeapWeight.REFERENCE + 2 * Integer.BYTES + 8);
  private static final long BIG_INTEGER =
      HeapWeight.align(HeapWeight.HEADER + HeapWeight.REFERENCE + 5L * Integer.BYTES);

  /**
   * A {@link ZonedDate} with a Timestamp, or an OffsetDateTime with what it consists of, which is
   * more.
   */
  private static final long DATE =
      Math.max(
          HeapWeight.align(HeapWeight.HEADER + 2L * HeapWeight.REFERENCE)
              + HeapWeight.align(
                  HeapWeight.HEADER + Integer.BYTES + Long.BYTES + HeapWeight.REFERENCE),
          2 * HeapWeight.align(HeapWeight.HEADER + 2L * HeapWeight.REFERENCE)
              + 2 * HeapWeight.align(HeapWeight.HEADER + 2L * Integer.BYTES));

  /** The longest text of a number that the JVM keeps boxed, -128 … 127, is not counted. */
  private static final int BOXED_DIGITS = 2;

  /** Decimal digits in a digit of the binary format, and in the text of an int of a BigInteger. */
  private static final int NUMERIC_DIGITS = 4;

  private static final int INT_DIGITS = 9;
  private static final int NUMERIC_HEADER_BYTES = 8;

  private DecodedWeight() {}

  /** Returns the bytes of the array and of every value that may be in it. */
  static long of(CachedResult result) {
    ResultRows rows = result.rows();
    int columns = result.columns().count();
    long bytes = HeapWeight.ofReferences(rows.count() * columns);
    for (int column = 0; column < columns; column++) {
      ResultColumn of = result.columns().get(column);
      for (int row = 0; row < rows.count(); row++) {
        byte @Nullable [] value = rows.value(row, column);
        bytes += value == null ? 0 : of(of, value);
      }
    }
    return bytes;
  }

  private static long of(ResultColumn column, byte[] value) {
    return switch (column.typeOid()) {
      case Oid.BOOL -> 0; // Two objects for all.
      case Oid.INT2, Oid.INT4 -> isBoxed(column, value) ? 0 : INT;
      case Oid.INT8 -> isBoxed(column, value) ? 0 : LONG;
      case Oid.FLOAT4 -> INT;
      case Oid.FLOAT8 -> LONG;
      case Oid.NUMERIC -> ofNumeric(column.binary(), value);
      case Oid.TEXT, Oid.VARCHAR, Oid.BPCHAR -> ofText(value);
      case Oid.UUID -> UUID;
      case Oid.DATE, Oid.TIME, Oid.TIMETZ, Oid.TIMESTAMP, Oid.TIMESTAMPTZ -> DATE;
      default -> 0;
    };
  }

  private static boolean isBoxed(ResultColumn column, byte[] value) {
    if (!column.binary()) {
      return value.length <= BOXED_DIGITS;
    }
    byte last = value[value.length - 1];
    for (int i = 0; i < value.length - 1; i++) {
      if (value[i] != (last >> (Byte.SIZE - 1))) {
        return false;
      }
    }
    return true;
  }

  /** A BigDecimal and the text of it that it keeps once it was asked for it. */
  private static long ofNumeric(boolean binary, byte[] value) {
    int digits =
        binary
            ? Math.max(0, value.length - NUMERIC_HEADER_BYTES) / 2 * NUMERIC_DIGITS
            : value.length;
    long bytes = BIG_DECIMAL + STRING + HeapWeight.ofBytes(digits + 1);
    boolean compact = !binary && digits < 2 * INT_DIGITS;
    int ints = Math.max(1, (digits + INT_DIGITS - 1) / INT_DIGITS);
    return compact ? bytes : bytes + BIG_INTEGER + HeapWeight.ofBytes(ints * Integer.BYTES);
  }

  /** By the characters in UTF-8, of which those beyond Latin-1 make all take two bytes. */
  private static long ofText(byte[] value) {
    int characters = 0;
    boolean wide = false;
    for (byte b : value) {
      int unsigned = b & 0xff;
      characters += (unsigned & 0xc0) == 0x80 ? 0 : unsigned >= 0xf0 ? 2 : 1;
      wide |= unsigned >= 0xc4;
    }
    return STRING + HeapWeight.ofBytes(wide ? 2 * characters : characters);
  }
}
