package dev.larder.resolve;

import dev.larder.catalog.Relation;
import dev.larder.catalog.Relation.Trigger;
import dev.larder.catalog.Routine;
import dev.larder.sql.WriteEvent;
import java.util.List;

/**
 * What makes a statement one that may write anything: a trigger or a routine of which nothing is
 * known. Immutable.
 *
 * @param statement what runs it, such as {@code INSERT orders}; a call where there is no table
 * @param trigger whether it is a trigger
 * @param name of the trigger, or of the routine
 * @param writes the tables that its body can be seen to write; empty where none can
 */
public record Undeclared(String statement, boolean trigger, String name, List<String> writes) {
  static Undeclared call(Routine routine, Scope scope) {
    return new Undeclared("a call", false, routine.name(), targets(routine, scope));
  }

  static Undeclared trigger(WriteEvent event, Relation table, Trigger trigger, Scope scope) {
    String statement = event + " " + table.name();
    return new Undeclared(statement, true, trigger.name(), targets(trigger.function(), scope));
  }

  private static List<String> targets(Routine routine, Scope scope) {
    return scope.catalog().bodies().targets(routine.oid()).stream()
        .filter(target -> scope.declared(target) != null)
        .toList();
  }

  /** Returns what is to blame, in words. */
  public String culprit() {
    return (trigger ? "trigger " : "function ") + name;
  }

  /** Returns the setting that would declare it, by what its body shows. */
  public String declaration() {
    return (trigger ? "larder.triggers.writes=" : "larder.functions.writes=")
        + name
        + '='
        + (writes.isEmpty() ? "<its tables>" : String.join("|", writes));
  }
}
