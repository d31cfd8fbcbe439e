package dev.larder.catalog;

import dev.larder.sql.BypassReason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a view, policy, default, constraint or condition in the catalog refers to. Immutable.
 *
 * @param relations the relations that it reads
 * @param routines the routines that it calls and that are not cacheable by themselves
 * @param reason why a result that it contributes to cannot be cached whatever is declared, or null
 * @param settings the custom settings that it reads
 * @param types the domains that it converts to
 */
record Expression(
    Set<Long> relations,
    List<Routine> routines,
    @Nullable BypassReason reason,
    Set<String> settings,
    Set<Long> types) {

  /** An expression that is a call of {@code routine}. */
  static Expression call(Routine routine) {
    return new Expression(
        Set.of(), routine.cacheable() ? List.of() : List.of(routine), null, Set.of(), Set.of());
  }

  /** Returns whether it depends on nothing but constants, cacheable functions and settings. */
  boolean plain() {
    return reason == null && routines.isEmpty();
  }
}
