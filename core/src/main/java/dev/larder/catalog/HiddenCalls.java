package dev.larder.catalog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What runs without the text of a statement showing it: the use of a type runs the checks of a
 * domain, casts, comparisons behind ORDER BY and the functions of operator classes, and a call of a
 * routine runs the defaults of its parameters. A graph of types and routines, in which everything
 * that can be reached and is not plain counts. Filled while a snapshot is built, then never
 * changed.
 */
final class HiddenCalls {
  private final Map<Long, Routine> routines;
  private final Map<Long, Set<Long>> routinesOfType = new HashMap<>();
  private final Map<Long, Set<Long>> typesOfType = new HashMap<>();
  private final Map<Long, Set<Long>> routinesOfRoutine = new HashMap<>();
  private final Map<Long, Set<Long>> typesOfRoutine = new HashMap<>();
  private final Map<Long, Set<Routine>> roots = new HashMap<>();
  private final Map<Long, Set<Routine>> rootsOfRoutine = new HashMap<>();
  private final Set<Long> casts = new HashSet<>();
  private final Set<Long> ofServersTypes = new HashSet<>();
  private final Set<Routine> castRoots = new HashSet<>();
  private final Set<Routine> serverRoots = new HashSet<>();

  private final Map<Long, List<Routine>> byType = new HashMap<>();
  private final Map<String, List<Routine>> byName = new HashMap<>();
  private final Map<String, List<Routine>> defaultsByName = new HashMap<>();
  private List<Routine> everywhere = List.of();
  private List<Routine> ofCasts = List.of();

  /** Creates a graph over {@code routines}, each without its parts. */
  HiddenCalls(Map<Long, Routine> routines) {
    this.routines = routines;
  }

  /** Says that the use of a type runs {@code routine}. */
  void typeRuns(long type, long routine) {
    if (isUsers(type)) {
      add(routinesOfType, type, routine);
    } else {
      ofServersTypes.add(routine);
    }
  }

  /** Says that the use of a type does something that is no routine. */
  void typeDoes(long type, Routine effect) {
    if (isUsers(type)) {
      roots.computeIfAbsent(type, key -> new HashSet<>()).add(effect);
    } else {
      serverRoots.add(effect);
    }
  }

  /** Says that the values of a type hold values of {@code part}. */
  void typeHolds(long type, long part) {
    if (isUsers(part)) {
      add(typesOfType, type, part);
    }
  }

  /** Says that a call of {@code routine} calls {@code other}. */
  void routineRuns(long routine, long other) {
    add(routinesOfRoutine, routine, other);
  }

  /** Says that a call of {@code routine} does something that is no routine. */
  void routineDoes(long routine, Routine effect) {
    rootsOfRoutine.computeIfAbsent(routine, key -> new HashSet<>()).add(effect);
  }

  /** Says that a call of {@code routine} makes or takes values of {@code type}. */
  void routineUses(long routine, long type) {
    if (isUsers(type)) {
      add(typesOfRoutine, routine, type);
    }
  }

  /** Adds a cast that runs {@code routine}. */
  void cast(long source, long target, long routine) {
    if (isUsers(source) || isUsers(target)) {
      casts.add(routine);
      typeRuns(isUsers(source) ? source : target, routine);
      typeRuns(isUsers(target) ? target : source, routine);
    } else {
      ofServersTypes.add(routine);
    }
  }

  /** Adds a cast by text that does {@code effect}. */
  void cast(long source, long target, Routine effect) {
    if (isUsers(source) || isUsers(target)) {
      castRoots.add(effect);
      typeDoes(isUsers(source) ? source : target, effect);
      typeDoes(isUsers(target) ? target : source, effect);
    } else {
      serverRoots.add(effect);
    }
  }

  /** Adds what the default of a type calls, and the types that it makes values of. */
  void defaultRuns(long type, Set<Long> called, Set<Long> types) {
    called.forEach(routine -> add(routinesOfType, defaultOf(type), routine));
    types.forEach(made -> typeHolds(defaultOf(type), made));
  }

  /** The default of a type is a node of its own. */
  private static long defaultOf(long type) {
    return -type;
  }

  private static void add(Map<Long, Set<Long>> edges, long from, long to) {
    edges.computeIfAbsent(from, key -> new HashSet<>()).add(to);
  }

  /** Finds out what the types reach, once everything has been added. */
  void close(List<CatalogBuilder.TypeRow> types) {
    for (CatalogBuilder.TypeRow type : types) {
      List<Routine> reached = reach(Set.of(), Set.of(type.oid()), 0);
      if (!reached.isEmpty()) {
        byType.put(type.oid(), reached);
        byName.computeIfAbsent(type.name(), name -> new ArrayList<>()).addAll(reached);
      }
      List<Routine> byDefault = ofDefault(type.oid());
      if (!byDefault.isEmpty()) {
        defaultsByName.computeIfAbsent(type.name(), name -> new ArrayList<>()).addAll(byDefault);
      }
    }
    everywhere = union(reach(ofServersTypes, Set.of(), 0), serverRoots);
    ofCasts = union(reach(casts, Set.of(), 0), castRoots);
  }

  private static List<Routine> union(List<Routine> some, Set<Routine> others) {
    List<Routine> all = new ArrayList<>(some);
    // What depends on settings alone is an operator that only its symbol calls.
    all.removeIf(routine -> routine.reason() == null && !routine.hasEffects());
    all.addAll(others);
    return List.copyOf(all);
  }

  /** Returns what a call of the routine runs besides itself. */
  List<Routine> partsOf(long routine) {
    boolean none =
        !routinesOfRoutine.containsKey(routine)
            && !typesOfRoutine.containsKey(routine)
            && !rootsOfRoutine.containsKey(routine);
    return none ? List.of() : reach(Set.of(routine), Set.of(), routine);
  }

  private List<Routine> reach(Set<Long> fromRoutines, Set<Long> fromTypes, long itself) {
    Set<Long> seenRoutines = new HashSet<>(fromRoutines);
    Set<Long> seenTypes = new HashSet<>(fromTypes);
    Deque<Long> routinesToDo = new ArrayDeque<>(fromRoutines);
    Deque<Long> typesToDo = new ArrayDeque<>(fromTypes);
    Set<Routine> found = new HashSet<>();
    while (!routinesToDo.isEmpty() || !typesToDo.isEmpty()) {
      boolean atRoutine = !routinesToDo.isEmpty();
      long next = atRoutine ? routinesToDo.remove() : typesToDo.remove();
      if (atRoutine) {
        Routine routine = routine(next);
        if (next != itself && (!routine.plain() || routine.hasEffects())) {
          found.add(routine);
        }
      }
      found.addAll((atRoutine ? rootsOfRoutine : roots).getOrDefault(next, Set.of()));
      follow((atRoutine ? routinesOfRoutine : routinesOfType), next, seenRoutines, routinesToDo);
      follow((atRoutine ? typesOfRoutine : typesOfType), next, seenTypes, typesToDo);
    }
    return List.copyOf(found);
  }

  private static void follow(
      Map<Long, Set<Long>> edges, long from, Set<Long> seen, Deque<Long> toDo) {
    for (long to : edges.getOrDefault(from, Set.of())) {
      if (seen.add(to)) {
        toDo.add(to);
      }
    }
  }

  private Routine routine(long oid) {
    Routine routine = routines.get(oid);
    return routine != null ? routine : Routine.unknown(oid);
  }

  /** Returns what the use of a type may run. */
  List<Routine> of(long type) {
    return byType.getOrDefault(type, List.of());
  }

  /** Returns what the default of a type, where a column has none, may run. */
  List<Routine> ofDefault(long type) {
    return routinesOfType.containsKey(defaultOf(type)) || typesOfType.containsKey(defaultOf(type))
        ? reach(Set.of(), Set.of(defaultOf(type)), 0)
        : List.of();
  }

  /** Returns what naming {@code identifier} as a type may run. */
  List<Routine> named(String identifier) {
    return byName.getOrDefault(identifier, List.of());
  }

  /** Returns what the default of a type called {@code identifier} may run. */
  List<Routine> ofDefaultNamed(String identifier) {
    return defaultsByName.getOrDefault(identifier, List.of());
  }

  /** Returns what any statement may run: what belongs to types of the server's own. */
  List<Routine> everywhere() {
    return everywhere;
  }

  /** Returns what values that come out of a user's routines or operators may run. */
  List<Routine> casts() {
    return ofCasts;
  }

  /** Returns whether the use of some type has effects, so that keeping an index may have them. */
  boolean haveEffects() {
    return everywhere.stream().anyMatch(Routine::hasEffects)
        || byType.values().stream().flatMap(List::stream).anyMatch(Routine::hasEffects);
  }

  private static boolean isUsers(long oid) {
    return oid >= BuiltinRoutines.FIRST_USER_OID;
  }
}
