package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * The name of a relation as written, after PostgreSQL's folding: unquoted identifiers in lower
 * case, quoted ones as they stand without their quotes.
 *
 * @param schema the qualifier, or null where the search path decides
 * @param name the relation's own name
 */
public record RelationName(@Nullable String schema, String name) {
  @Override
  public String toString() {
    return schema == null ? name : schema + '.' + name;
  }
}
