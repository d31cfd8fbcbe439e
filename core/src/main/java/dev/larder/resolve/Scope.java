package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import dev.larder.store.TableVersions;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What decides about the meaning of a statement. Looks names up as PostgreSQL does: a qualified one
 * in its schema, any other along the search path, where the first relation wins and every routine
 * is a candidate.
 *
 * @param searchPath the schemas in lookup order, implicit ones included ({@code
 *     current_schemas(true)})
 * @param temporary the names of the session's temporary tables, where nothing else of it is
 *     temporary: a write to one of them is none, unless another table of that name is visible
 * @param versions where the tags are interned
 */
public record Scope(
    CatalogVersion catalog,
    List<String> searchPath,
    Set<String> temporary,
    Declarations declarations,
    TableVersions versions) {
  /** Returns whether unqualified names are looked for in {@code schema}. */
  boolean searches(String schema) {
    return searchPath.contains(schema);
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

  /** Returns whether a name stands for what the server has of it, before what users have. */
  boolean searchesServersFirst() {
    return !searchPath.isEmpty() && searchPath.get(0).equals("pg_catalog");
  }

  /** Returns the relation that {@code name} stands for, or null. */
  @Nullable Relation relation(RelationName name) {
    return catalog.relation(name, searchPath);
  }

  /** Returns the relation that an unqualified name stands for, or null. */
  @Nullable Relation relation(String name) {
    return relation(new RelationName(null, name));
  }

  /** Returns the relation of a name as declared, {@code table} or {@code schema.table}, or null. */
  @Nullable Relation declared(String name) {
    int dot = name.indexOf('.');
    return dot < 0
        ? relation(name)
        : catalog.relation(name.substring(0, dot), name.substring(dot + 1));
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

  /** Returns the routines that a call of {@code name} may be a call of. */
  List<Routine> routines(RoutineName name) {
    return catalog.routines(name).stream().filter(routine -> sees(name, routine)).toList();
  }

  private boolean sees(RoutineName name, Routine routine) {
    String schema = name.schema();
    return schema == null ? searches(routine.schema()) : schema.equals(routine.schema());
  }
}
