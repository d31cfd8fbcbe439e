package dev.larder.resolve;

import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the user declares about routines and triggers, by name as in {@code
 * larder.functions.readOnly}, {@code larder.functions.writes} and {@code larder.triggers.writes}.
 * Names are folded, with or without a schema. Immutable.
 *
 * @param readOnlyFunctions routines that write nothing and depend only on the tables named in the
 *     statement
 * @param functionWrites routine name → the relations that it may write; an empty set writes nothing
 * @param triggerWrites trigger name, {@code trigger} or {@code table.trigger} → the relations that
 *     it may write besides the row itself; an empty set writes nothing
 */
public record Declarations(
    Set<String> readOnlyFunctions,
    Map<String, Set<String>> functionWrites,
    Map<String, Set<String>> triggerWrites) {
  /** Nothing declared. */
  public static final Declarations NONE = new Declarations(Set.of(), Map.of(), Map.of());

  public Declarations {
    readOnlyFunctions = Set.copyOf(readOnlyFunctions);
    functionWrites = Map.copyOf(functionWrites);
    triggerWrites = Map.copyOf(triggerWrites);
  }

  /** Returns whether the routine reads and writes nothing of its own. */
  boolean isReadOnly(Routine routine) {
    return !routine.builtin()
        && (readOnlyFunctions.contains(routine.name())
            || readOnlyFunctions.contains(routine.schema() + '.' + routine.name()));
  }

  /**
   * Returns what the trigger writes, or null where that is not declared.
   *
   * @param owners its table, and the parents of that
   */
  @Nullable Set<String> writes(String trigger, List<Relation> owners) {
    Stream<String> qualified =
        owners.stream()
            .flatMap(owner -> Stream.of(owner.name() + '.' + trigger, owner + "." + trigger));
    return Stream.concat(Stream.of(trigger), qualified)
        .filter(triggerWrites::containsKey)
        .findFirst()
        .map(triggerWrites::get)
        .orElse(null);
  }

  /** Returns what the routine writes, or null where that is not declared. */
  @Nullable Set<String> writes(Routine routine) {
    if (routine.builtin() || isReadOnly(routine)) {
      return routine.builtin() ? null : Set.of();
    }
    Set<String> writes = functionWrites.get(routine.name());
    return writes != null ? writes : functionWrites.get(routine.schema() + '.' + routine.name());
  }
}
