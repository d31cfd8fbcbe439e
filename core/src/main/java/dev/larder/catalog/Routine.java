package dev.larder.catalog;

import dev.larder.sql.BypassReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function, aggregate or procedure, as far as a query cache cares. Immutable.
 *
 * @param reason why a call cannot be cached unless the user declares it, or null where it can
 * @param builtin whether PostgreSQL brings it along
 * @param mayWrite whether a call may write unless the user declares otherwise
 * @param changesSettings whether a call changes settings of the session
 * @param attributeStyle whether {@code row.name} calls it
 * @param timeWithZoneOnly a builtin that is chosen for time with time zone only
 * @param harmlessTrigger as a trigger function: proven to change the row at hand only
 * @param support an aggregate's functions that are not cacheable; they stand for the aggregate
 */
record Routine(
    long oid,
    String schema,
    String name,
    @Nullable BypassReason reason,
    boolean builtin,
    boolean mayWrite,
    boolean changesSettings,
    boolean attributeStyle,
    boolean timeWithZoneOnly,
    boolean harmlessTrigger,
    List<Routine> support) {

  /** Returns whether results that it contributes to can be cached without a declaration. */
  boolean cacheable() {
    return reason == null;
  }

  /** Returns whether {@code declarations} says that it reads and writes nothing of its own. */
  boolean isReadOnly(Declarations declarations) {
    return !builtin
        && (declarations.readOnlyFunctions().contains(name)
            || declarations.readOnlyFunctions().contains(schema + '.' + name)
            || (!support.isEmpty() && support.stream().allMatch(s -> s.isReadOnly(declarations))));
  }
}
