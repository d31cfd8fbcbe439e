package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.sql.Repeatability;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges routines, and the expressions that the catalog stores by the routines that they call. Used
 * while a snapshot is built.
 */
final class CatalogExpressions {
  private final Map<Long, Routine> routines = new HashMap<>();
  private final Map<Long, Routine> operators = new HashMap<>();
  private final UsersOperators usersOperators;
  private final RoutineBodies bodies;
  private final HiddenCalls hidden = new HiddenCalls(routines);
  private final List<CatalogBuilder.ServerTypeRow> serversClockTypes;
  private final Map<Long, CatalogBuilder.TypeRow> types = new HashMap<>();
  private final Set<Long> rows = new HashSet<>();

  /** Reads what can be told of routines by themselves. */
  CatalogExpressions(
      List<CatalogBuilder.RoutineRow> routineRows,
      List<CatalogBuilder.TypeRow> typeRows,
      List<CatalogBuilder.CastRow> castRows,
      List<CatalogBuilder.ServerTypeRow> serversClockTypes,
      UsersOperators usersOperators) {
    this.serversClockTypes = serversClockTypes;
    this.usersOperators = usersOperators;
    typeRows.forEach(row -> types.put(row.oid(), row));
    bodies = new RoutineBodies(routineRows);
    castRows.stream().filter(cast -> isRow(cast.source())).forEach(cast -> rows.add(cast.target()));
    routineRows.forEach(row -> routines.put(row.oid(), judge(row)));
  }

  /** Finds out what runs hidden, once the graph of it is complete. */
  void link(
      List<CatalogBuilder.RoutineRow> routineRows,
      List<CatalogBuilder.OperatorRow> operatorRows,
      List<CatalogBuilder.TypeRow> typeRows) {
    hidden.close(typeRows);
    Map<Long, List<Routine>> parts = new HashMap<>();
    for (CatalogBuilder.RoutineRow row : routineRows) {
      List<Routine> found = isUsers(row.oid()) ? hidden.partsOf(row.oid()) : List.of();
      if (!found.isEmpty()) {
        parts.put(row.oid(), found);
      }
    }
    parts.forEach(
        (oid, found) ->
            routines.computeIfPresent(oid, (o, r) -> r.with(found, r.harmlessTrigger())));
    operatorRows.forEach(this::operator);
    proveTriggers(routineRows, operatorRows, typeRows);
  }

  private void operator(CatalogBuilder.OperatorRow row) {
    Routine routine = hidden(row.routine(), true);
    operators.put(row.oid(), routine);
    usersOperators.add(row, routine);
  }

  private void proveTriggers(
      List<CatalogBuilder.RoutineRow> routineRows,
      List<CatalogBuilder.OperatorRow> operatorRows,
      List<CatalogBuilder.TypeRow> typeRows) {
    Set<String> names = new HashSet<>();
    Set<String> doubtful = new HashSet<>();
    Set<String> symbols = new HashSet<>();
    Set<String> typeNames = new HashSet<>();
    for (CatalogBuilder.RoutineRow row : routineRows) {
      if (isUsers(row.oid())) {
        names.add(row.name());
      }
      if (!isVetted(row)) {
        doubtful.add(row.name());
      }
    }
    Set<String> vetted = new HashSet<>(names);
    vetted.removeAll(doubtful);
    for (CatalogBuilder.OperatorRow row : operatorRows) {
      Routine routine = routine(row.routine());
      boolean known = routine.builtin() || readsClockWhereNamed(routine);
      if (routine.hasEffects() || (routine.reason() != null && !known)) {
        symbols.add(row.symbol());
      }
    }
    typeRows.forEach(row -> typeNames.add(row.name()));
    TriggerBody triggers = new TriggerBody(names, vetted, symbols, typeNames);
    for (CatalogBuilder.RoutineRow row : routineRows) {
      String body = row.language().equals("plpgsql") && row.trigger() ? row.body() : null;
      if (body != null && triggers.changesRowOnly(body)) {
        routines.computeIfPresent(row.oid(), (oid, routine) -> routine.with(routine.parts(), true));
      }
    }
  }

  /**
   * Whether a trigger may call it and still change the row at hand only. What makes a row of values
   * runs the checks of its domains.
   */
  private boolean isVetted(CatalogBuilder.RoutineRow row) {
    if (!isUsers(row.oid())) {
      return TriggerBody.isCallable(row.name());
    }
    return row.language().equals("c")
        && KnownLibraries.writesNothing(row.library())
        && !row.name().contains("record")
        && !routine(row.oid()).hasEffects();
  }

  /** Returns what runs without being named, to be completed before {@link #link}. */
  HiddenCalls hiddenCalls() {
    return hidden;
  }

  /** Says that the use of {@code type} runs a routine. */
  void typeRuns(long type, long routine) {
    if (readsClockWhereNamed(routine(routine))) {
      return; // Nothing compares or sorts by it.
    }
    if (!isHarmless(routine)) {
      bodies.runsHidden(routine, true);
    }
    hidden.typeRuns(type, routine);
  }

  /** Says that the use of {@code type} evaluates an expression. */
  void typeEvaluates(long type, String nodeTree) {
    NodeTree tree = NodeTree.parse(nodeTree);
    called(tree, true).forEach(routine -> hidden.typeRuns(type, routine));
    made(tree).forEach(part -> hidden.typeHolds(type, part));
    Routine effect = effect(tree);
    if (effect != null) {
      hidden.typeDoes(type, effect);
    }
  }

  /** Adds the default of a type, which writes evaluate where a column has none. */
  void typeDefault(long type, String nodeTree) {
    NodeTree tree = NodeTree.parse(nodeTree);
    hidden.defaultRuns(type, called(tree, false), made(tree));
  }

  /** Says that a call of {@code routine} may evaluate an expression. */
  void routineEvaluates(long routine, String nodeTree) {
    NodeTree tree = NodeTree.parse(nodeTree);
    called(tree, true).forEach(other -> hidden.routineRuns(routine, other));
    made(tree).forEach(type -> hidden.routineUses(routine, type));
    Routine effect = effect(tree);
    if (effect != null) {
      hidden.routineDoes(routine, effect);
    }
  }

  /** Adds a cast; {@code method} as in pg_cast. */
  void cast(CatalogBuilder.CastRow row) {
    if (row.routine() != 0) {
      bodies.runsHidden(row.routine(), true);
      hidden.cast(row.source(), row.target(), row.routine());
    } else if (row.method() == 'i' && readsClock(row.target())) {
      hidden.cast(row.source(), row.target(), Routine.reading(BypassReason.OPERATOR));
    }
  }

  /** Whether it is one that {@link KnownLibraries#readsClock}. */
  private static boolean readsClockWhereNamed(Routine routine) {
    return !routine.builtin() && routine.reason() == BypassReason.TIME;
  }

  private boolean isHarmless(long routine) {
    Routine known = routine(routine);
    return known.plain() && !known.hasEffects();
  }

  private Set<Long> called(NodeTree tree, boolean read) {
    Set<Long> called = new HashSet<>(tree.routines());
    called.forEach(routine -> bodies.runsHidden(routine, read));
    return called;
  }

  private static Set<Long> made(NodeTree tree) {
    Set<Long> made = new HashSet<>(tree.checkedTypes());
    made.addAll(tree.convertedTypes());
    return made;
  }

  /** What an expression depends on besides what it calls; the sessions' settings are many. */
  private @Nullable Routine effect(NodeTree tree) {
    BypassReason reason = reasonOf(tree);
    if (reason == null && !tree.settings().isEmpty()) {
      reason = BypassReason.FUNCTION;
    }
    return reason == null ? null : Routine.reading(reason);
  }

  /** Whether a value of the type is a row, or a user's cast makes one of it. */
  private boolean isRow(long type) {
    CatalogBuilder.TypeRow row = types.get(type);
    return rows.contains(type)
        || (row != null && (row.kind() == 'c' || (row.kind() == 'd' && isRow(row.base()))));
  }

  /** Returns every routine. */
  Collection<Routine> routines() {
    return routines.values();
  }

  /** Returns the operators of users. */
  UsersOperators usersOperators() {
    return usersOperators;
  }

  /** Returns the routine; one that is not known may do anything. */
  Routine routine(long oid) {
    Routine routine = routines.get(oid);
    return routine != null ? routine : Routine.unknown(oid);
  }

  /** Returns the routine, which runs without being named in a statement, by a query too or not. */
  Routine hidden(long oid, boolean read) {
    bodies.runsHidden(oid, read);
    return routine(oid);
  }

  /** Notes that there are rules. */
  void rules() {
    bodies.rules();
  }

  /** Returns what the bodies of the routines tell, once all expressions have been read. */
  RoutineBodies bodies() {
    return bodies;
  }

  /** Reads an expression in stored form that writes evaluate. */
  Expression parse(String nodeTree) {
    return parse(nodeTree, false);
  }

  /** Reads an expression in stored form; {@code read} where queries evaluate it. */
  Expression parse(String nodeTree, boolean read) {
    NodeTree tree = NodeTree.parse(nodeTree);
    Set<Routine> called = new LinkedHashSet<>();
    Set<String> settings = new HashSet<>(tree.settings());
    tree.routines().forEach(oid -> called.add(hidden(oid, read)));
    for (long oid : tree.operators()) {
      if (isUsers(oid)) {
        called.add(operators.getOrDefault(oid, Routine.unknown(oid)));
      }
    }
    made(tree).forEach(type -> called.addAll(hidden.of(type)));
    called.forEach(routine -> settings.addAll(routine.settings()));
    called.removeIf(
        routine -> routine.reason() == null && !routine.hasEffects() && routine.parts().isEmpty());
    return new Expression(
        Set.copyOf(tree.relations()),
        List.copyOf(called),
        reasonOf(tree),
        Set.copyOf(settings),
        repeatabilityOf(tree));
  }

  private Repeatability repeatabilityOf(NodeTree tree) {
    Repeatability least = tree.repeatability();
    for (long oid : tree.routines()) {
      least = least.and(routine(oid).repeatability());
    }
    return least;
  }

  private @Nullable BypassReason reasonOf(NodeTree tree) {
    if (tree.readsSystemColumn() || tree.unsupported()) {
      return BypassReason.UNSUPPORTED_RELATION;
    }
    if (tree.readsClock() || tree.convertedTypes().stream().anyMatch(this::readsClock)) {
      return BypassReason.TIME;
    }
    boolean known = tree.settings().stream().allMatch(name -> name.indexOf('.') > 0);
    return tree.readsUnknownSetting() || !known ? BypassReason.BUILTIN_FUNCTION : null;
  }

  /** Whether the input of the type may read the clock: date and time types, and what holds them. */
  private boolean readsClock(long type) {
    if (!isUsers(type)) {
      return serversClockTypes.stream().anyMatch(row -> row.oid() == type);
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

  /** Returns the schemas of the types whose input may read the clock, by the types' names. */
  Map<String, Set<String>> clockTypes() {
    Map<String, Set<String>> schemas = new HashMap<>();
    for (CatalogBuilder.ServerTypeRow row : serversClockTypes) {
      schemas.computeIfAbsent(row.name(), name -> new HashSet<>(1)).add(row.schema());
    }
    for (CatalogBuilder.TypeRow row : types.values()) {
      if (readsClock(row.oid())) {
        schemas.computeIfAbsent(row.name(), name -> new HashSet<>(1)).add(row.schema());
      }
    }
    return schemas;
  }

  private Routine judge(CatalogBuilder.RoutineRow row) {
    boolean builtin = !isUsers(row.oid());
    boolean aggregate = !row.support().isEmpty();
    Set<String> settings =
        row.volatility() == 's' ? KnownLibraries.settings(row.library()) : Set.of();
    BypassReason reason = null;
    if (builtin) {
      reason = BuiltinRoutines.reason(row.name(), row.volatility(), row.argumentTypes());
    } else if (KnownLibraries.readsClock(row.library(), row.name())) {
      reason = BypassReason.TIME;
    } else if (!aggregate && row.volatility() != 'i' && settings.isEmpty()) {
      boolean plain = row.volatility() == 's' && KnownLibraries.dependsOnNothingElse(row.library());
      reason = plain ? null : BypassReason.FUNCTION;
    }
    boolean known = KnownLibraries.writesNothing(row.library());
    for (long other : row.support()) {
      hidden.routineRuns(row.oid(), other);
    }
    return new Routine(
        row.oid(),
        row.schema(),
        row.name(),
        reason,
        builtin,
        reason != null && !known && (!builtin || BuiltinRoutines.runsQueries(row.name())),
        builtin
            ? BuiltinRoutines.changesSettings(row.name())
            : KnownLibraries.changesSettings(row.library(), row.volatility()),
        fields(row),
        builtin && BuiltinRoutines.needsTimeWithZone(row.name(), row.argumentTypes()),
        builtin
            ? BuiltinRoutines.isHarmlessTrigger(row.name())
            : KnownLibraries.changesRowOnly(row.library()),
        aggregate,
        switch (row.result()) {
          case 't' -> Routine.Result.NO_TEXT;
          case 'a' -> Routine.Result.ARGUMENT;
          default -> Routine.Result.ANYTHING;
        },
        settings,
        List.of());
  }

  private Routine.Fields fields(CatalogBuilder.RoutineRow row) {
    if (row.onlyArgument() == 0) {
      return Routine.Fields.NONE;
    }
    return row.takesRow() || isRow(row.onlyArgument())
        ? Routine.Fields.OF_ROWS
        : Routine.Fields.OF_VALUES;
  }

  private static boolean isUsers(long oid) {
    return oid >= BuiltinRoutines.FIRST_USER_OID;
  }
}
