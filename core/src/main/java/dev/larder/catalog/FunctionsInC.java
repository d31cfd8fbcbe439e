package dev.larder.catalog;

import dev.larder.code.BuiltinRoutines;
import dev.larder.code.RoutineRow;
import java.util.HashSet;
import java.util.Set;

/**
 * The functions in C, which only a superuser can make, and what the server alone calls some of them
 * for. Extensions often forget to declare such functions. Immutable.
 */
final class FunctionsInC {
  /** Of functions in C that are loaded, or are part of the server. */
  private static final Set<String> LANGUAGES = Set.of("c", "internal");

  private final Set<Long> all = new HashSet<>();
  private final Set<Long> searches = new HashSet<>();
  private final Set<Long> conversions = new HashSet<>();

  FunctionsInC(CatalogBuilder rows) {
    for (RoutineRow row : rows.routines()) {
      if (row.users() && LANGUAGES.contains(row.language())) {
        all.add(row.oid());
        if (BuiltinRoutines.areInternal(row.argumentTypes())) {
          searches.add(row.oid());
        }
      }
    }
    rows.all(CatalogRow.Type.class).forEach(type -> conversions.addAll(type.functions()));
    conversions.retainAll(all);
  }

  /** Returns whether the routine is one of them. */
  boolean has(long routine) {
    return all.contains(routine);
  }

  /**
   * Returns whether an index finds rows by it: only the server can hand it what it takes. It
   * decides how rows are found, and not which.
   */
  boolean findsRows(long routine) {
    return searches.contains(routine);
  }

  /**
   * Returns whether it reads or writes the values of a base type, which only a superuser can make.
   * It writes nothing into the database; what it returns may depend on anything that it is not
   * declared to be free of.
   */
  boolean convertsValues(long routine) {
    return conversions.contains(routine);
  }
}
