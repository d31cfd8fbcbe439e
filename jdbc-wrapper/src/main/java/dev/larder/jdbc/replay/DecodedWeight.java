package dev.larder.jdbc.replay;

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
  private static final long INT = ofObject(0, 4);
  private static final long LONG = ofObject(0, 12);
  private static final long UUID = ofObject(0, 20);
  private static final long STRING = ofObject(1, 6);
  private static final long BIG_DECIMAL = ofObject(2, 16);
  private static final long BIG_INTEGER = ofObject(1, 20);

  /** A date with its zone and a Timestamp, or an OffsetDateTime and its parts, which is more. */
  private static final long DATE =
      Math.max(ofObject(2, 0) + ofObject(1, 12), 2 * ofObject(2, 0) + 2 * ofObject(0, 8));

  /** Numbers of so many characters are among -128 … 127, which the JVM keeps boxed. */
  private static final int BOXED_CHARACTERS = 2;

  /** Decimal digits in a digit of the binary format. */
  private static final int NUMERIC_DIGITS = 4;

  private static final int NUMERIC_HEADER_BYTES = 8;

  /** Decimal digits in an int of a BigInteger. */
  private static final int INT_DIGITS = 9;

  private DecodedWeight() {}

  private static long ofObject(int references, int bytes) {
    return HeapWeight.align(HeapWeight.HEADER + references * HeapWeight.REFERENCE + bytes);
  }

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
      return value.length <= BOXED_CHARACTERS;
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
