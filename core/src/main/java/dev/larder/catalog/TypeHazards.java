package dev.larder.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The types of a user whose use runs something that is not cacheable by itself without the text
 * showing it: a domain's check, a cast's function, a comparison behind ORDER BY. Filled while a
 * snapshot is built, then never changed.
 */
final class TypeHazards {
  private final Map<Long, List<Expression>> byType = new HashMap<>();
  private final Map<String, Set<Long>> byName = new HashMap<>();
  private final List<Expression> everywhere = new ArrayList<>();
  private final List<Expression> casts = new ArrayList<>();

  /** Adds a domain's check. */
  void domain(long domain, Expression check) {
    if (!check.plain()) {
      add(domain, check);
    }
  }

  /** Adds a cast that runs {@code effect}; null for a plain one. */
  void cast(long source, long target, @Nullable Expression effect) {
    if (effect == null) {
      return;
    }
    if (!isUsers(source) && !isUsers(target)) {
      everywhere.add(effect);
      return;
    }
    casts.add(effect);
    add(source, effect);
    add(target, effect);
  }

  /** Adds an operator: sorting, grouping and joining use it without naming it. */
  void operator(CatalogBuilder.OperatorRow row, Routine routine) {
    if (!routine.cacheable()) {
      add(row.left(), Expression.call(routine));
      add(row.right(), Expression.call(routine));
    }
  }

  /** Carries the hazards over to domains, arrays, ranges and rows of the types. */
  void spread(List<CatalogBuilder.TypeRow> types, Map<Long, Set<Long>> columns) {
    boolean grown = !byType.isEmpty();
    while (grown) {
      grown = false;
      for (CatalogBuilder.TypeRow type : types) {
        Set<Long> parts = new HashSet<>(columns.getOrDefault(type.relation(), Set.of()));
        parts.add(type.base());
        parts.add(type.element());
        for (long part : parts) {
          grown |= carry(part, type.oid());
        }
      }
    }
    for (CatalogBuilder.TypeRow type : types) {
      if (byType.containsKey(type.oid())) {
        byName.computeIfAbsent(type.name(), name -> new HashSet<>()).add(type.oid());
      }
    }
  }

  private boolean carry(long part, long whole) {
    boolean grown = false;
    for (Expression hazard : List.copyOf(byType.getOrDefault(part, List.of()))) {
      if (!byType.getOrDefault(whole, List.of()).contains(hazard)) {
        add(whole, hazard);
        grown = true;
      }
    }
    return grown;
  }

  private void add(long type, Expression hazard) {
    if (isUsers(type)) {
      byType.computeIfAbsent(type, oid -> new ArrayList<>()).add(hazard);
    }
  }

  /** Returns what the use of a type may run. */
  List<Expression> of(long type) {
    return byType.getOrDefault(type, List.of());
  }

  /** Returns what naming {@code identifier} as a type may run. */
  List<Expression> named(String identifier) {
    Set<Long> types = byName.get(identifier);
    return types == null ? List.of() : types.stream().flatMap(type -> of(type).stream()).toList();
  }

  /** Returns what any statement may run: casts between types of the server's own. */
  List<Expression> everywhere() {
    return everywhere;
  }

  /** Returns what values that come out of a user's routines may run. */
  List<Expression> casts() {
    return casts;
  }

  private static boolean isUsers(long oid) {
    return oid >= BuiltinRoutines.FIRST_USER_OID;
  }
}
