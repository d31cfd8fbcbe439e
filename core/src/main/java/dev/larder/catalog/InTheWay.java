package dev.larder.catalog;

import dev.larder.sql.SqlAnalysis;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What an operator may declare, so that more is cached and less is invalidated. Stateless. */
public final class InTheWay {
  private InTheWay() {}

  /** Returns the users' routines that keep what {@code analysis} is of from being cached. */
  public static Set<String> routines(CatalogVersion catalog, SqlAnalysis analysis) {
    return catalog
        .usersRoutines(analysis)
        .filter(routine -> routine.reason() != null)
        .map(routine -> routine.schema() + '.' + routine.name())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the triggers of these tables that may write anything, as {@code table.trigger}. */
  public static Set<String> triggers(
      CatalogVersion catalog, Set<String> tables, Set<String> declared) {
    Set<String> found = new TreeSet<>();
    for (String table : tables) {
      Relation relation = catalog.relation(table);
      if (relation != null) {
        relation.triggers().stream()
            .filter(trigger -> !trigger.function().is(Routine.Trait.HARMLESS_TRIGGER))
            .filter(trigger -> !declared.contains(trigger.name()))
            .map(trigger -> relation.name() + '.' + trigger.name())
            .filter(name -> !declared.contains(name))
            .forEach(found::add);
      }
    }
    return found;
  }
}
