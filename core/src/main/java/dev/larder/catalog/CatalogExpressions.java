package dev.larder.catalog;

import dev.larder.sql.BypassReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges routines, and the expressions that the catalog stores by the routines that they call. Used
 * while a snapshot is built.
 */
final class CatalogExpressions {
  /** Types whose input function depends on nothing but the text and key settings. */
  private static final Set<Long> PLAIN_INPUT =
      Set.of(
          16L, 17L, 18L, 19L, 20L, 21L, 23L, 25L, 26L, 114L, 142L, 650L, 700L, 701L, 790L, 829L,
          869L, 1000L, 1001L, 1005L, 1007L, 1009L, 1014L, 1015L, 1016L, 1021L, 1022L, 1042L, 1043L,
          1186L, 1231L, 1560L, 1562L, 1700L, 2275L, 2950L, 2951L, 3802L, 3807L, 4072L, 199L);

  private final Map<Long, Routine> routines = new HashMap<>();
  private final Map<Long, Routine> operators = new HashMap<>();
  private final Map<String, List<Routine>> uncacheableOperators = new HashMap<>();
  private final Map<Long, CatalogBuilder.TypeRow> types = new HashMap<>();

  CatalogExpressions(
      List<CatalogBuilder.RoutineRow> routineRows,
      List<CatalogBuilder.OperatorRow> operatorRows,
      List<CatalogBuilder.TypeRow> typeRows) {
    typeRows.forEach(row -> types.put(row.oid(), row));
    Set<String> userNames = new HashSet<>();
    for (CatalogBuilder.RoutineRow row : routineRows) {
      if (isUsers(row.oid())) {
        userNames.add(row.name());
      }
    }
    Set<String> userSymbols = new HashSet<>();
    operatorRows.forEach(row -> userSymbols.add(row.symbol()));
    TriggerBody bodies = new TriggerBody(userNames, userSymbols);
    routineRows.stream()
        .filter(row -> row.support().isEmpty())
        .forEach(row -> routines.put(row.oid(), judge(row, bodies)));
    routineRows.stream()
        .filter(row -> !row.support().isEmpty())
        .forEach(row -> routines.put(row.oid(), judge(row, bodies)));
    for (CatalogBuilder.OperatorRow row : operatorRows) {
      Routine routine = routine(row.routine());
      operators.put(row.oid(), routine);
      if (!routine.cacheable()) {
        uncacheableOperators
            .computeIfAbsent(row.symbol(), symbol -> new ArrayList<>())
            .add(routine);
      }
    }
  }

  /** Returns every routine. */
  Collection<Routine> routines() {
    return routines.values();
  }

  /** Returns the functions of operators that are not cacheable, by symbol. */
  Map<String, List<Routine>> uncacheableOperators() {
    return uncacheableOperators;
  }

  /** Returns the routine; one that is not known may do anything. */
  Routine routine(long oid) {
    Routine routine = routines.get(oid);
    return routine != null ? routine : unknown(oid);
  }

  /** Returns what a cast does, or null where it is plain; {@code method} as in pg_cast. */
  @Nullable Expression cast(long target, long routine, char method) {
    if (routine != 0) {
      Routine function = routine(routine);
      return function.cacheable() ? null : Expression.call(function);
    }
    return method == 'i' && readsClock(target)
        ? new Expression(Set.of(), List.of(), BypassReason.OPERATOR, Set.of(), Set.of())
        : null;
  }

  /** Reads an expression in stored form. */
  Expression parse(String nodeTree) {
    NodeTree tree = NodeTree.parse(nodeTree);
    List<Routine> called = new ArrayList<>();
    BypassReason reason = reasonOf(tree);
    for (long oid : tree.routines()) {
      Routine routine = routine(oid);
      if (!routine.cacheable()) {
        called.add(routine);
      }
    }
    for (long oid : tree.operators()) {
      Routine routine = isUsers(oid) ? operators.getOrDefault(oid, unknown(oid)) : null;
      if (routine != null && !routine.cacheable()) {
        called.add(routine);
      }
    }
    return new Expression(
        Set.copyOf(tree.relations()),
        List.copyOf(called),
        reason,
        Set.copyOf(tree.settings()),
        Set.copyOf(tree.checkedTypes()));
  }

  private @Nullable BypassReason reasonOf(NodeTree tree) {
    if (tree.readsSystemColumn() || tree.unsupported()) {
      return BypassReason.UNSUPPORTED_RELATION;
    }
    if (tree.readsClock() || tree.convertedTypes().stream().anyMatch(this::readsClock)) {
      return BypassReason.TIME;
    }
    boolean known = tree.settings().stream().allMatch(name -> name.indexOf('.') > 0);
    return tree.readsUnknownSetting() || !known ? BypassReason.FUNCTION : null;
  }

  /** Whether the input of the type may read the clock: date and time types, and what holds them. */
  private boolean readsClock(long type) {
    if (!isUsers(type)) {
      return !PLAIN_INPUT.contains(type);
    }
    CatalogBuilder.TypeRow row = types.get(type);
    if (row == null) {
      return true;
    }
    if (row.element() != 0) {
      return readsClock(row.element());
    }
    return switch (row.kind()) {
      case 'e', 'b' -> false;
      case 'd', 'r' -> readsClock(row.base());
      default -> true;
    };
  }

  /** Returns the names of the types of users whose input may read the clock. */
  Set<String> clockTypes() {
    return types.values().stream()
        .filter(row -> readsClock(row.oid()))
        .map(CatalogBuilder.TypeRow::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Routine judge(CatalogBuilder.RoutineRow row, TriggerBody bodies) {
    boolean builtin = !isUsers(row.oid());
    List<Routine> support = row.support().stream().map(this::routine).toList();
    List<Routine> uncacheable = support.stream().filter(s -> !s.cacheable()).toList();
    BypassReason reason;
    if (builtin) {
      reason = BuiltinRoutines.reason(row.name(), row.volatility(), row.argumentTypes());
    } else if (support.isEmpty()) {
      reason = row.volatility() == 'i' ? null : BypassReason.FUNCTION;
    } else {
      reason = uncacheable.isEmpty() ? null : BypassReason.FUNCTION;
    }
    String body = row.triggerBody();
    return new Routine(
        row.oid(),
        row.schema(),
        row.name(),
        reason,
        builtin,
        reason != null && (!builtin || BuiltinRoutines.runsQueries(row.name())),
        builtin && BuiltinRoutines.changesSettings(row.name()),
        row.attributeStyle(),
        builtin && BuiltinRoutines.needsTimeWithZone(row.argumentTypes()),
        builtin
            ? BuiltinRoutines.isHarmlessTrigger(row.name())
            : body != null && bodies.changesRowOnly(body),
        uncacheable);
  }

  private static Routine unknown(long oid) {
    return new Routine(
        oid,
        "",
        "#" + oid,
        BypassReason.FUNCTION,
        false,
        true,
        true,
        false,
        false,
        false,
        List.of());
  }

  private static boolean isUsers(long oid) {
    return oid >= BuiltinRoutines.FIRST_USER_OID;
  }
}
