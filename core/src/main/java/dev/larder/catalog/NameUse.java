package dev.larder.catalog;

import dev.larder.sql.RoutineName;
import java.util.HashSet;
import java.util.Set;

/** Tells what is called by a name, in any schema. Stateless. */
public final class NameUse {
  private NameUse() {}

  /** Returns whether something other than the relation {@code oid} and its types is called so. */
  public static boolean isOfAnother(CatalogVersion catalog, String name, long oid) {
    Set<Long> own = new HashSet<>();
    for (CatalogRow.Type type : catalog.typesNamed(name)) {
      if (type.relation() != oid) {
        return true;
      }
      own.add(type.oid());
    }
    return !catalog.routines(new RoutineName(null, name)).isEmpty()
        || catalog.typesNamed('_' + name).stream().anyMatch(type -> !own.contains(type.element()))
        || catalog.relations().stream()
            .anyMatch(relation -> relation.oid() != oid && relation.name().equals(name));
  }
}
