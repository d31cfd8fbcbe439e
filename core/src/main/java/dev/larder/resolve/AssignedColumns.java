package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Relation.Trigger;
import dev.larder.code.RoutineText;
import dev.larder.sql.RowWrite;
import dev.larder.sql.WriteEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which columns BEFORE triggers on rows set, besides those that a write names. Stateless. */
final class AssignedColumns {
  private AssignedColumns() {}

  /**
   * Returns the columns that the bodies of {@code table}'s triggers assign at an INSERT or UPDATE,
   * or null where they may be any.
   */
  static @Nullable Set<String> of(Relation table, CatalogVersion catalog) {
    Set<String> assigned = new HashSet<>();
    for (Trigger trigger : table.triggers()) {
      boolean fires = trigger.firesFor(WriteEvent.INSERT) || trigger.firesFor(WriteEvent.UPDATE);
      if (fires && trigger.beforeRow()) {
        RoutineText text =
            catalog.bodies().texts().of(trigger.function().oid(), table.place(trigger));
        if (text == null || text.assigned() == null) {
          return null;
        }
        assigned.addAll(text.assigned());
      }
    }
    return assigned;
  }

  /** Returns {@code write} with what the triggers of {@code tables} set besides. */
  static RowWrite with(RowWrite write, List<Relation> tables, CatalogVersion catalog) {
    if (write.set() == null) {
      return write;
    }
    Set<String> set = new HashSet<>(write.set());
    for (Relation table : tables) {
      Set<String> assigned = of(table, catalog);
      if (assigned == null) {
        return new RowWrite(write.event(), write.cascade(), null);
      }
      set.addAll(assigned);
    }
    return new RowWrite(write.event(), write.cascade(), set);
  }
}
