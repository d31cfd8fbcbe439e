package dev.larder.resolve;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import dev.larder.catalog.Routine.Trait;
import dev.larder.code.BuiltinRoutines;
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
  private final Scope scope;
  private final CatalogVersion catalog;

  TextInput(Scope scope) {
    this.scope = scope;
    this.catalog = scope.catalog();
  }

  /** Returns why a query with this conversion cannot be cached, or null. */
  @Nullable BypassReason bypass(Conversion conversion) {
    if (conversion.type().name().equals("regclass")) {
      return isNameOfTable(conversion.operand()) ? null : BypassReason.UNSUPPORTED_RELATION;
    }
    return mayReadClock(conversion) ? BypassReason.TIME : null;
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
        && column.tables().stream().map(scope::relation).allMatch(TextInput::isTable)
        && scope.searchesOneSchema();
  }

  private static boolean isTable(@Nullable Relation relation) {
    return relation != null && relation.hasRows();
  }

  /** Returns whether {@code conversion} may read a text that means the present time. */
  private boolean mayReadClock(Conversion conversion) {
    RelationName type = conversion.type();
    Set<String> schemas = catalog.clockTypes(type.name());
    boolean clock =
        type.schema() == null
            ? schemas.stream().anyMatch(scope::searches)
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
      Relation table = scope.relation(name);
      if (table == null || table.columns().others().contains(column.name())) {
        return false;
      }
      found |= table.columns().times().contains(column.name());
    }
    return found && column.calls().stream().allMatch(call -> returnsNoText(call, null));
  }

  private boolean returnsNoText(RoutineName name, @Nullable Operand first) {
    List<Routine> overloads = scope.routines(name);
    return !overloads.isEmpty()
        && overloads.stream()
            .allMatch(
                routine ->
                    routine.is(Trait.RETURNS_NO_TEXT)
                        || (routine.is(Trait.RETURNS_ARGUMENT) && !mayBeText(first)));
  }
}
