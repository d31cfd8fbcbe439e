package dev.larder.keys;

import dev.larder.sql.RelationName;
import org.jspecify.annotations.Nullable;

/** Tells which table a name is. Pure. */
@FunctionalInterface
public interface Names {
  /** Returns the table that {@code name} is, or null where it is none that has keys. */
  @Nullable KeyTable table(RelationName name);
}
