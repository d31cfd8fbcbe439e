package dev.larder.catalog;

import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks names up as PostgreSQL does: a qualified one in its schema, any other along the search
 * path, where the first relation wins and every routine is a candidate.
 */
final class NameResolver {
  private final CatalogVersion catalog;
  private final List<String> searchPath;
  private final Set<String> visible;
  private final Set<String> temporary;

  NameResolver(CatalogVersion catalog, List<String> searchPath, Set<String> temporary) {
    this.catalog = catalog;
    this.searchPath = searchPath;
    this.temporary = temporary;
    this.visible = Set.copyOf(searchPath);
  }

  /** Returns the catalog that names are looked up in. */
  CatalogVersion catalog() {
    return catalog;
  }

  /** Returns whether unqualified names are looked for in {@code schema}. */
  boolean searches(String schema) {
    return visible.contains(schema);
  }

  /** Returns whether unqualified names are looked for in one schema besides the server's own. */
  boolean searchesOneSchema() {
    return searchPath.stream().filter(schema -> !schema.equals("pg_catalog")).count() == 1;
  }

  /** Returns whether names may stand for what is temporary, and in no catalog. */
  boolean mayBeTemporary() {
    return !temporary.isEmpty()
        || searchPath.stream().anyMatch(schema -> schema.startsWith("pg_temp"));
  }

  /** Returns the relation that {@code name} stands for, or null. */
  @Nullable Relation relation(RelationName name) {
    String schema = name.schema();
    return schema == null ? relation(name.name()) : catalog.relation(schema, name.name());
  }

  /** Returns whether {@code name} stands for a temporary table of the session, and nothing else. */
  boolean isTemporary(RelationName name) {
    return name.schema() == null
        && temporary.contains(name.name())
        && relation(name.name()) == null;
  }

  /** Returns whether a temporary table is among the names, and no other relation. */
  boolean isTemporaryOnly(Collection<RelationName> relations) {
    return relations.stream().anyMatch(this::isTemporary)
        && relations.stream().allMatch(name -> relation(name) == null);
  }

  /** Returns the relation that an unqualified name stands for, or null. */
  @Nullable Relation relation(String name) {
    for (String schema : searchPath) {
      Relation relation = catalog.relation(schema, name);
      if (relation != null) {
        return relation;
      }
    }
    return null;
  }

  /** Returns the relation of a name as declared, {@code table} or {@code schema.table}, or null. */
  @Nullable Relation declared(String name) {
    int dot = name.indexOf('.');
    return dot < 0
        ? relation(name)
        : catalog.relation(name.substring(0, dot), name.substring(dot + 1));
  }

  /** Returns whether a call of {@code name} may be a call of {@code routine}. */
  boolean sees(RoutineName name, Routine routine) {
    String schema = name.schema();
    return schema == null ? visible.contains(routine.schema()) : schema.equals(routine.schema());
  }
}
