package dev.larder.catalog;

import org.jspecify.annotations.Nullable;

/**
 * Decides of a relation that was added, changed or removed whether only its own results and writes
 * can tell. Immutable.
 *
 * <p>So it is with a table of which nothing else is made, that does the same behind a write as
 * before, and whose name no other relation, type or routine has, so that no statement takes the one
 * for the other.
 */
record AloneStanding(CatalogVersion before, CatalogVersion after) {
  boolean isAlone(long oid) {
    Relation was = before.relation(oid);
    Relation is = after.relation(oid);
    return (was != null || is != null)
        && isPlain(before, was)
        && isPlain(after, is)
        && behavesAlike(oid, was, is)
        && isNameOfItsOwn(oid, was, is);
  }

  private static boolean isPlain(CatalogVersion catalog, @Nullable Relation relation) {
    return relation == null
        || ((relation.kind() == 'r' || relation.kind() == 'm' || relation.kind() == 'S')
            && !relation.system()
            && catalog.tree().isAlone(relation.oid()));
  }

  private boolean behavesAlike(long oid, @Nullable Relation was, @Nullable Relation is) {
    long now = after.digests.behaviour(oid);
    return is == null || now == (was == null ? 0 : before.digests.behaviour(oid));
  }

  private boolean isNameOfItsOwn(long oid, @Nullable Relation was, @Nullable Relation is) {
    return (was != null && is != null && was.toString().equals(is.toString()))
        || (isTheOnly(oid, was) && isTheOnly(oid, is));
  }

  private boolean isTheOnly(long oid, @Nullable Relation relation) {
    return relation == null
        || (!NameUse.isOfAnother(before, relation.name(), oid)
            && !NameUse.isOfAnother(after, relation.name(), oid));
  }
}
