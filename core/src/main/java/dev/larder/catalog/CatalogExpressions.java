package dev.larder.catalog;

import dev.larder.analysis.Repeatability;
import dev.larder.bypass.BypassReason;
import dev.larder.catalog.HiddenCalls.Node;
import dev.larder.catalog.Relation.Trigger;
import dev.larder.catalog.Routine.Trait;
import dev.larder.code.BuiltinRoutines;
import dev.larder.code.KnownLibraries;
import dev.larder.code.NodeTree;
import dev.larder.code.RoutineBodies;
import dev.larder.code.RoutineRow;
import dev.larder.code.TriggerBody;
import dev.larder.sql.WriteEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges routines, and the expressions that the catalog stores by the routines that they call. Used
 * while a catalog version is built.
 */
final class CatalogExpressions {
  final Map<Long, Routine> routines = new HashMap<>();
  final HiddenCalls hidden = new HiddenCalls(routines);
  final UsersOperators usersOperators;

  /** What the bodies of routines tell, complete once all expressions have been read. */
  final RoutineBodies bodies;

  /** The settings that are read by what no text names, complete as above. */
  final UnnamedReaders unnamed;

  private final Map<Long, Routine> operators = new HashMap<>();
  final UsersTypes types;
  private final FunctionsInC inC;

  CatalogExpressions(CatalogBuilder rows) {
    types = new UsersTypes(rows);
    inC = new FunctionsInC(rows);
    BodyUses uses = new BodyUses(rows);
    bodies = new RoutineBodies(rows.routines(), uses.relations(), uses.all());
    usersOperators = new UsersOperators(rows);
    unnamed = new UnnamedReaders(rows, bodies);
    hidden.readers(unnamed);
    for (RoutineRow row : rows.routines()) {
      Routine declared = Routine.of(row, row.takesRow() || types.isRow(row.onlyArgument()));
      boolean converts = inC.convertsValues(row.oid());
      routines.put(row.oid(), converts ? declared.writingNothing() : asItsBodySays(row, declared));
    }
    fillGraph(rows);
    hidden.close(types.oids());
    findParts(rows.routines());
    Set<String> doubtfulSymbols = new HashSet<>();
    usersOperators(rows).forEach(row -> operator(row, doubtfulSymbols));
    proveTriggers(rows.routines(), doubtfulSymbols);
  }

  /** What an IMMUTABLE routine is declared is not believed against its own body. */
  private Routine asItsBodySays(RoutineRow row, Routine declared) {
    return row.volatility() == 'i' && row.isTold() ? declared.asItSays(bodies) : declared;
  }

  private static Stream<CatalogRow.Operator> usersOperators(CatalogBuilder rows) {
    return rows.all(CatalogRow.Operator.class).stream()
        .filter(row -> BuiltinRoutines.isUsers(row.oid()));
  }

  private static Stream<CatalogRow.Cast> usersCasts(CatalogBuilder rows) {
    return rows.all(CatalogRow.Cast.class).stream()
        .filter(row -> BuiltinRoutines.isUsers(row.oid()));
  }

  private void fillGraph(CatalogBuilder rows) {
    for (RoutineRow row : rows.routines()) {
      Node node = HiddenCalls.routine(row.oid());
      row.support().forEach(part -> hidden.runs(node, part));
      row.types().forEach(type -> hidden.uses(node, type));
      evaluates(node, row.parameterDefaults(), true);
      unnamed.readBody(row).forEach(reading -> hidden.does(node, reading));
    }
    types.all().forEach(row -> type(row, rows.of(row.relation(), CatalogRow.Columns.class)));
    for (CatalogRow.DomainCheck row : rows.all(CatalogRow.DomainCheck.class)) {
      evaluates(HiddenCalls.type(row.domain()), row.nodeTree(), true);
    }
    usersOperators(rows)
        .forEach(
            row ->
                Stream.of(row.left(), row.right())
                    .filter(BuiltinRoutines::isUsers)
                    .forEach(type -> typeRuns(type, row.routine())));
    for (CatalogRow.OperatorClass row : rows.all(CatalogRow.OperatorClass.class)) {
      if (!inC.findsRows(row.routine())) {
        typeRuns(row.left(), row.routine());
        typeRuns(row.right(), row.routine());
      }
    }
    usersCasts(rows).forEach(this::cast);
  }

  private void type(CatalogRow.Type row, Stream<CatalogRow.Columns> columns) {
    Node node = HiddenCalls.type(row.oid());
    row.functions().stream()
        // An array's are the server's own, and run those of its element.
        .filter(function -> row.element() == 0 || BuiltinRoutines.isUsers(function))
        .forEach(function -> typeRuns(row.oid(), function));
    for (long part : new long[] {row.base(), row.element()}) {
      hidden.uses(node, part);
      if (BuiltinRoutines.isTimeWithZone(part)) {
        hidden.does(node, Routine.reading(BypassReason.TIME));
      }
    }
    columns.flatMap(each -> each.types().stream()).forEach(type -> hidden.uses(node, type));
    // Only writes evaluate a default, where a column has none.
    evaluates(HiddenCalls.defaultOf(row.oid()), row.byDefault(), false);
  }

  private void typeRuns(long type, long oid) {
    Routine routine = routine(oid);
    if (readsClockWhereNamed(routine)) {
      return; // Nothing compares or sorts by it.
    }
    if (!routine.plain() || routine.hasEffects()) {
      bodies.runsHidden(oid, true);
    }
    unnamed.runs(oid);
    hidden.runs(HiddenCalls.type(type), oid);
  }

  private void cast(CatalogRow.Cast row) {
    Set<Node> nodes = HiddenCalls.ofCast(row.source(), row.target());
    if (row.routine() != 0) {
      bodies.runsHidden(row.routine(), true);
      unnamed.runs(row.routine());
      nodes.forEach(node -> hidden.runs(node, row.routine()));
    } else if (row.method() == 'i' && types.readsClock(row.target())) {
      nodes.forEach(node -> hidden.does(node, Routine.reading(BypassReason.OPERATOR)));
    }
    if (row.context() == 'i' && !BuiltinRoutines.isUsers(row.source())) {
      takingCast(row);
    }
  }

  /** The value that an IMMUTABLE function in C makes goes to an operator, and nowhere else. */
  private void takingCast(CatalogRow.Cast row) {
    CatalogRow.Type target = types.get(row.target());
    if (row.routine() == 0 && target != null && target.isBase()) {
      hidden.does(HiddenCalls.TAKING_CASTS, routine(target.input()));
    } else if (row.routine() == 0) {
      hidden.uses(HiddenCalls.TAKING_CASTS, row.target());
    } else if (!inC.has(row.routine()) || !routine(row.routine()).plain()) {
      hidden.runs(HiddenCalls.TAKING_CASTS, row.routine());
    }
  }

  /** Adds what an expression calls, and, where queries evaluate it, what it depends on besides. */
  private void evaluates(Node node, @Nullable String nodeTree, boolean read) {
    if (nodeTree == null) {
      return;
    }
    NodeTree tree = NodeTree.parse(nodeTree);
    for (long routine : tree.routines()) {
      bodies.runsHidden(routine, read);
      unnamed.runs(routine);
      hidden.runs(node, routine);
    }
    unnamed.reads(tree);
    made(tree).forEach(type -> hidden.uses(node, type));
    BypassReason reason = reasonOf(tree);
    if (reason == null && !tree.settings().isEmpty()) {
      reason = BypassReason.FUNCTION; // The sessions' settings are many.
    }
    if (read && reason != null) {
      hidden.does(node, Routine.reading(reason));
    }
  }

  private void findParts(List<RoutineRow> rows) {
    Map<Long, List<Routine>> parts = new HashMap<>();
    rows.stream()
        .filter(RoutineRow::users)
        .forEach(row -> parts.put(row.oid(), hidden.partsOf(row.oid())));
    parts.forEach((oid, found) -> routines.computeIfPresent(oid, (same, r) -> r.with(found)));
  }

  private void operator(CatalogRow.Operator row, Set<String> doubtfulSymbols) {
    bodies.runsHidden(row.routine(), true);
    Routine routine = routine(row.routine());
    unnamed.runs(row.routine());
    operators.put(row.oid(), routine);
    usersOperators.add(row, called(row, routine.calledInText()));
    boolean known = routine.builtin() || readsClockWhereNamed(routine);
    if (routine.hasEffects() || (routine.reason() != null && !known)) {
      doubtfulSymbols.add(row.symbol());
    }
  }

  /**
   * A function in C does not run what belongs to the types that it takes, but what makes such a
   * value of a literal. A result of the server's own has nothing of the kind, unless it shows what
   * is in the catalog.
   */
  private Routine called(CatalogRow.Operator row, Routine routine) {
    boolean alone =
        inC.has(row.routine())
            && isPlainlyRead(row.left())
            && isPlainlyRead(row.right())
            && !BuiltinRoutines.isUsers(row.result())
            && !BuiltinRoutines.isShownByCatalog(row.result());
    return alone ? routine.with(List.of()) : routine;
  }

  private boolean isPlainlyRead(long type) {
    CatalogRow.Type row = types.get(type);
    return BuiltinRoutines.isUsers(type)
        ? row != null && row.isBase() && routine(row.input()).with(List.of()).plain()
        : !BuiltinRoutines.isShownByCatalog(type);
  }

  private void proveTriggers(List<RoutineRow> rows, Set<String> doubtfulSymbols) {
    Set<String> typeNames = new HashSet<>();
    types.all().forEach(row -> typeNames.add(row.name()));
    TriggerBody triggers =
        TriggerBody.in(rows, row -> routine(row.oid()).hasEffects(), doubtfulSymbols, typeNames);
    for (RoutineRow row : rows) {
      String body = row.language().equals("plpgsql") && row.trigger() ? row.body() : null;
      if (body != null && !row.setsCustom() && triggers.changesRowOnly(body)) {
        routines.computeIfPresent(row.oid(), (oid, r) -> r.with(Trait.HARMLESS_TRIGGER));
      }
    }
  }

  /** Whether it is one that {@link KnownLibraries#readsClock}. */
  private static boolean readsClockWhereNamed(Routine routine) {
    return !routine.builtin() && routine.reason() == BypassReason.TIME;
  }

  private Set<Long> made(NodeTree tree) {
    Set<Long> made = new HashSet<>(tree.checkedTypes());
    made.addAll(tree.convertedTypes());
    tree.valueTypes().stream().filter(types::mayBeChecked).forEach(made::add);
    return made;
  }

  /** Returns the routine; one that is not known may do anything. */
  private Routine routine(long oid) {
    return routines.getOrDefault(oid, Routine.unknown(oid));
  }

  Trigger trigger(CatalogRow.TableTrigger row) {
    bodies.runsHidden(row.routine(), false);
    Expression when = row.condition() == null ? null : written(row.condition());
    return new Trigger(
        row.name(), routine(row.routine()), row.type(), row.copied(), when, row.arguments());
  }

  WriteEvent rule(CatalogRow.Rule row) {
    bodies.rules();
    return switch (row.event()) {
      case '2' -> WriteEvent.UPDATE;
      case '3' -> WriteEvent.INSERT;
      default -> WriteEvent.DELETE;
    };
  }

  /** Reads an expression in stored form that queries of {@code relation} evaluate. */
  Expression read(CatalogRow.Table relation, String nodeTree) {
    NodeTree tree = NodeTree.parse(nodeTree);
    bodies.isRead(relation.oid(), relation.name(), tree.relations(), tree.routines());
    return parse(tree);
  }

  /** Reads an expression in stored form that only writes evaluate. */
  Expression written(String nodeTree) {
    NodeTree tree = NodeTree.parse(nodeTree);
    tree.routines().forEach(oid -> bodies.runsHidden(oid, false));
    return parse(tree);
  }

  private Expression parse(NodeTree tree) {
    Set<Routine> called = new LinkedHashSet<>();
    Repeatability least = tree.repeatability();
    for (long oid : tree.routines()) {
      Routine routine = routine(oid);
      called.add(routine);
      least = least.and(routine.repeatability());
    }
    tree.operators().stream()
        .filter(BuiltinRoutines::isUsers)
        .forEach(oid -> called.add(operators.getOrDefault(oid, Routine.unknown(oid))));
    made(tree).forEach(type -> called.addAll(hidden.of(type)));
    Set<String> settings = unnamed.settings(tree, called);
    called.removeIf(
        routine -> routine.reason() == null && !routine.hasEffects() && routine.parts().isEmpty());
    return new Expression(
        Set.copyOf(tree.relations()),
        List.copyOf(called),
        reasonOf(tree),
        readsClock(tree) && !tree.unsupported() && reasonOfSettings(tree) == null,
        Set.copyOf(settings),
        least);
  }

  private @Nullable BypassReason reasonOf(NodeTree tree) {
    if (tree.unsupported()) {
      return BypassReason.UNSUPPORTED_RELATION;
    }
    return readsClock(tree) ? BypassReason.TIME : reasonOfSettings(tree);
  }

  private boolean readsClock(NodeTree tree) {
    return tree.readsClock() || tree.convertedTypes().stream().anyMatch(types::readsClock);
  }

  private static @Nullable BypassReason reasonOfSettings(NodeTree tree) {
    boolean known = tree.settings().stream().allMatch(name -> name.indexOf('.') > 0);
    return tree.readsUnknownSetting() || !known ? BypassReason.BUILTIN_FUNCTION : null;
  }
}
