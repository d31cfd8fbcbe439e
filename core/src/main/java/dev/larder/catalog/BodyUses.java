package dev.larder.catalog;

import dev.larder.code.BuiltinRoutines;
import dev.larder.code.NodeTree;
import dev.larder.code.RoutineRow;
import dev.larder.code.UsedInBodies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The operators and types of users that bodies may use, and what these run: the functions of
 * operators that may do more than compute, the checks of domains, casts and operator classes, be it
 * in other types. Used while a catalog version is built.
 */
final class BodyUses {
  private final CatalogBuilder rows;
  private final Map<Long, RoutineRow> routines = new HashMap<>();
  private final Map<Long, List<NodeTree>> checks = new HashMap<>();

  /** The functions of casts and operator classes, by type: nothing in a text shows them. */
  private final Map<Long, List<Long>> unnamed = new HashMap<>();

  BodyUses(CatalogBuilder rows) {
    this.rows = rows;
    rows.routines().forEach(row -> routines.put(row.oid(), row));
    for (CatalogRow.DomainCheck row : rows.all(CatalogRow.DomainCheck.class)) {
      checks
          .computeIfAbsent(row.domain(), any -> new ArrayList<>())
          .add(NodeTree.parse(row.nodeTree()));
    }
    for (CatalogRow.Cast row : rows.all(CatalogRow.Cast.class)) {
      if (BuiltinRoutines.isUsers(row.oid())) {
        runs(row.source(), row.target(), row.routine());
      }
    }
    for (CatalogRow.OperatorClass row : rows.all(CatalogRow.OperatorClass.class)) {
      runs(row.left(), row.right(), row.routine());
    }
  }

  private void runs(long one, long other, long routine) {
    if (routine != 0 && mayDoMore(routine)) {
      for (long type : new long[] {one, other}) {
        unnamed.computeIfAbsent(type, any -> new ArrayList<>()).add(routine);
      }
    }
  }

  /** Returns the names of all tables and views. */
  List<String> relations() {
    return rows.all(CatalogRow.Table.class).stream().map(CatalogRow.Table::name).toList();
  }

  List<UsedInBodies> all() {
    Stream<UsedInBodies> operators =
        rows.all(CatalogRow.Operator.class).stream()
            .filter(row -> BuiltinRoutines.isUsers(row.oid()))
            .flatMap(this::operator);
    Stream<UsedInBodies> types =
        checks.isEmpty() && unnamed.isEmpty()
            ? Stream.empty()
            : rows.all(CatalogRow.Type.class).stream().map(this::type);
    return Stream.of(operators, types, relations(disbelieved())).flatMap(each -> each).toList();
  }

  /** Whether a routine is declared IMMUTABLE, and shows a body that may say otherwise. */
  private boolean disbelieved() {
    return routines.values().stream()
        .anyMatch(row -> row.users() && row.volatility() == 'i' && row.isTold());
  }

  /** What a read of views, and of tables with policies, runs. */
  private Stream<UsedInBodies> relations(boolean needed) {
    if (!needed) {
      return Stream.empty();
    }
    Map<Long, String> names =
        rows.all(CatalogRow.Table.class).stream()
            .collect(Collectors.toMap(CatalogRow.Table::oid, CatalogRow.Table::name));
    Stream<UsedInBodies> views =
        rows.all(CatalogRow.View.class).stream()
            .map(row -> relation(row.relation(), row.query(), names));
    Stream<UsedInBodies> policies =
        rows.all(CatalogRow.Policy.class).stream()
            .filter(row -> row.reads() || row.locks())
            .flatMap(
                row ->
                    Stream.ofNullable(row.using())
                        .map(using -> relation(row.relation(), using, names)));
    return Stream.concat(views, policies);
  }

  private static UsedInBodies relation(long oid, String nodeTree, Map<Long, String> names) {
    return UsedInBodies.relation(oid, names.getOrDefault(oid, ""), NodeTree.parse(nodeTree));
  }

  /** An operator may be chosen by casts to what it takes. */
  private Stream<UsedInBodies> operator(CatalogRow.Operator row) {
    List<Long> runs = new ArrayList<>();
    if (mayDoMore(row.routine())) {
      runs.add(row.routine());
    }
    if (!checks.isEmpty() || !unnamed.isEmpty()) {
      Stream.of(row.left(), row.right())
          .filter(BuiltinRoutines::isUsers)
          .map(UsedInBodies::typeNode)
          .forEach(runs::add);
    }
    return runs.isEmpty()
        ? Stream.empty()
        : Stream.of(UsedInBodies.operator(row.oid(), row.symbol(), runs));
  }

  /** What is declared IMMUTABLE and shows no text is believed. */
  private boolean mayDoMore(long oid) {
    RoutineRow row = routines.get(oid);
    return row == null || row.volatility() != 'i' || row.isTold();
  }

  private UsedInBodies type(CatalogRow.Type row) {
    List<NodeTree> trees = checks.getOrDefault(row.oid(), List.of());
    List<Long> runs =
        Stream.concat(
                Stream.of(row.base(), row.element()),
                rows.of(row.relation(), CatalogRow.Columns.class)
                    .flatMap(each -> each.types().stream()))
            .filter(BuiltinRoutines::isUsers)
            .map(UsedInBodies::typeNode)
            .collect(Collectors.toCollection(ArrayList::new));
    trees.forEach(tree -> runs.addAll(UsedInBodies.nodesOf(tree)));
    runs.addAll(unnamed.getOrDefault(row.oid(), List.of()));
    boolean more = trees.stream().anyMatch(NodeTree::readsMore);
    return UsedInBodies.type(row.oid(), row.name(), runs, more);
  }
}
