package dev.larder.catalog;

import java.util.Map;
import java.util.Set;

/**
 * What the user declares about routines and triggers, by name as in {@code
 * larder.functions.readOnly}, {@code larder.functions.writes} and {@code larder.triggers.writes}.
 * Names are folded, with or without a schema.
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
}
