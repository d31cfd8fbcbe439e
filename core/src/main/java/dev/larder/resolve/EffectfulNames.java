package dev.larder.resolve;

import dev.larder.analysis.Keywords;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import dev.larder.catalog.UsersOperators;
import dev.larder.lexer.QueryWords;
import dev.larder.store.TableVersions;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names by which a query may do more than read, in one catalog, in whatever schema: of routines
 * that may write or change settings, of relations and types that call such, of operators, and the
 * keywords that stand for any of these. For texts that may never come again: to resolve each of
 * them would cost more than the query. Immutable and thread-safe.
 */
public final class EffectfulNames {
  /** Stands for all names. */
  private static final Set<String> ANY = Set.of("*");

  private final Set<String> names;

  /** Looks at all that {@code catalog} holds, and does not keep it. */
  public EffectfulNames(CatalogVersion catalog, Declarations declarations, TableVersions versions) {
    names = new Search(new Scope(catalog, List.of(), Set.of(), declarations, versions)).names();
  }

  private static final class Search {
    private final Scope scope;
    private final CatalogVersion catalog;
    private final Set<String> names = new HashSet<>();

    Search(Scope scope) {
      this.scope = scope;
      this.catalog = scope.catalog();
    }

    /** Returns the names, or {@link #ANY} where any query at all may do more than read. */
    Set<String> names() {
      ReadClosure hidden = new ReadClosure(scope);
      hidden.hidden(catalog.hidden().everywhere());
      hidden.hidden(catalog.hidden().casts());
      if (hasEffects(hidden)) {
        return ANY;
      }
      catalog.relations().forEach(this::relation);
      catalog.routines().forEach(this::routine);
      catalog.typeNames().forEach(this::type);
      catalog.usersOperators().thatMatter().forEach(this::operator);
      Keywords.ALL.forEach(this::keyword);
      return names;
    }

    private void relation(Relation relation) {
      ReadClosure reads = new ReadClosure(scope);
      reads.read(relation, true);
      List.copyOf(reads.columnTypes).forEach(reads::useType);
      add(relation.name(), reads);
    }

    private void routine(Routine routine) {
      if (routine.hasEffects() || scope.declarations().writes(routine) != null) {
        ReadClosure reads = new ReadClosure(scope);
        reads.called.add(routine);
        add(routine.name(), reads);
      }
    }

    private void type(String name) {
      ReadClosure reads = new ReadClosure(scope);
      catalog.types(name).forEach(reads::useType);
      add(name, reads);
    }

    private void operator(String symbol) {
      ReadClosure reads = new ReadClosure(scope);
      for (UsersOperators.Operator operator : catalog.usersOperators().thatMatter(symbol)) {
        reads.called.add(operator.routine());
      }
      add(symbol, reads);
    }

    private void keyword(String keyword) {
      if (!Collections.disjoint(names, Keywords.operators(keyword))
          || !Collections.disjoint(names, Keywords.routines(keyword))) {
        names.add(keyword);
      }
    }

    private void add(String name, ReadClosure reads) {
      if (hasEffects(reads)) {
        names.add(name);
      }
    }

    private boolean hasEffects(ReadClosure reads) {
      if (reads.called.isEmpty()) {
        return false;
      }
      WriteClosure writes = new WriteClosure(scope);
      writes.call(reads.called);
      return !writes.writes().isEmpty() || writes.changesSettings() || writes.changesCatalog();
    }
  }

  /**
   * Returns whether one of these words may have effects. Where none may, a query of them writes
   * nothing and changes neither settings nor the catalog, whichever schemas are searched, in a
   * session without temporary objects.
   */
  @SuppressWarnings("ReferenceEquality") // ANY is no set of names.
  public boolean areAmong(QueryWords words) {
    if (names == ANY) {
      return true;
    }
    for (String word : words.all()) {
      if (names.contains(word)) {
        return true;
      }
    }
    return false;
  }
}
