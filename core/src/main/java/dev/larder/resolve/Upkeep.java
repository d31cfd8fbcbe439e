package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Relation;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What ANALYZE, VACUUM, REINDEX, CLUSTER and their like run: the expressions of indexes and
 * statistics, whose functions may write although they are declared IMMUTABLE. Stateless.
 */
record Upkeep(Scope scope) {
  /** What REINDEX takes besides a table: a name in it may be that of an index. */
  private static final Set<String> MANY = Set.of("database", "index", "schema", "system");

  /**
   * Returns what the statement writes so.
   *
   * @param named the tables whose names are in it
   */
  WriteClosure writes(StatementFacts facts, Collection<Long> named) {
    WriteClosure writes = new WriteClosure(scope);
    if (facts.kind() == StatementKind.CREATE_INDEX) {
      return writes; // What it runs is in its text.
    }
    CatalogVersion catalog = scope.catalog();
    boolean any = named.isEmpty() || MANY.stream().anyMatch(facts.identifiers()::contains);
    Stream<Relation> kept =
        any
            ? catalog.relations().stream()
            : named.stream().map(Math::abs).flatMap(this::withPartitions);
    kept.forEach(table -> of(table, writes));
    return writes;
  }

  /** Adds to {@code writes} what is run, as the owner, to keep the indexes of {@code table}. */
  static void of(Relation table, WriteClosure writes) {
    writes.inAnyPath(
        () -> table.evaluated().forEach(expression -> writes.evaluate(expression, table)));
  }

  private Stream<Relation> withPartitions(long table) {
    CatalogVersion catalog = scope.catalog();
    return Stream.concat(Stream.of(table), catalog.tree().place(table).activeDescendants().stream())
        .flatMap(oid -> Stream.ofNullable(catalog.relation(oid)));
  }
}
