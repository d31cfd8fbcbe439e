package dev.larder.sql;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A value that is converted, as far as tokens show it; the catalog says whether it is a text. */
public sealed interface Operand {
  /** A column of one of the tables and views, or the value of one of the functions. */
  record Column(Set<RelationName> tables, Set<RoutineName> calls, String name) implements Operand {
    public Column {
      tables = Set.copyOf(tables);
      calls = Set.copyOf(calls);
    }
  }

  /** The value of a function; nothing is known of its first argument where that is null. */
  record Call(RoutineName routine, @Nullable Operand first) implements Operand {}

  /** The value of one of the operators, or of AT TIME ZONE; a constant where there is none. */
  record Operation(Set<String> operators) implements Operand {
    public Operation {
      operators = Set.copyOf(operators);
    }
  }
}
