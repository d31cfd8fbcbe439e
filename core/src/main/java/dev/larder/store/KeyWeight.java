package dev.larder.store;

import dev.larder.lexer.StatementShape;
import dev.larder.result.HeapWeight;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What keys and their parts occupy on the heap, in bytes. Stateless. */
final class KeyWeight {
  private static final long UNKNOWN_VALUE = 48;

  /** What the interner keeps for an object: its node, the weak reference, the map's node. */
  private static final long INTERNED =
      HeapWeight.ofObject(1, 0) + HeapWeight.ofObject(5, 12) + HeapWeight.ofObject(3, 4) + 12;

  private KeyWeight() {}

  /**
   * Returns the bytes of an array and its elements, literals or bind values; an empty is shared.
   */
  static long of(@Nullable Object[] values) {
    if (values.length == 0) {
      return 0;
    }
    long sum = HeapWeight.ofReferences(values.length);
    for (Object value : values) {
      sum += ofValue(value);
    }
    return sum;
  }

  static long of(StatementShape shape) {
    return HeapWeight.ofObject(4, 4)
        + HeapWeight.ofObject(0, 4)
        + HeapWeight.ofString(shape.text());
  }

  static long of(SessionFingerprint session) {
    long interned = 2 * INTERNED; // The session, and its search path.
    long sum = HeapWeight.ofObject(8, 6) + HeapWeight.ofObject(0, 4) + interned;
    sum +=
        HeapWeight.ofString(session.namespace())
            + HeapWeight.ofString(session.sessionUser())
            + HeapWeight.ofString(session.currentUser());
    sum += HeapWeight.ofObject(1, 4) + HeapWeight.ofReferences(session.searchPath().size());
    sum += HeapWeight.ofObject(7, 8) + HeapWeight.ofObject(5, 0);
    for (String schema : session.searchPath()) {
      sum += HeapWeight.ofString(schema);
    }
    for (Map.Entry<String, String> setting : session.settings().entrySet()) {
      sum +=
          HeapWeight.ofObject(5, 1)
              + HeapWeight.ofString(setting.getKey())
              + HeapWeight.ofString(setting.getValue());
    }
    return sum;
  }

  static long ofValue(@Nullable Object value) {
    if (value == null || value instanceof Boolean || value instanceof Enum<?>) {
      return 0;
    } else if (value instanceof String text) {
      return HeapWeight.ofString(text);
    } else if (value instanceof Weighed weighed) {
      return weighed.weightBytes();
    } else if (value instanceof Long || value instanceof Double) {
      return HeapWeight.ofObject(0, 8);
    } else if (value instanceof Integer || value instanceof Float) {
      return HeapWeight.ofObject(0, 4);
    } else if (value instanceof BigDecimal number) {
      return HeapWeight.ofObject(2, 16) + of(number.unscaledValue());
    } else if (value instanceof BigInteger number) {
      return of(number);
    }
    return UNKNOWN_VALUE;
  }

  private static long of(BigInteger number) {
    return HeapWeight.ofObject(1, 20) + HeapWeight.ofBytes(number.bitLength() / Byte.SIZE + 4);
  }
}
