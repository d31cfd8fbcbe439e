package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.sql.RelationName;
import dev.larder.sql.StatementFacts;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The schemas in which the names of a body are looked for. Immutable.
 *
 * @param certain whether these are searched in this order; else some of them may be left out, and
 *     the order may be another
 */
record BodyPath(List<String> schemas, boolean certain) {
  /** Stands for all schemas, until a body is followed. */
  static final BodyPath ANY = new BodyPath(List.of(), false);

  /**
   * Returns the path inside a routine that is called here.
   *
   * @param own its own, or null; empty if nobody knows which path holds
   */
  BodyPath inside(@Nullable List<String> own, CatalogVersion catalog) {
    BodyPath inside = own == null ? this : new BodyPath(own, false);
    return inside.schemas().isEmpty() ? new BodyPath(allSchemas(catalog), false) : inside;
  }

  /** The server's own comes first. */
  private static List<String> allSchemas(CatalogVersion catalog) {
    return Stream.concat(Stream.of("pg_catalog"), catalog.schemas().stream()).distinct().toList();
  }

  /** Returns whether a name without a schema may stand for one relation or another. */
  boolean isAmbiguous(StatementFacts facts, CatalogVersion catalog) {
    return !certain
        && facts.relations().stream()
            .filter(name -> name.schema() == null)
            .anyMatch(name -> isAmbiguous(name, catalog));
  }

  private boolean isAmbiguous(RelationName name, CatalogVersion catalog) {
    return schemas.stream()
            .filter(schema -> catalog.relation(schema, name.name()) != null)
            .limit(2)
            .count()
        > 1;
  }
}
