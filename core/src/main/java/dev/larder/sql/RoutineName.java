package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * The name of a function, aggregate or procedure as called, folded like {@link RelationName}.
 *
 * @param schema the qualifier, or null where the search path decides
 * @param name the routine's own name
 */
public record RoutineName(@Nullable String schema, String name) {
  @Override
  public String toString() {
    return schema == null ? name : schema + '.' + name;
  }
}
