package dev.larder.store;

import dev.larder.lexer.QueryHints;
import dev.larder.lexer.StatementShape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keys as bytes, for stores outside of the JVM: two keys are equal if and only if their bytes are.
 * Stateless.
 */
public final class KeyBytes {
  /** Two values of one of these classes are equal if and only if their texts are. */
  private static final Set<Class<?>> BY_TEXT =
      Set.of(
          Integer.class,
          Long.class,
          Short.class,
          Byte.class,
          Boolean.class,
          Character.class,
          BigInteger.class,
          UUID.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetTime.class,
          OffsetDateTime.class);

  private KeyBytes() {}

  /** Returns the bytes of {@code key}, or null if it has a value of a class that is not known. */
  public static byte @Nullable [] of(QueryKey key) {
    KeySink sink = new KeySink();
    write(key.session(), sink);
    write(key.shape(), sink);
    sink.number(key.options());
    return writeAll(key.literals(), sink) && writeAll(key.binds(), sink)
        ? sink.toByteArray()
        : null;
  }

  /** Returns the bytes of the part of a key that a session contributes. */
  public static byte[] of(SessionFingerprint session) {
    KeySink sink = new KeySink();
    write(session, sink);
    return sink.toByteArray();
  }

  private static void write(SessionFingerprint session, KeySink sink) {
    sink.text(session.namespace());
    sink.text(session.sessionUser());
    sink.text(session.currentUser());
    sink.number(session.searchPath().size());
    session.searchPath().forEach(sink::text);
    sink.number(session.settings().size());
    for (Map.Entry<String, String> setting : session.settings().entrySet()) {
      sink.text(setting.getKey());
      sink.text(setting.getValue());
    }
  }

  private static void write(StatementShape shape, KeySink sink) {
    QueryHints hints = shape.hints();
    Duration timeToLive = hints.timeToLive();
    sink.text(shape.text());
    sink.text(shape.options().toString());
    String caching = hints.caching().name();
    Duration staleness = hints.staleness();
    sink.text(staleness == null ? caching : caching + " stale " + staleness);
    sink.text(timeToLive == null ? null : timeToLive.toString());
  }

  private static boolean writeAll(@Nullable Object[] values, KeySink sink) {
    sink.number(values.length);
    for (Object value : values) {
      if (!write(value, sink)) {
        return false;
      }
    }
    return true;
  }

  private static boolean write(@Nullable Object value, KeySink sink) {
    sink.text(value == null ? null : value.getClass().getName());
    if (value instanceof KeyPart part) {
      part.writeTo(sink);
    } else if (value instanceof String text) {
      sink.text(text);
    } else if (value instanceof Double number) {
      sink.number(Double.doubleToLongBits(number));
    } else if (value instanceof Float number) {
      sink.number(Float.floatToIntBits(number));
    } else if (value instanceof BigDecimal number) {
      sink.bytes(number.unscaledValue().toByteArray());
      sink.number(number.scale());
    } else if (value instanceof Enum<?> constant) {
      sink.text(constant.name());
    } else if (value != null && BY_TEXT.contains(value.getClass())) {
      sink.text(value.toString());
    } else {
      return value == null;
    }
    return true;
  }
}
