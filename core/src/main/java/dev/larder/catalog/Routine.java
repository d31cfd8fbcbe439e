package dev.larder.catalog;

import dev.larder.analysis.Repeatability;
import dev.larder.bypass.BypassReason;
import dev.larder.code.BuiltinRoutines;
import dev.larder.code.KnownLibraries;
import dev.larder.code.RoutineBodies;
import dev.larder.code.RoutineRow;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A function, aggregate or procedure, as far as a query cache cares. Immutable.
 *
 * @param reason why a call of itself cannot be cached unless the user declares it, or null where it
 *     can
 * @param settings the settings that it depends on besides its arguments and what is in every key
 * @param parts the routines that run with it and are not plain: those of an aggregate, those in
 *     defaults of its parameters, and those behind the types that it takes and returns
 */
public record Routine(
    long oid,
    String schema,
    String name,
    @Nullable BypassReason reason,
    Set<Trait> traits,
    Set<String> settings,
    List<Routine> parts) {

  /** What a routine is or does. */
  public enum Trait {
    /** PostgreSQL brings it along. */
    BUILTIN,
    /** A call of itself may write, unless the user declares otherwise. */
    MAY_WRITE,
    /** A call changes settings of the session. */
    CHANGES_SETTINGS,
    /** It is the server's own, and chosen for time with time zone only. */
    FOR_ZONED_TIME,
    /** A call in a text may make a time with time zone of its argument before. */
    MAKES_ZONED_TIME,
    /** It may return a time, with time zone or without. */
    OF_TIMES,
    /** As a trigger function it is proven to change the row at hand only. */
    HARMLESS_TRIGGER,
    /** It is a user's aggregate, which does nothing but call its parts. */
    AGGREGATE,
    /** It can be called as {@code (value).name}. */
    FIELD,
    /** It can be called as {@code row.name}, too. */
    FIELD_OF_ROWS,
    /** It returns a date, a time or a number. */
    RETURNS_NO_TEXT,
    /** It returns a value of the type of its first argument, one of those that it is given. */
    RETURNS_ARGUMENT
  }

  /**
   * Judges a routine by itself, without its parts.
   *
   * @param takesRow whether its only argument, where it has only one, may be a row
   */
  static Routine of(RoutineRow row, boolean takesRow) {
    Set<String> settings =
        row.volatility() == 's' ? KnownLibraries.settings(row.library()) : Set.of();
    BypassReason reason =
        row.users()
            ? reasonOfUsers(row, settings)
            : BuiltinRoutines.reason(row.name(), row.volatility(), row.argumentTypes());
    Set<Trait> traits = EnumSet.allOf(Trait.class);
    traits.removeIf(trait -> !has(row, trait, takesRow, reason));
    return new Routine(row.oid(), row.schema(), row.name(), reason, traits, settings, List.of());
  }

  private static @Nullable BypassReason reasonOfUsers(RoutineRow row, Set<String> settings) {
    if (KnownLibraries.readsClock(row.library(), row.name())) {
      return BypassReason.TIME;
    }
    boolean aggregate = !row.support().isEmpty();
    boolean plain = row.volatility() == 's' && KnownLibraries.dependsOnNothingElse(row.library());
    return aggregate || row.volatility() == 'i' || !settings.isEmpty() || plain
        ? null
        : BypassReason.FUNCTION;
  }

  private static boolean has(
      RoutineRow row, Trait trait, boolean takesRow, @Nullable BypassReason reason) {
    String name = row.name();
    boolean builtin = !row.users();
    return switch (trait) {
      case BUILTIN -> builtin;
      case MAY_WRITE ->
          reason != null
              && (builtin
                  ? BuiltinRoutines.RUN_QUERIES.contains(name)
                  : !KnownLibraries.writesNothing(row.library()));
      case CHANGES_SETTINGS ->
          builtin
              ? BuiltinRoutines.CHANGE_SETTINGS.contains(name)
              : row.setsCustom() || KnownLibraries.changesSettings(row.library(), row.volatility());
      case FOR_ZONED_TIME ->
          builtin && BuiltinRoutines.needsTimeWithZone(name, row.argumentTypes());
      case MAKES_ZONED_TIME -> BuiltinRoutines.mayMakeTimeWithZone(row);
      case OF_TIMES -> BuiltinRoutines.mayReturnTime(row);
      case HARMLESS_TRIGGER ->
          builtin
              ? BuiltinRoutines.HARMLESS_TRIGGERS.contains(name)
              : KnownLibraries.changesRowOnly(row.library());
      case AGGREGATE -> !row.support().isEmpty();
      case FIELD -> row.onlyArgument() != 0;
      case FIELD_OF_ROWS -> row.onlyArgument() != 0 && takesRow;
      case RETURNS_NO_TEXT -> row.result() == 't';
      case RETURNS_ARGUMENT -> row.result() == 'a';
    };
  }

  /** Returns something that cannot be cached for {@code reason}, and has no effects. */
  static Routine reading(BypassReason reason) {
    return new Routine(0, "", "#" + reason, reason, EnumSet.of(Trait.BUILTIN), Set.of(), List.of());
  }

  /** Returns what is not known, and may do anything. */
  public static Routine unknown(long oid) {
    Set<Trait> traits = EnumSet.of(Trait.MAY_WRITE, Trait.CHANGES_SETTINGS);
    return new Routine(oid, "", "#" + oid, BypassReason.FUNCTION, traits, Set.of(), List.of());
  }

  /** Returns the same routine, which writes nothing and changes no settings. */
  Routine writingNothing() {
    Set<Trait> left = EnumSet.copyOf(traits);
    left.removeAll(EnumSet.of(Trait.MAY_WRITE, Trait.CHANGES_SETTINGS));
    return new Routine(oid, schema, name, reason, left, settings, parts);
  }

  /** Returns the same routine with {@code other} parts. */
  Routine with(List<Routine> other) {
    return new Routine(oid, schema, name, reason, traits, settings, other);
  }

  /** Returns the same routine, which reads, writes and sets what its body says. */
  Routine asItSays(RoutineBodies bodies) {
    boolean sets = bodies.setsItself(oid);
    boolean writes = bodies.mayWrite(oid);
    boolean more = sets || writes || bodies.readsMore(oid);
    Set<String> read = bodies.settings(oid);
    if (!more && read.isEmpty()) {
      return this;
    }
    Set<Trait> all = EnumSet.noneOf(Trait.class);
    all.addAll(traits);
    if (writes) {
      all.add(Trait.MAY_WRITE);
    }
    if (sets) {
      all.add(Trait.CHANGES_SETTINGS);
    }
    return new Routine(oid, schema, name, more ? BypassReason.FUNCTION : reason, all, read, parts);
  }

  /** Returns the same routine as a text calls it, whose argument may become another before. */
  public Routine calledInText() {
    return is(Trait.MAKES_ZONED_TIME) && reason == null
        ? new Routine(oid, schema, name, BypassReason.TIME, traits, settings, parts)
        : this;
  }

  /** Returns the same routine, of which {@code trait} was proven. */
  Routine with(Trait trait) {
    Set<Trait> more = EnumSet.copyOf(traits);
    more.add(trait);
    return new Routine(oid, schema, name, reason, more, settings, parts);
  }

  /** Returns whether it is a function of the server's own that tells the present time. */
  public boolean tellsTime() {
    return builtin()
        && reason == BypassReason.TIME
        && parts.isEmpty()
        && BuiltinRoutines.readsClock(name);
  }

  /** Returns whether it has {@code trait}. */
  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Returns whether PostgreSQL brings it along. */
  public boolean builtin() {
    return is(Trait.BUILTIN);
  }

  /**
   * Returns whether results that it contributes to depend on nothing but its arguments and what is
   * in every key.
   */
  public boolean plain() {
    return reason == null && settings.isEmpty() && parts.isEmpty();
  }

  /** Returns whether a call may do more than return a value, unless the user declares otherwise. */
  public boolean hasEffects() {
    return is(Trait.MAY_WRITE)
        || is(Trait.CHANGES_SETTINGS)
        || parts.stream().anyMatch(Routine::hasEffects);
  }

  /** Returns how far the answers of a query that calls it may differ. */
  Repeatability repeatability() {
    if (is(Trait.AGGREGATE)) {
      return Repeatability.NONE;
    }
    return builtin() ? Repeatability.ofRoutine(name) : Repeatability.EXACT;
  }
}
