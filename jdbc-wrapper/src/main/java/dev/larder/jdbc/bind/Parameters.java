package dev.larder.jdbc.bind;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.delegate.DelegatingParameters.Setter;
import dev.larder.jdbc.gate.BindOids;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The bind values of the parameters of one statement, typed as the setters got them. They reach the
 * driver only when the statement runs there. Only the thread that made this changes it: for another
 * that sets a value there is another one, so that what is executed does not change meanwhile.
 */
public final class Parameters {
  /** A value that the driver has and that cannot be part of a key. */
  public static final Object OPAQUE = new Object();

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

  private final Thread owner;
  private final @Nullable Object[] values;

  /** The first of the statement, whose monitor is held by whoever gives the driver anything. */
  private final Parameters first;

  /**
   * What the driver has been given, by whichever thread; null where that is not known. Of the first
   * only, and made when it is needed.
   */
  private @Nullable Object @Nullable [] given;

  public Parameters(int count) {
    this.owner = Thread.currentThread();
    this.values = new @Nullable Object[count];
    this.first = this;
  }

  private Parameters(@Nullable Object[] values, Parameters first) {
    this.owner = Thread.currentThread();
    this.values = values;
    this.first = first;
  }

  static boolean isImmutable(Object value) {
    return IMMUTABLE.contains(value.getClass());
  }

  /** Returns whether there is a parameter with this number, from 1. */
  public boolean exists(int index) {
    return index >= 1 && index <= values.length;
  }

  /** Sets a value; returns the values from then on. */
  public Parameters set(int index, Object value) {
    Parameters own = Thread.currentThread() == owner ? this : new Parameters(values.clone(), first);
    own.values[index - 1] = value;
    return own;
  }

  /** Returns the value of a parameter, or null where there is none or none was set. */
  public @Nullable Object value(int index) {
    return exists(index) ? values[index - 1] : null;
  }

  /** Returns values none of which is set. */
  public Parameters cleared() {
    return new Parameters(new @Nullable Object[values.length], first);
  }

  /**
   * Returns the values as parts of a key, all of them where {@link #refusal} says nothing. The
   * array changes with the next value that this thread sets, and with none of another's.
   */
  @SuppressWarnings("NullAway") // No element is null where nothing is refused.
  public Object[] keyParts() {
    return Thread.currentThread() == owner || values.length == 0 ? values : values.clone();
  }

  /** Returns why values cannot be part of a key, or null. */
  public static @Nullable BypassReason refusal(@Nullable Object[] values) {
    BypassReason refusal = null;
    for (Object value : values) {
      if (value == null || value == OPAQUE) {
        return BypassReason.BIND_TYPE;
      }
      // To ask a number whether it is a Bind, which is an interface, would cost 10 ns of a hit.
      boolean number = value.getClass() == Integer.class || value.getClass() == Long.class;
      if (!number && Bind.mayReadClock(value)) {
        refusal = BypassReason.TIME;
      }
    }
    return refusal;
  }

  /** Returns whether the driver may declare any of {@code values} to be of a user's type. */
  public static boolean mayBeOfUsersTypes(@Nullable Object[] values) {
    for (Object value : values) {
      if (value == OPAQUE || (value instanceof Bind && Bind.isOfDriver(value))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of the only parameter, if it is a text, or null. */
  public @Nullable String onlyText() {
    return values.length == 1 && values[0] instanceof String text ? text : null;
  }

  /** Returns a number that differs where the driver declares other types to the server. */
  public int types() {
    int types = 1;
    for (Object value : values) {
      int type = value == null ? 0 : value instanceof Bind bind ? bind.type() : BindOids.of(value);
      types = 31 * types + type;
    }
    return types;
  }

  /** Returns {@link #types}, or 0 where a parameter has no value yet. */
  public int typesOfAll() {
    for (Object value : values) {
      if (value == null) {
        return 0;
      }
    }
    return types();
  }

  // ---- what the driver has

  /** Returns the monitor that is held by whoever gives the driver anything. */
  public Object monitor() {
    return first;
  }

  /** Gives the driver those of {@code wanted} that it does not have yet. */
  @SuppressWarnings("ReferenceEquality") // An equal value only is given again.
  public void apply(PreparedStatement statement, @Nullable Object[] wanted) throws SQLException {
    synchronized (first) {
      @Nullable Object[] has = first.given;
      if (has == null) {
        has = new @Nullable Object[values.length];
        first.given = has;
      }
      for (int i = 0; i < wanted.length; i++) {
        Object value = wanted[i];
        if (value != null && value != has[i] && value != OPAQUE) {
          has[i] = null;
          apply(statement, i + 1, value);
          // These only their setter could give the driver again.
          boolean atOnce =
              value instanceof Bind.OfTyped
                  || value instanceof Bind.OfDriver
                  || value instanceof Bind.OfNamedNull;
          has[i] = atOnce ? null : value;
        }
      }
    }
  }

  /**
   * Has {@code setter} give the driver a value; returns the values from then on.
   *
   * @param part what stands for the value
   */
  public Parameters give(PreparedStatement statement, int index, Setter setter, Object part)
      throws SQLException {
    synchronized (first) {
      @Nullable Object[] has =
          first.given == null ? new @Nullable Object[values.length] : first.given;
      first.given = has;
      if (exists(index)) {
        has[index - 1] = null;
      }
      setter.set(statement);
      has[index - 1] = part;
    }
    return set(index, part);
  }

  /** Returns whether the driver has these very values. */
  @SuppressWarnings("ReferenceEquality")
  public boolean areGiven(@Nullable Object[] wanted) {
    synchronized (first) {
      @Nullable Object[] has = first.given;
      for (int i = 0; i < wanted.length; i++) {
        if (wanted[i] != (has == null ? null : has[i])) {
          return false;
        }
      }
      return true;
    }
  }

  /** Has the driver forget all values. */
  public void clear(PreparedStatement statement) throws SQLException {
    synchronized (first) {
      first.given = null;
      statement.clearParameters();
    }
  }

  /** Gives the driver a value. */
  public static void apply(PreparedStatement statement, int index, Object value)
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
