package dev.larder.catalog;

import dev.larder.code.BuiltinRoutines;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operators of users, and which of them a statement may choose. A symbol does not say which
 * operator is meant: the types of its operands do. {@link OperatorChoice} tells which operators are
 * chosen only where an operand is of a type of a user's. These are left out where no value in the
 * statement can be of such a type: no column that it reads, nothing that it names, and nothing that
 * an operator makes.
 *
 * <p>Filled while a catalog version is built, then never changed.
 *
 * @see <a href="https://www.postgresql.org/docs/current/typeconv-oper.html">Operators</a>
 */
public final class UsersOperators {
  /**
   * An operator.
   *
   * @param routine its function
   * @param ownTypes whether it is chosen only where an operand is of a type of a user's
   */
  public record Operator(
      String schema, Routine routine, boolean ownTypes, long left, long right, long result) {
    /** Returns whether it may be chosen among operands of {@code types}, null for any. */
    public boolean mayBeChosen(@Nullable Set<Long> types) {
      return types == null || !ownTypes || types.contains(left) || types.contains(right);
    }

    private boolean matters() {
      return !routine.plain();
    }
  }

  private final Map<String, List<Operator>> all = new HashMap<>();
  private final Set<String> ofColumns = new HashSet<>();
  private final Map<Long, Set<Long>> becomes = new HashMap<>();
  private final Set<String> schemas = new HashSet<>();
  private final OperatorChoice choice;
  private final Set<Long> cast = new HashSet<>();
  private boolean castServersTypes;

  UsersOperators(CatalogBuilder rows) {
    for (CatalogRow.Type type : rows.all(CatalogRow.Type.class)) {
      schemas.add(type.schema());
      Set<Long> parts = becomes.computeIfAbsent(type.oid(), oid -> new HashSet<>());
      parts.add(type.base());
      parts.add(type.element());
      rows.of(type.relation(), CatalogRow.Columns.class).forEach(row -> parts.addAll(row.types()));
    }
    for (CatalogRow.Cast row : rows.all(CatalogRow.Cast.class)) {
      Stream.of(row.source(), row.target()).filter(BuiltinRoutines::isUsers).forEach(cast::add);
      if (BuiltinRoutines.isUsers(row.source())) {
        becomes.computeIfAbsent(row.source(), oid -> new HashSet<>()).add(row.target());
      } else if (BuiltinRoutines.isUsers(row.oid())) {
        castServersTypes |= !BuiltinRoutines.isUsers(row.target());
      }
    }
    choice = new OperatorChoice(rows);
  }

  /** Adds an operator of a user's with its function. */
  void add(CatalogRow.Operator row, Routine routine) {
    schemas.add(row.schema());
    if (choice.mayCompareColumns(row)) {
      ofColumns.add(row.symbol());
    }
    all.computeIfAbsent(row.symbol(), symbol -> new ArrayList<>())
        .add(
            new Operator(
                row.schema(),
                routine,
                choice.needsOwnType(row),
                row.left(),
                row.right(),
                row.result()));
  }

  /** Returns the schemas that have any, or types of users. */
  public Set<String> schemas() {
    return Collections.unmodifiableSet(schemas);
  }

  /** Returns whether there is a type of a user's with this object identifier. */
  boolean isType(long oid) {
    return becomes.containsKey(oid);
  }

  /** Returns whether only values of {@code types}, or of what they become, choose an operator. */
  boolean mayTake(Set<Long> types) {
    Set<Long> reached = types(types, Set.of());
    return all.values().stream()
        .flatMap(List::stream)
        .filter(Operator::matters)
        .anyMatch(operator -> operator.ownTypes() && operator.mayBeChosen(reached));
  }

  /** Returns whether those with {@code symbol} take operands of users' types alone. */
  public boolean needOwnTypes(String symbol) {
    return all.getOrDefault(symbol, List.of()).stream().allMatch(Operator::ownTypes);
  }

  /** Returns the operators with {@code symbol} whose functions are not plain. */
  public List<Operator> thatMatter(String symbol) {
    return all.getOrDefault(symbol, List.of()).stream().filter(Operator::matters).toList();
  }

  /** Returns the symbols of all operators whose functions are not plain. */
  public Set<String> thatMatter() {
    return all.entrySet().stream()
        .filter(each -> each.getValue().stream().anyMatch(Operator::matters))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether a user's operator of this symbol may compare columns that are keys. */
  public boolean mayCompareColumns(String symbol) {
    return ofColumns.contains(symbol);
  }

  /**
   * Returns whether some of {@code types}, null for any, is one of a user's with casts of its own.
   */
  public boolean areCast(@Nullable Set<Long> types) {
    return types == null || !Collections.disjoint(types, cast);
  }

  /** Returns whether a user has made a cast from a type of the server's to another of these. */
  public boolean castServersTypes() {
    return castServersTypes;
  }

  /** Returns whether an operator of this symbol may be chosen among {@code types}, null for any. */
  public boolean mayBeChosen(String symbol, @Nullable Set<Long> types) {
    return all.getOrDefault(symbol, List.of()).stream()
        .anyMatch(operator -> operator.mayBeChosen(types));
  }

  /**
   * Returns the types that values of {@code from}, and results of those {@code operators} that may
   * be chosen for them, are of, consist of or become.
   */
  public Set<Long> types(Set<Long> from, Set<String> operators) {
    Set<Long> types = new HashSet<>();
    Set<Long> found = from;
    do {
      reach(found, types);
      found =
          operators.stream()
              .flatMap(symbol -> all.getOrDefault(symbol, List.of()).stream())
              .filter(operator -> operator.mayBeChosen(types))
              .map(Operator::result)
              .filter(result -> !types.contains(result))
              .collect(Collectors.toSet());
    } while (!found.isEmpty());
    return types;
  }

  private void reach(Set<Long> from, Set<Long> types) {
    Deque<Long> toDo = new ArrayDeque<>(from);
    while (!toDo.isEmpty()) {
      long type = toDo.remove();
      if (types.add(type)) {
        toDo.addAll(becomes.getOrDefault(type, Set.of()));
      }
    }
  }
}
