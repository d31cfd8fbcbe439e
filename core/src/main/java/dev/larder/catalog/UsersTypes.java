package dev.larder.catalog;

import dev.larder.code.BuiltinRoutines;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types of users, and what values of a type are. Immutable. */
final class UsersTypes {
  private final Map<Long, CatalogRow.Type> byOid = new HashMap<>();
  private final Set<Long> serversClockTypes = new HashSet<>();
  private final Set<Long> madeOfRows = new HashSet<>();

  UsersTypes(CatalogBuilder rows) {
    rows.all(CatalogRow.Type.class).forEach(row -> byOid.put(row.oid(), row));
    rows.all(CatalogRow.ClockType.class).forEach(row -> serversClockTypes.add(row.oid()));
    rows.all(CatalogRow.Cast.class).stream()
        .filter(cast -> BuiltinRoutines.isUsers(cast.oid()) && isRow(cast.source()))
        .forEach(cast -> madeOfRows.add(cast.target()));
  }

  /** Returns the type, or null if it is none of a user's. */
  CatalogRow.@Nullable Type get(long oid) {
    return byOid.get(oid);
  }

  /** Returns all, in no order. */
  Collection<CatalogRow.Type> all() {
    return Collections.unmodifiableCollection(byOid.values());
  }

  /** Returns the object identifiers of all. */
  Set<Long> oids() {
    return Collections.unmodifiableSet(byOid.keySet());
  }

  /** Returns whether a value of the type is a row, or a user's cast makes one of it. */
  boolean isRow(long type) {
    CatalogRow.Type row = byOid.get(type);
    return madeOfRows.contains(type)
        || (row != null && (row.kind() == 'c' || (row.kind() == 'd' && isRow(row.base()))));
  }

  /** Returns whether the server may check values of the type: a domain, or what holds one. */
  boolean mayBeChecked(long type) {
    CatalogRow.Type row = byOid.get(type);
    return row != null
        && (row.kind() == 'c' || row.kind() == 'd' || row.kind() == 'r' || row.element() != 0);
  }

  /** Returns whether its input may read the clock: date and time types, and what holds them. */
  boolean readsClock(long type) {
    CatalogRow.Type row = byOid.get(type);
    if (!BuiltinRoutines.isUsers(type) || row == null) {
      return BuiltinRoutines.isUsers(type) || serversClockTypes.contains(type);
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
}
