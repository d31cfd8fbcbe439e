package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.sql.RelationName;
import dev.larder.sql.StatementFacts;
import java.util.List;

/**
 * The schemas in which the names of a body are looked for. Immutable.
 *
 * @param certain whether these are searched in this order; else some of them may be left out, and
 *     the order may be another
 */
record BodyPath(List<String> schemas, boolean certain) {
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
