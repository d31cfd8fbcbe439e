package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.sql.Repeatability;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A function, aggregate or procedure, as far as a query cache cares. Immutable.
 *
 * @param reason why a call of itself cannot be cached unless the user declares it, or null where it
 *     can
 * @param builtin whether PostgreSQL brings it along
 * @param mayWrite whether a call of itself may write unless the user declares otherwise
 * @param changesSettings whether a call changes settings of the session
 * @param fields how it can be called like a column
 * @param timeWithZoneOnly a builtin that is chosen for time with time zone only
 * @param harmlessTrigger as a trigger function: proven to change the row at hand only
 * @param aggregate whether it is a user's aggregate, which does nothing but call its parts
 * @param result what it returns
 * @param settings the settings that it depends on besides its arguments and what is in every key
 * @param parts the routines that run with it and are not plain: those of an aggregate, those in
 *     defaults of its parameters, and those behind the types that it takes and returns
 */
record Routine(
    long oid,
    String schema,
    String name,
    @Nullable BypassReason reason,
    boolean builtin,
    boolean mayWrite,
    boolean changesSettings,
    Fields fields,
    boolean timeWithZoneOnly,
    boolean harmlessTrigger,
    boolean aggregate,
    Result result,
    Set<String> settings,
    List<Routine> parts) {

  /** What a routine returns, as far as texts are concerned. */
  enum Result {
    /** A date, a time or a number. */
    NO_TEXT,
    /** A value of the type of its first argument, one of those that it is given. */
    ARGUMENT,
    /** What may be a text, or hold one. */
    ANYTHING
  }

  /** How a routine can be called in the notation of a column. */
  enum Fields {
    /** Not at all: it takes no single argument. */
    NONE,
    /** {@code (value).name}, for values that are no rows. */
    OF_VALUES,
    /** {@code row.name} as well. */
    OF_ROWS
  }

  /** Returns something that cannot be cached for {@code reason}, and has no effects. */
  static Routine reading(BypassReason reason) {
    return new Routine(
        0,
        "",
        "#" + reason,
        reason,
        true,
        false,
        false,
        Fields.NONE,
        false,
        false,
        false,
        Result.ANYTHING,
        Set.of(),
        List.of());
  }

  /** Returns what is not known, and may do anything. */
  static Routine unknown(long oid) {
    return new Routine(
        oid,
        "",
        "#" + oid,
        BypassReason.FUNCTION,
        false,
        true,
        true,
        Fields.NONE,
        false,
        false,
        false,
        Result.ANYTHING,
        Set.of(),
        List.of());
  }

  /** Returns the same routine with {@code parts}. */
  Routine with(List<Routine> other, boolean harmless) {
    return new Routine(
        oid,
        schema,
        name,
        reason,
        builtin,
        mayWrite,
        changesSettings,
        fields,
        timeWithZoneOnly,
        harmless,
        aggregate,
        result,
        settings,
        List.copyOf(other));
  }

  /**
   * Returns whether results that it contributes to depend on nothing but its arguments and what is
   * in every key.
   */
  boolean plain() {
    return reason == null && settings.isEmpty() && parts.isEmpty();
  }

  /** Returns whether a call may do more than return a value, unless the user declares otherwise. */
  boolean hasEffects() {
    return mayWrite || changesSettings || parts.stream().anyMatch(Routine::hasEffects);
  }

  /** Returns how far the answers of a query that calls it may differ. */
  Repeatability repeatability() {
    return aggregate
        ? Repeatability.NONE
        : builtin ? Repeatability.ofRoutine(name) : Repeatability.EXACT;
  }

  /** Returns whether {@code declarations} says that it reads and writes nothing of its own. */
  boolean isReadOnly(Declarations declarations) {
    return !builtin
        && (declarations.readOnlyFunctions().contains(name)
            || declarations.readOnlyFunctions().contains(schema + '.' + name));
  }
}
