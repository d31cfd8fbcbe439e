package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Relation;
import dev.larder.sql.RelationName;
import dev.larder.sql.StatementFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of relations that are in several schemas of one catalog, for statements whose search
 * path is not known for sure. Immutable and thread-safe.
 */
public final class AmbiguousNames {
  private final Object mark;
  private final Map<String, Set<String>> schemasOf = new HashMap<>();
  private final Set<String> schemas = new TreeSet<>();

  /** Looks at all that {@code catalog} holds, and does not keep it. */
  public AmbiguousNames(CatalogVersion catalog) {
    mark = catalog.mark();
    schemas.addAll(catalog.schemas());
    for (Relation relation : catalog.relations()) {
      schemasOf.computeIfAbsent(relation.name(), any -> new HashSet<>(1)).add(relation.schema());
    }
    schemasOf.values().removeIf(in -> in.size() == 1);
  }

  /** Returns the {@link CatalogVersion#mark} of the catalog. */
  public Object mark() {
    return mark;
  }

  /**
   * Returns search paths such that whatever the names in {@code statements} mean along any path,
   * they mean along one of these. Along each of them whatever has a name that is not ambiguous is
   * found, and each routine of a name is a candidate.
   *
   * @param searchPath the likely one
   */
  public List<List<String>> paths(List<String> searchPath, List<StatementFacts> statements) {
    Set<String> first = new TreeSet<>();
    statements.forEach(statement -> statement.relations().forEach(name -> add(name, first)));
    return paths(searchPath, first);
  }

  /** As {@link #paths}, for statements that run what has names of its own. */
  public List<List<String>> allPaths(List<String> searchPath) {
    Set<String> first = new TreeSet<>();
    schemasOf.values().forEach(first::addAll);
    return paths(searchPath, first);
  }

  private List<List<String>> paths(List<String> searchPath, Set<String> first) {
    List<List<String>> paths = new ArrayList<>();
    paths.add(path(searchPath));
    for (String schema : first) {
      List<String> path = new ArrayList<>(List.of(schema));
      path.addAll(searchPath);
      paths.add(path(path));
    }
    return paths;
  }

  private void add(RelationName name, Set<String> first) {
    if (name.schema() == null) {
      first.addAll(schemasOf.getOrDefault(name.name(), Set.of()));
    }
  }

  private List<String> path(List<String> begin) {
    Set<String> all = new LinkedHashSet<>(begin);
    all.addAll(schemas);
    return List.copyOf(all);
  }
}
