package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.code.BuiltinRoutines;
import dev.larder.store.KeySettings;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What runs without the text of a statement showing it: the use of a type runs the checks of a
 * domain, casts, comparisons behind ORDER BY and the functions of operator classes, and a call of a
 * routine runs the defaults of its parameters. A graph of types and routines, in which everything
 * that can be reached and is not plain counts. Filled while a catalog version is built, then never
 * changed.
 */
public final class HiddenCalls {
  /** A type, the default of a type, a routine, or one of the two below. */
  record Node(char kind, long oid) {}

  /** The types of the server's own, whose values any statement may have. */
  private static final Node SERVER = new Node('s', 0);

  /** The casts from and to types of users. */
  private static final Node CASTS = new Node('c', 0);

  /** Those of them that make such a value of one of the server's without being told to. */
  static final Node TAKING_CASTS = new Node('c', 1);

  private final Map<Long, Routine> routines;
  private final Map<Node, Set<Node>> edges = new HashMap<>();
  private final Map<Node, Set<Routine>> effects = new HashMap<>();
  private final Map<Long, List<Routine>> byType = new HashMap<>();
  private final Map<Long, List<Routine>> byDefault = new HashMap<>();
  private @Nullable UnnamedReaders readers;
  private List<Routine> everywhere = List.of();
  private List<Routine> ofCasts = List.of();
  private List<Routine> ofTakingCasts = List.of();

  /** Creates a graph over {@code routines}, each without its parts. */
  HiddenCalls(Map<Long, Routine> routines) {
    this.routines = routines;
  }

  static Node type(long oid) {
    return BuiltinRoutines.isUsers(oid) ? new Node('t', oid) : SERVER;
  }

  static Node defaultOf(long type) {
    return new Node('d', type);
  }

  static Node routine(long oid) {
    return new Node('r', oid);
  }

  /** Says that the use of {@code from} runs {@code routine}. */
  void runs(Node from, long routine) {
    add(edges, from, routine(routine));
  }

  /** Says that the use of {@code from} makes, takes or holds values of {@code type}. */
  void uses(Node from, long type) {
    if (BuiltinRoutines.isUsers(type)) {
      add(edges, from, type(type));
    } else if (BuiltinRoutines.isShownByCatalog(type)) {
      does(from, Routine.reading(BypassReason.UNSUPPORTED_RELATION));
    }
  }

  /** Says that the use of {@code from} does something that is no routine. */
  void does(Node from, Routine effect) {
    add(effects, from, effect);
  }

  /** Returns what a cast belongs to. */
  static Set<Node> ofCast(long source, long target) {
    if (!BuiltinRoutines.isUsers(source) && !BuiltinRoutines.isUsers(target)) {
      return Set.of(SERVER);
    }
    Set<Node> nodes = new HashSet<>(List.of(CASTS, type(source), type(target)));
    nodes.remove(SERVER);
    return nodes;
  }

  private static <T> void add(Map<Node, Set<T>> edges, Node from, T to) {
    edges.computeIfAbsent(from, node -> new HashSet<>()).add(to);
  }

  /** Takes what reads settings unnamed. */
  void readers(UnnamedReaders found) {
    readers = found;
  }

  /** Finds out what {@code types} reach, once everything has been added. */
  void close(Collection<Long> types) {
    for (long type : types) {
      byType.put(type, reach(type(type)));
      byDefault.put(type, reach(defaultOf(type)));
    }
    everywhere = strong(reach(SERVER));
    ofCasts = strong(reach(CASTS));
    ofTakingCasts = strong(reach(TAKING_CASTS));
  }

  /** What depends on settings alone is an operator that only its symbol calls. */
  private static List<Routine> strong(List<Routine> reached) {
    return reached.stream().filter(call -> call.reason() != null || call.hasEffects()).toList();
  }

  /** Returns what a call of the routine runs besides itself. */
  List<Routine> partsOf(long routine) {
    return reach(routine(routine));
  }

  private List<Routine> reach(Node start) {
    Set<Routine> found = new HashSet<>();
    Set<Node> seen = new HashSet<>(Set.of(start));
    Deque<Node> toDo = new ArrayDeque<>(seen);
    while (!toDo.isEmpty()) {
      Node next = toDo.remove();
      if (next.kind() == 'r' && !next.equals(start)) {
        Routine routine = routines.getOrDefault(next.oid(), Routine.unknown(next.oid()));
        if (!routine.plain() || routine.hasEffects()) {
          found.add(routine);
        }
      }
      found.addAll(effects.getOrDefault(next, Set.of()));
      edges.getOrDefault(next, Set.of()).stream().filter(seen::add).forEach(toDo::add);
    }
    return List.copyOf(found);
  }

  /** Returns what the use of a type may run. */
  public List<Routine> of(long type) {
    return byType.getOrDefault(type, List.of());
  }

  /** Returns what the default of a type, where a column has none, may run. */
  public List<Routine> ofDefault(long type) {
    return byDefault.getOrDefault(type, List.of());
  }

  /** Returns what any statement may run: what belongs to types of the server's own. */
  public List<Routine> everywhere() {
    return everywhere;
  }

  /** Returns the settings that are part of the key of any query, whatever it names. */
  public KeySettings keySettings() {
    return readers == null
        ? KeySettings.of(Set.of(KeySettings.ANY), Set.of(), Set.of())
        : readers.keySettings();
  }

  /** Returns what values that come out of a user's routines or operators may run. */
  public List<Routine> casts() {
    return ofCasts;
  }

  /** Returns what an operator of a user's may run that takes values of the server's types alone. */
  public List<Routine> takingCasts() {
    return ofTakingCasts;
  }

  /** Returns whether the use of some type has effects, so that keeping an index may have them. */
  public boolean haveEffects() {
    return Stream.concat(Stream.of(everywhere), byType.values().stream())
        .flatMap(List::stream)
        .anyMatch(Routine::hasEffects);
  }
}
