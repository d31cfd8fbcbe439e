package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Routine;
import dev.larder.code.BuiltinRoutines;
import dev.larder.sql.RoutineName;
import java.util.Set;

/** Whether names in a body can stand for nothing but the server's own. Stateless. */
final class ServersOwn {
  private ServersOwn() {}

  /** Returns whether no user has a function, a type or, for texts, an operator called so. */
  static boolean are(Set<String> names, CatalogVersion catalog) {
    return names.stream().allMatch(name -> is(name, catalog));
  }

  private static boolean is(String name, CatalogVersion catalog) {
    boolean type = name.startsWith("::");
    return catalog.types(type ? name.substring(2) : name).stream()
            .noneMatch(BuiltinRoutines::isUsers)
        && (type || isRoutine(name, catalog));
  }

  private static boolean isRoutine(String name, CatalogVersion catalog) {
    return catalog.routines(new RoutineName(null, name)).stream().allMatch(Routine::builtin)
        && catalog.usersOperators().needOwnTypes(name);
  }
}
