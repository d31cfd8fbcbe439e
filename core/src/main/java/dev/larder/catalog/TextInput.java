package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.sql.Conversion;
import dev.larder.sql.Operand;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which conversions may read the clock. Only a text is read by the input function of a type,
 * and only an input function that is not IMMUTABLE reads the clock ('today' is a date). So a
 * conversion to such a type must be one of what the catalog says is no text: a column that is a
 * date or a time, or the value of a function or operator that returns none.
 */
final class TextInput {
  private final NameResolver names;
  private final CatalogVersion catalog;

  TextInput(NameResolver names) {
    this.names = names;
    this.catalog = names.catalog();
  }

  /** Returns why a query with these conversions cannot be cached, or null. */
  @Nullable BypassReason bypass(Set<Conversion> conversions) {
    BypassReason reason = null;
    for (Conversion conversion : conversions) {
      boolean shown = conversion.type().name().equals("regclass");
      if (shown && !isNameOfTable(conversion.operand())) {
        reason = CatalogBuilder.first(reason, BypassReason.UNSUPPORTED_RELATION);
      } else if (!shown && mayReadClock(conversion)) {
        reason = CatalogBuilder.first(reason, BypassReason.TIME);
      }
    }
    return reason;
  }

  /**
   * Whether it is the system column tableoid, which a view may have as another one. The name that
   * the server shows depends on whether one of its schemas has something of that name before: what
   * that is the catalog does not always show, as an index.
   */
  private boolean isNameOfTable(@Nullable Operand operand) {
    return operand instanceof Operand.Column column
        && column.name().equals("tableoid")
        && column.calls().isEmpty()
        && column.tables().stream().map(names::relation).allMatch(TextInput::isTable)
        && names.searchesOneSchema();
  }

  private static boolean isTable(@Nullable Relation relation) {
    return relation != null && "rpm".indexOf(relation.kind) >= 0;
  }

  /** Returns whether {@code conversion} may read a text that means the present time. */
  private boolean mayReadClock(Conversion conversion) {
    RelationName type = conversion.type();
    Set<String> schemas = catalog.clockTypes(type.name());
    boolean clock =
        type.schema() == null
            ? schemas.stream().anyMatch(names::searches)
            : schemas.contains(type.schema());
    return BuiltinRoutines.isJudgedByText(type.name())
        || (clock && mayBeText(conversion.operand()));
  }

  private boolean mayBeText(@Nullable Operand operand) {
    if (operand instanceof Operand.Column column) {
      return !isTime(column);
    } else if (operand instanceof Operand.Call call) {
      return !returnsNoText(call.routine(), call.first());
    }
    return !(operand instanceof Operand.Operation operation)
        || operation.operators().stream().anyMatch(catalog::mayReturnText);
  }

  private boolean isTime(Operand.Column column) {
    boolean found = column.tables().isEmpty();
    for (RelationName name : column.tables()) {
      Relation table = names.relation(name);
      if (table == null || table.otherColumns.contains(column.name())) {
        return false;
      }
      found |= table.timeColumns.contains(column.name());
    }
    return found && column.calls().stream().allMatch(call -> returnsNoText(call, null));
  }

  private boolean returnsNoText(RoutineName name, @Nullable Operand first) {
    List<Routine> overloads =
        catalog.routines(name).stream().filter(routine -> names.sees(name, routine)).toList();
    return !overloads.isEmpty()
        && overloads.stream()
            .allMatch(
                routine ->
                    routine.result() == Routine.Result.NO_TEXT
                        || (routine.result() == Routine.Result.ARGUMENT && !mayBeText(first)));
  }
}
