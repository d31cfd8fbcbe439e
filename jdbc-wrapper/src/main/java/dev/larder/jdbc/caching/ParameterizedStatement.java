package dev.larder.jdbc.caching;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A statement with the bind values of its parameters, typed as the setters got them. They reach the
 * driver only when the statement runs there. A class of its own, and not a part of the statement,
 * because every hit makes a statement.
 */
abstract class ParameterizedStatement extends CachingStatement {
  /** A value that the driver has and that cannot be part of a key. */
  static final Object OPAQUE = new Object();

  /** Classes whose instances never change, and that the driver sends by class and value. */
  private static final Set<Class<?>> IMMUTABLE =
      Set.of(
          Boolean.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigDecimal.class,
          BigInteger.class,
          String.class,
          Character.class,
          UUID.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetTime.class,
          OffsetDateTime.class);

  private final @Nullable Object[] values;
  private long applied;

  ParameterizedStatement(CachingConnection connection, int parameters) {
    super(connection, null);
    this.values = new @Nullable Object[parameters];
  }

  static boolean isImmutable(Object value) {
    return IMMUTABLE.contains(value.getClass());
  }

  final boolean isParameter(int index) {
    return index >= 1 && index <= values.length;
  }

  /** Sets a value that the driver does not have yet. */
  final void setValue(int index, Object value) {
    values[index - 1] = value;
    if (index <= Long.SIZE) {
      applied &= ~(1L << (index - 1));
    }
  }

  /** Sets a value that the driver already has. */
  final void valueGiven(int index, Object value) {
    values[index - 1] = value;
    if (index <= Long.SIZE) {
      applied |= 1L << (index - 1);
    }
  }

  /** Returns the value of a parameter that there is, or null where none was set. */
  final @Nullable Object value(int index) {
    return values[index - 1];
  }

  final void clearValues() {
    Arrays.fill(values, null);
    applied = 0;
  }

  /**
   * Returns the values as parts of a key, or null where one is missing or cannot be part of a key.
   * The array is the live one: it changes with the next setter.
   */
  @SuppressWarnings("NullAway") // No element is null where the array is returned.
  final Object @Nullable [] keyValues() {
    for (Object value : values) {
      if (value == null || value == OPAQUE) {
        return null;
      }
    }
    return values;
  }

  final boolean anyValueMayReadClock() {
    for (Object value : values) {
      if (value != null && Bind.mayReadClock(value)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a number that differs where the driver declares other types to the server. */
  final int valueTypes() {
    int types = 1;
    for (Object value : values) {
      types = 31 * types + (value instanceof Bind bind ? bind.type() : type(value));
    }
    return types;
  }

  private static int type(@Nullable Object value) {
    return value == null ? 0 : value.getClass().hashCode();
  }

  /** Gives the driver what it does not have yet. */
  final void applyValues(PreparedStatement statement) throws SQLException {
    for (int i = 1; i <= values.length; i++) {
      applyValue(statement, i);
    }
  }

  /** Gives the driver one value, if it does not have it yet. */
  final void applyValue(PreparedStatement statement, int index) throws SQLException {
    int i = index - 1;
    Object value = values[i];
    boolean has = i < Long.SIZE && (applied & 1L << i) != 0;
    if (value != null && value != OPAQUE && !has) {
      apply(statement, index, value);
      if (i < Long.SIZE) {
        applied |= 1L << i;
      }
    }
  }

  private static void apply(PreparedStatement statement, int index, Object value)
      throws SQLException {
    if (value instanceof Bind bind) {
      bind.applyTo(statement, index);
    } else if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof Long number) {
      statement.setLong(index, number);
    } else if (value instanceof String text) {
      statement.setString(index, text);
    } else {
      statement.setObject(index, value);
    }
  }
}
