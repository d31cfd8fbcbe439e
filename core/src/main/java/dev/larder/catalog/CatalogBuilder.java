package dev.larder.catalog;

import dev.larder.code.RoutineRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link CatalogVersion} of rows of the system catalogs, which may come in any order. Not
 * thread-safe; used once.
 */
public final class CatalogBuilder {
  /** By kind, and by the relation that they belong to. */
  private final Map<Class<?>, Map<Long, List<CatalogRow>>> rows = new HashMap<>();

  private final List<RoutineRow> routines = new ArrayList<>();
  private long digest;

  /** Creates a builder without rows. */
  public CatalogBuilder() {}

  /** Adds a row. */
  public void add(CatalogRow row) {
    if (!(row instanceof CatalogRow.Index)) {
      note(row.toString()); // Of indexes only the schemes count that they make.
    }
    rows.computeIfAbsent(row.getClass(), kind -> new HashMap<>())
        .computeIfAbsent(row.relation(), oid -> new ArrayList<>())
        .add(row);
  }

  /** Adds a routine. */
  public void add(RoutineRow row) {
    note(row.toString());
    routines.add(row);
  }

  /** Sums 64-bit hashes of the rows, so that their order does not matter. */
  private void note(String row) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < row.length(); i++) {
      hash = (hash ^ row.charAt(i)) * 0x100000001b3L;
    }
    hash ^= hash >>> 32;
    digest += hash * 0x9e3779b97f4a7c15L;
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
    CatalogExpressions expressions = new CatalogExpressions(this);
    Map<Long, Relation> relations = new HashMap<>();
    for (CatalogRow.Table row : all(CatalogRow.Table.class)) {
      relations.put(row.oid(), relation(row, expressions));
    }
    InheritanceTree tree = new InheritanceTree(all(CatalogRow.Parent.class), relations);
    KeyTables keys = new KeyTables(this, relations, tree);
    keys.all().forEach(table -> note(table.toString()));
    return new CatalogVersion(fingerprint, digest, this, relations, tree, keys, expressions);
  }

  private Relation relation(CatalogRow.Table row, CatalogExpressions expressions) {
    long oid = row.oid();
    Stream<@Nullable String> read =
        of(oid, CatalogRow.Policy.class).filter(CatalogRow.Policy::reads).map(each -> each.using());
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
            .map(view -> expressions.parse(view.query(), true))
            .findAny()
            .orElse(null),
        expressions.parse(read, true).toList(),
        expressions.parse(evaluated, false).filter(Expression::mayHaveEffects).toList(),
        of(oid, CatalogRow.TableTrigger.class).map(expressions::trigger).toList(),
        of(oid, CatalogRow.ForeignKey.class).toList(),
        of(oid, CatalogRow.Rule.class).map(expressions::rule).collect(Collectors.toSet()));
  }
}
