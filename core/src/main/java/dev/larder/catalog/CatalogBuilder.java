package dev.larder.catalog;

import dev.larder.code.RoutineRow;
import dev.larder.keys.KeyScheme;
import dev.larder.keys.KeyTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link CatalogVersion} of rows of the system catalogs, which may come in any order. Not
 * thread-safe; used once.
 */
public final class CatalogBuilder {
  /** What says what a write does besides. */
  private static final Set<Class<?>> BEHAVIOUR =
      Set.of(
          CatalogRow.View.class,
          CatalogRow.Rule.class,
          CatalogRow.TableTrigger.class,
          CatalogRow.ForeignKey.class,
          CatalogRow.Policy.class,
          CatalogRow.Evaluated.class);

  /** By kind, and by the relation that they belong to. */
  private final Map<Class<?>, Map<Long, List<CatalogRow>>> rows = new HashMap<>();

  private final List<RoutineRow> routines = new ArrayList<>();
  private final RowDigests digests = new RowDigests();
  private final Map<CatalogRow.Type, @Nullable Object[]> types = new HashMap<>();

  /** Creates a builder without rows. */
  public CatalogBuilder() {}

  /** Adds a row that its text tells from others. */
  public void add(CatalogRow row) {
    add(row, row.toString());
  }

  /**
   * Adds a row.
   *
   * @param values what it was made of, in its own order: texts, numbers and the like, and lists and
   *     ordered sets of them. They tell it from other rows of the kind.
   */
  public void add(CatalogRow row, @Nullable Object... values) {
    Class<?> kind = row.getClass();
    if (row instanceof CatalogRow.Type type) {
      types.put(type, values);
    } else if (!(row instanceof CatalogRow.Index)) { // Of these the schemes count that they make.
      digests.add(owner(row), BEHAVIOUR.contains(kind), kind, values);
    }
    rows.computeIfAbsent(kind, any -> new HashMap<>())
        .computeIfAbsent(row.relation(), oid -> new ArrayList<>())
        .add(row);
  }

  private static long owner(CatalogRow row) {
    return row instanceof CatalogRow.Table table ? table.oid() : row.relation();
  }

  /** Adds a routine that its text tells from others. */
  public void add(RoutineRow row) {
    add(row, row.toString());
  }

  /** Adds a routine; {@code values} as for other rows. */
  public void add(RoutineRow row, @Nullable Object... values) {
    digests.add(0, false, row.getClass(), values);
    routines.add(row);
  }

  /** Says what belongs to the relation: its row type does, and the arrays of that. */
  private void noteTypes() {
    Map<Long, Long> rowTypes = new HashMap<>();
    types.keySet().stream()
        .filter(type -> type.relation() != 0)
        .forEach(type -> rowTypes.put(type.oid(), type.relation()));
    types.forEach(
        (type, values) -> {
          long owner = rowTypes.getOrDefault(type.element() == 0 ? type.oid() : type.element(), 0L);
          digests.add(owner, false, CatalogRow.Type.class, values);
        });
  }

  /** Returns the rows of one kind. */
  <T extends CatalogRow> List<T> all(Class<T> kind) {
    return rows.getOrDefault(kind, Map.of()).values().stream()
        .flatMap(List::stream)
        .map(kind::cast)
        .toList();
  }

  /** Returns the rows of one kind that belong to a relation. */
  <T extends CatalogRow> Stream<T> of(long relation, Class<T> kind) {
    return rows.getOrDefault(kind, Map.of()).getOrDefault(relation, List.of()).stream()
        .map(kind::cast);
  }

  List<RoutineRow> routines() {
    return routines;
  }

  /** Returns the catalog version that the rows make. */
  public CatalogVersion build(String fingerprint) {
    return build(CatalogStamps.of(fingerprint));
  }

  /** Returns the catalog version that the rows make, which are known by {@code stamps}. */
  public CatalogVersion build(CatalogStamps stamps) {
    noteTypes();
    CatalogExpressions expressions = new CatalogExpressions(this);
    Map<Long, Relation> relations = new HashMap<>();
    for (CatalogRow.Table row : all(CatalogRow.Table.class)) {
      relations.put(row.oid(), relation(row, expressions));
    }
    expressions.bodies.complete();
    InheritanceTree tree = new InheritanceTree(all(CatalogRow.Parent.class), relations);
    KeyTables keys = new KeyTables(this, relations, tree);
    for (KeyTable table : keys.all()) {
      KeyScheme primary = table.primaryKey();
      digests.add(
          table.oid(),
          false,
          KeyTable.class,
          table.oid(),
          table.schemes(),
          primary,
          table.arbiters());
    }
    return new CatalogVersion(stamps, digests, this, relations, tree, keys, expressions);
  }

  private Relation relation(CatalogRow.Table row, CatalogExpressions expressions) {
    long oid = row.oid();
    of(oid, CatalogRow.Evaluated.class).forEach(expressions.unnamed::planned);
    Stream<@Nullable String> evaluated =
        Stream.concat(
            of(oid, CatalogRow.Policy.class).flatMap(each -> Stream.of(each.using(), each.check())),
            of(oid, CatalogRow.Evaluated.class).map(each -> each.nodeTree()));
    return new Relation(
        oid,
        row.schema(),
        row.name(),
        row.kind(),
        row.rowSecurity(),
        of(oid, CatalogRow.Columns.class).findAny().orElse(CatalogRow.Columns.NONE),
        of(oid, CatalogRow.View.class)
            .map(view -> expressions.read(row, view.query()))
            .findAny()
            .orElse(null),
        policies(row, CatalogRow.Policy::reads, expressions).toList(),
        policies(row, CatalogRow.Policy::locks, expressions).toList(),
        evaluated
            .filter(Objects::nonNull)
            .map(expressions::written)
            .filter(Expression::mayHaveEffects)
            .toList(),
        of(oid, CatalogRow.TableTrigger.class).map(expressions::trigger).toList(),
        of(oid, CatalogRow.ForeignKey.class).toList(),
        of(oid, CatalogRow.Rule.class).map(expressions::rule).collect(Collectors.toSet()));
  }

  private Stream<Expression> policies(
      CatalogRow.Table row, Predicate<CatalogRow.Policy> which, CatalogExpressions expressions) {
    return of(row.oid(), CatalogRow.Policy.class)
        .filter(which)
        .flatMap(each -> Stream.ofNullable(each.using()))
        .map(using -> expressions.read(row, using));
  }
}
