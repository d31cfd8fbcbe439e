package dev.larder.catalog;

import dev.larder.code.RoutineRow;
import dev.larder.keys.KeyScheme;
import dev.larder.keys.KeyTable;
import java.util.ArrayList;
import java.util.Collection;
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
  private static final long ODD = 0x9e3779b97f4a7c15L;

  /** By kind, and by the relation that they belong to. */
  private final Map<Class<?>, Map<Long, List<CatalogRow>>> rows = new HashMap<>();

  private final List<RoutineRow> routines = new ArrayList<>();
  private long digest;

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
    if (!(row instanceof CatalogRow.Index)) {
      note(row.getClass(), values); // Of indexes only the schemes count that they make.
    }
    rows.computeIfAbsent(row.getClass(), kind -> new HashMap<>())
        .computeIfAbsent(row.relation(), oid -> new ArrayList<>())
        .add(row);
  }

  /** Adds a routine that its text tells from others. */
  public void add(RoutineRow row) {
    add(row, row.toString());
  }

  /** Adds a routine; {@code values} as for other rows. */
  public void add(RoutineRow row, @Nullable Object... values) {
    note(row.getClass(), values);
    routines.add(row);
  }

  /** Sums 64-bit hashes of the rows, so that their order does not matter. */
  private void note(Class<?> kind, @Nullable Object... values) {
    long hash = hash(0, kind.getSimpleName());
    for (Object value : values) {
      hash = hash(hash, value);
    }
    digest += mixed(hash);
  }

  /** Spreads each bit over all, so that no differences of two rows cancel in the sum. */
  private static long mixed(long hash) {
    long half = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L; // As SplittableRandom does.
    long most = (half ^ half >>> 27) * 0x94d049bb133111ebL;
    return most ^ most >>> 31;
  }

  /** Adds a value to a hash, with its length, so that it ends where the next begins. */
  private static long hash(long hash, @Nullable Object value) {
    if (value == null) {
      return hash(hash, -1);
    }
    if (value instanceof Collection<?> all) {
      long sum = hash(hash, all.size());
      for (Object each : all) {
        sum = hash(sum, each);
      }
      return sum;
    }
    if (value instanceof Number || value instanceof Boolean) {
      return hash(hash, value.hashCode());
    }
    String text = value.toString();
    long sum = hash(hash, text.length());
    for (int i = 0; i < text.length(); i++) {
      sum = hash(sum, text.charAt(i));
    }
    return sum;
  }

  private static long hash(long hash, int next) {
    long product = (hash ^ next) * ODD;
    return product ^ product >>> 32;
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
    for (KeyTable table : keys.all()) {
      KeyScheme primary = table.primaryKey();
      note(KeyTable.class, table.oid(), table.schemes(), primary, table.arbiters());
    }
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
