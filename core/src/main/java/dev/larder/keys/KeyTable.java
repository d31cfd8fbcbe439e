package dev.larder.keys;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plain table as keys see it: no partition and none of a tree of inheritance, without policies
 * and rules. Immutable.
 *
 * @param oid its object identifier
 * @param name its schema and name, for people
 * @param columns all of them, in the order of {@code *}
 * @param schemes by which its rows are told apart, the primary key first
 * @param primaryKey the scheme of the primary key, or null
 * @param arbiters those for whose columns ON CONFLICT finds a row of the very same values: no
 *     unique index of the same columns compares otherwise
 * @param foreignKeys along which an inner join loses no row of the referencing table
 * @param assigned the columns that a BEFORE trigger on rows may assign at an INSERT or UPDATE, or
 *     null where they may be any
 */
public record KeyTable(
    long oid,
    String name,
    List<KeyColumn> columns,
    List<KeyScheme> schemes,
    @Nullable KeyScheme primaryKey,
    List<KeyScheme> arbiters,
    List<Reference> foreignKeys,
    @Nullable Set<String> assigned) {
  public KeyTable {
    columns = List.copyOf(columns);
    schemes = List.copyOf(KeyScheme.numbered(schemes));
    primaryKey = KeyScheme.among(schemes, primaryKey);
    arbiters = List.copyOf(arbiters);
    foreignKeys = List.copyOf(foreignKeys);
    assigned = assigned == null ? null : Set.copyOf(assigned);
  }

  /**
   * A foreign key that holds for every row at any moment: validated, enforced, not deferrable.
   *
   * @param columns of the referencing table
   * @param table the referenced table
   * @param keyColumns the referenced columns, in the same order
   */
  public record Reference(List<Integer> columns, long table, List<Integer> keyColumns) {}

  /** Returns the names of the schemes, for people; several columns of one in brackets. */
  public String schemeNames() {
    return String.join(
        ", ",
        schemes.stream()
            .map(each -> each.columns().size() == 1 ? each.name() : '(' + each.name() + ')')
            .toList());
  }

  /** Returns this table, but with rows that nothing tells apart. */
  public KeyTable withoutSchemes() {
    return new KeyTable(oid, name, columns, List.of(), null, List.of(), foreignKeys, assigned);
  }

  /** Returns this table, with triggers that may assign these columns alone. */
  public KeyTable assigning(Set<String> those) {
    return new KeyTable(oid, name, columns, schemes, primaryKey, arbiters, foreignKeys, those);
  }

  /** Returns whether the column may get another value than a write says. */
  boolean decides(KeyColumn column) {
    return column.computed() || assigned == null || assigned.contains(column.name());
  }

  /** Returns the column of this name, or null. */
  @Nullable KeyColumn column(String wanted) {
    for (KeyColumn column : columns) {
      if (column.name().equals(wanted)) {
        return column;
      }
    }
    return null;
  }
}
