package dev.larder.catalog;

import dev.larder.keys.KeyColumn;
import dev.larder.keys.KeyScheme;
import dev.larder.keys.KeyTable;
import dev.larder.keys.KeyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables whose rows are told apart by schemes. A table in a tree of partitions or inheritance
 * has none, nor one with policies or rules. Immutable.
 */
final class KeyTables {
  /** The most schemes of a table. */
  static final int MOST_SCHEMES = 8;

  private static final int ROW = 1;
  private static final int BEFORE = 2;
  private static final int INSERT_OR_UPDATE = 4 | 16;

  /**
   * smallint, integer, bigint, boolean, uuid, texts, numeric, bytea, dates and times. Not oid: a
   * bigint compared with one is made one, which fails for most.
   */
  static final Set<Long> COMPARABLE =
      Set.of(16L, 17L, 20L, 21L, 23L, 25L, 1042L, 1043L, 1082L, 1083L, 1114L, 1184L, 1700L, 2950L);

  /** Those of them that have a collation. */
  static final Set<Long> TEXTS = Set.of(25L, 1042L, 1043L);

  private static final long VARCHAR = 1043;
  private static final int VARCHAR_HEADER = 4;

  private final Map<Long, KeyTable> tables = new HashMap<>();

  KeyTables(CatalogBuilder rows, Map<Long, Relation> relations, InheritanceTree tree) {
    for (Relation relation : relations.values()) {
      boolean plain =
          relation.kind() == 'r'
              && !relation.system()
              && !relation.rowSecurity()
              && relation.rules().isEmpty()
              && tree.isAlone(relation.oid());
      if (plain) {
        tables.put(relation.oid(), table(rows, relation));
      }
    }
  }

  /** Returns all of them. */
  Collection<KeyTable> all() {
    return tables.values();
  }

  /** Returns the table of this relation, or null where its rows are not told apart. */
  @Nullable KeyTable table(long oid) {
    return tables.get(oid);
  }

  private static KeyTable table(CatalogBuilder rows, Relation relation) {
    long oid = relation.oid();
    List<KeyColumn> columns =
        rows.of(oid, CatalogRow.Column.class)
            .sorted(Comparator.comparing(CatalogRow.Column::number))
            .map(KeyTables::column)
            .toList();
    List<CatalogRow.Index> indexes = rows.of(oid, CatalogRow.Index.class).toList();
    List<CatalogRow.Reference> references = rows.of(oid, CatalogRow.Reference.class).toList();
    List<KeyScheme> schemes = schemes(columns, indexes, references);
    KeyScheme primary =
        indexes.stream()
            .filter(index -> index.primary() && index.unique())
            .map(index -> scheme(columns, index.columns(), true))
            .filter(schemes::contains)
            .findAny()
            .orElse(null);
    return new KeyTable(
        oid,
        relation.toString(),
        columns,
        schemes,
        primary,
        arbiters(schemes, indexes),
        references.stream()
            .filter(CatalogRow.Reference::certain)
            .map(key -> new KeyTable.Reference(key.columns(), key.parent(), key.parentColumns()))
            .toList(),
        assigned(rows.of(oid, CatalogRow.TableTrigger.class)));
  }

  /** Those of which every unique index of the same columns compares plainly. */
  private static List<KeyScheme> arbiters(List<KeyScheme> schemes, List<CatalogRow.Index> indexes) {
    Set<Set<Integer>> others =
        indexes.stream()
            .filter(index -> index.anyUnique() && !index.unique())
            .map(index -> Set.copyOf(index.columns()))
            .collect(Collectors.toSet());
    return schemes.stream()
        .filter(KeyScheme::unique)
        .filter(
            scheme ->
                !others.contains(
                    scheme.columns().stream().map(KeyColumn::number).collect(Collectors.toSet())))
        .toList();
  }

  private static @Nullable Set<String> assigned(Stream<CatalogRow.TableTrigger> triggers) {
    return triggers.anyMatch(KeyTables::mayAssign) ? null : Set.of();
  }

  private static boolean mayAssign(CatalogRow.TableTrigger trigger) {
    int type = trigger.type();
    return (type & ROW) != 0 && (type & BEFORE) != 0 && (type & INSERT_OR_UPDATE) != 0;
  }

  private static KeyColumn column(CatalogRow.Column row) {
    return new KeyColumn(
        row.number(),
        row.name(),
        type(row),
        row.isEnum() || COMPARABLE.contains(row.type()),
        row.type() == VARCHAR && row.modifier() >= VARCHAR_HEADER
            ? row.modifier() - VARCHAR_HEADER
            : Integer.MAX_VALUE,
        row.filled(),
        row.computed(),
        row.collation());
  }

  private static @Nullable KeyType type(CatalogRow.Column row) {
    return switch ((int) row.type()) {
      case 20, 21, 23 -> KeyType.INTEGER;
      case 2950 -> KeyType.UUID;
      case 16 -> KeyType.BOOLEAN;
      case 25, 1043 -> row.exact() ? KeyType.TEXT : null;
      default -> null;
    };
  }

  /**
   * The primary key, other keys, foreign keys, then the leading columns of further indexes; those
   * of one kind in the order of their columns, so that all who read the same catalog find the same.
   */
  private static List<KeyScheme> schemes(
      List<KeyColumn> columns,
      List<CatalogRow.Index> indexes,
      List<CatalogRow.Reference> references) {
    Stream<List<Integer>> primary =
        indexes.stream().filter(CatalogRow.Index::primary).map(CatalogRow.Index::columns);
    Stream<List<Integer>> unique =
        sorted(indexes.stream().filter(CatalogRow.Index::unique).map(CatalogRow.Index::columns));
    Stream<List<Integer>> foreign = sorted(references.stream().map(CatalogRow.Reference::columns));
    Stream<List<Integer>> leading =
        sorted(
            indexes.stream()
                .filter(index -> !index.columns().isEmpty())
                .map(index -> index.columns().subList(0, 1)));
    Set<Set<Integer>> uniqueSets =
        indexes.stream()
            .filter(CatalogRow.Index::unique)
            .map(index -> Set.copyOf(index.columns()))
            .collect(Collectors.toSet());
    List<KeyScheme> schemes = new ArrayList<>();
    Stream.of(primary, unique, foreign, leading)
        .flatMap(each -> each)
        .map(numbers -> scheme(columns, numbers, uniqueSets.contains(Set.copyOf(numbers))))
        .filter(scheme -> scheme != null && !schemes.contains(scheme))
        .limit(MOST_SCHEMES)
        .forEachOrdered(schemes::add);
    return schemes;
  }

  private static Stream<List<Integer>> sorted(Stream<List<Integer>> columns) {
    return columns.sorted(
        (one, other) ->
            Arrays.compare(
                one.stream().sorted().toArray(Integer[]::new),
                other.stream().sorted().toArray(Integer[]::new)));
  }

  /** Returns the scheme of these columns; null where one of them has no values to tell apart. */
  private static @Nullable KeyScheme scheme(
      List<KeyColumn> columns, List<Integer> numbers, boolean unique) {
    List<KeyColumn> chosen = new ArrayList<>();
    for (int number : new TreeSet<>(numbers)) {
      KeyColumn found =
          columns.stream().filter(column -> column.number() == number).findAny().orElse(null);
      if (found == null || found.type() == null) {
        return null;
      }
      chosen.add(found);
    }
    return chosen.isEmpty() ? null : new KeyScheme(chosen, unique);
  }
}
