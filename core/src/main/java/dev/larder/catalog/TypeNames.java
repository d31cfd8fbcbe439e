package dev.larder.catalog;

import static java.util.stream.Collectors.groupingBy;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What types are called: those of users, and all whose input may read the clock. Immutable. */
final class TypeNames {
  private final Map<String, List<CatalogRow.Type>> users;
  private final Map<String, Set<String>> clock = new HashMap<>();

  TypeNames(CatalogBuilder rows, UsersTypes types) {
    users = rows.all(CatalogRow.Type.class).stream().collect(groupingBy(CatalogRow.Type::name));
    rows.all(CatalogRow.ClockType.class).forEach(row -> clock(row.schema(), row.name()));
    rows.all(CatalogRow.Type.class).stream()
        .filter(row -> types.readsClock(row.oid()))
        .forEach(row -> clock(row.schema(), row.name()));
  }

  private void clock(String schema, String name) {
    clock.computeIfAbsent(name, any -> new HashSet<>(1)).add(schema);
  }

  /** Returns the types of users by their names. */
  Map<String, List<CatalogRow.Type>> users() {
    return users;
  }

  /** Returns the schemas with a type called {@code name} whose input may read the clock. */
  Set<String> clock(String name) {
    return clock.getOrDefault(name, Set.of());
  }

  /** Returns the schemas of these types, and those of all else that has a name. */
  Set<String> schemasWith(
      Set<String> ofOperators, Set<String> ofRelations, Collection<Routine> routines) {
    Set<String> all = new TreeSet<>(ofOperators);
    all.addAll(ofRelations);
    routines.forEach(routine -> all.add(routine.schema()));
    users.values().forEach(named -> named.forEach(type -> all.add(type.schema())));
    clock.values().forEach(all::addAll);
    return Collections.unmodifiableSet(all);
  }
}
