package dev.larder.catalog;

import dev.larder.sql.StatementFacts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operators of users whose functions are not plain, and which of them a statement may choose. A
 * symbol alone does not say which operator is meant: its operands' types do. An operator whose
 * operands are both of a user's own types, base or enumerated ones that no value of the server's
 * becomes by a cast, is chosen only where one operand is of such a type. (Two operands without a
 * type are texts, where the server has an operator of that symbol for texts.) So it is left out
 * where no value in the statement can be of these types: no column of what it reads, nothing that
 * it names, and nothing that an operator makes.
 *
 * <p>Filled while a snapshot is built, then never changed.
 *
 * @see <a href="https://www.postgresql.org/docs/current/typeconv-oper.html">Operators</a>
 */
final class UsersOperators {
  /** An operator whose function is not plain. */
  record Operator(String schema, Routine routine, boolean ownTypes, long left, long right) {}

  private final Map<String, List<Operator>> thatMatter = new HashMap<>();
  private final Map<String, Set<Long>> results = new HashMap<>();
  private final Map<String, Set<Long>> typesByName = new HashMap<>();
  private final Map<Long, Set<Long>> becomes = new HashMap<>();
  private final Set<Long> ownTypes = new HashSet<>();

  /** Of those of {@link #thatMatter} that are chosen by such operands alone. */
  private final Set<Long> operands = new HashSet<>();

  private final Set<String> textSymbols;

  UsersOperators(
      List<CatalogBuilder.TypeRow> types,
      List<CatalogBuilder.CastRow> casts,
      Map<Long, Set<Long>> columnTypes,
      Set<String> textSymbols) {
    this.textSymbols = textSymbols;
    for (CatalogBuilder.TypeRow type : types) {
      typesByName.computeIfAbsent(type.name(), name -> new HashSet<>()).add(type.oid());
      Set<Long> parts = becomes.computeIfAbsent(type.oid(), oid -> new HashSet<>());
      parts.add(type.base());
      parts.add(type.element());
      parts.addAll(columnTypes.getOrDefault(type.relation(), Set.of()));
      if ((type.kind() == 'b' || type.kind() == 'e') && type.element() == 0) {
        ownTypes.add(type.oid());
      }
    }
    for (CatalogBuilder.CastRow cast : casts) {
      if (isUsers(cast.source())) {
        becomes.computeIfAbsent(cast.source(), oid -> new HashSet<>()).add(cast.target());
      } else {
        ownTypes.remove(cast.target());
      }
    }
  }

  /** Returns whether there is a type of a user's with this object identifier. */
  boolean isType(long oid) {
    return becomes.containsKey(oid);
  }

  /** Returns whether values of {@code types} alone may choose an operator that matters. */
  boolean mayTake(Set<Long> types) {
    return reached(types).stream().anyMatch(operands::contains);
  }

  void add(CatalogBuilder.OperatorRow row, Routine routine) {
    results.computeIfAbsent(row.symbol(), symbol -> new HashSet<>()).add(row.result());
    if (!routine.plain()) {
      boolean own =
          textSymbols.contains(row.symbol())
              && ownTypes.contains(row.left())
              && ownTypes.contains(row.right());
      thatMatter
          .computeIfAbsent(row.symbol(), symbol -> new ArrayList<>())
          .add(new Operator(row.schema(), routine, own, row.left(), row.right()));
      if (own) {
        operands.add(row.left());
        operands.add(row.right());
      }
    }
  }

  /** Returns the operators with {@code symbol} whose functions are not plain. */
  List<Operator> thatMatter(String symbol) {
    return thatMatter.getOrDefault(symbol, List.of());
  }

  /** Returns whether a user has made this symbol an operator. */
  boolean isUsers(String symbol) {
    return results.containsKey(symbol);
  }

  /**
   * Returns the types of users that values in the statement may be of, and more, where it calls no
   * routine of a user's and every parameter has the type of a column.
   *
   * @param columnTypes of the relations that it reads, and of its parameters
   */
  Set<Long> types(StatementFacts facts, Set<Long> columnTypes) {
    Set<Long> from = new HashSet<>(columnTypes);
    facts.identifiers().forEach(name -> from.addAll(typesByName.getOrDefault(name, Set.of())));
    facts.operators().forEach(symbol -> from.addAll(results.getOrDefault(symbol, Set.of())));
    return reached(from);
  }

  /** Returns {@code from}, and the types that values of these consist of or become. */
  private Set<Long> reached(Set<Long> from) {
    Set<Long> types = new HashSet<>();
    Deque<Long> toDo = new ArrayDeque<>(from);
    while (!toDo.isEmpty()) {
      long type = toDo.remove();
      if (types.add(type)) {
        toDo.addAll(becomes.getOrDefault(type, Set.of()));
      }
    }
    return types;
  }

  /**
   * Returns whether {@code operator} may be chosen among operands of {@code types}, null where
   * these may be any.
   */
  static boolean mayBeChosen(Operator operator, @Nullable Set<Long> types) {
    return types == null
        || !operator.ownTypes()
        || types.contains(operator.left())
        || types.contains(operator.right());
  }

  private static boolean isUsers(long oid) {
    return oid >= BuiltinRoutines.FIRST_USER_OID;
  }
}
