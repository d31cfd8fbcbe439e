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
import org.jspecify.annotations.Nullable;

/**
 * The operators of users whose functions are not plain, and which of them a statement may choose. A
 * symbol does not say which operator is meant: the types of its operands do. Where both are a
 * user's own types, base or enumerated ones that no value of the server's becomes by a cast, the
 * operator is chosen only where one operand is of such a type. (Two operands without a type are
 * texts, where the server has an operator of that symbol for texts.) So it is left out where no
 * value in the statement can be of these types: no column that it reads, nothing that it names, and
 * nothing that an operator makes.
 *
 * <p>Filled while a catalog version is built, then never changed.
 *
 * @see <a href="https://www.postgresql.org/docs/current/typeconv-oper.html">Operators</a>
 */
public final class UsersOperators {
  /** An operator whose function is not plain; {@code ownTypes} where both operands' types are. */
  public record Operator(String schema, Routine routine, boolean ownTypes, long left, long right) {
    /** Returns whether it may be chosen among operands of {@code types}, null for any. */
    public boolean mayBeChosen(@Nullable Set<Long> types) {
      return types == null || !ownTypes || types.contains(left) || types.contains(right);
    }
  }

  private final Map<String, List<Operator>> thatMatter = new HashMap<>();
  private final Set<String> ofServersTypes = new HashSet<>();
  private final Map<String, Set<Long>> results = new HashMap<>();
  private final Map<Long, Set<Long>> becomes = new HashMap<>();
  private final Set<Long> ownTypes = new HashSet<>();
  private final Set<String> textSymbols = new HashSet<>();
  private boolean castServersTypes;

  UsersOperators(CatalogBuilder rows) {
    for (CatalogRow.Type type : rows.all(CatalogRow.Type.class)) {
      Set<Long> parts = becomes.computeIfAbsent(type.oid(), oid -> new HashSet<>());
      parts.add(type.base());
      parts.add(type.element());
      rows.of(type.relation(), CatalogRow.Columns.class).forEach(row -> parts.addAll(row.types()));
      if ((type.kind() == 'b' || type.kind() == 'e') && type.element() == 0) {
        ownTypes.add(type.oid());
      }
    }
    for (CatalogRow.Cast cast : rows.all(CatalogRow.Cast.class)) {
      if (BuiltinRoutines.isUsers(cast.source())) {
        becomes.computeIfAbsent(cast.source(), oid -> new HashSet<>()).add(cast.target());
      } else {
        ownTypes.remove(cast.target());
        castServersTypes |= !BuiltinRoutines.isUsers(cast.target());
      }
    }
    for (CatalogRow.Operator row : rows.all(CatalogRow.Operator.class)) {
      if (!BuiltinRoutines.isUsers(row.oid())) {
        textSymbols.add(row.symbol());
      }
    }
  }

  /** Adds an operator of a user's with its function. */
  void add(CatalogRow.Operator row, Routine routine) {
    results.computeIfAbsent(row.symbol(), symbol -> new HashSet<>()).add(row.result());
    boolean ownOperands = ownTypes.contains(row.left()) && ownTypes.contains(row.right());
    if (!ownOperands) {
      ofServersTypes.add(row.symbol());
    }
    if (!routine.plain()) {
      boolean own = textSymbols.contains(row.symbol()) && ownOperands;
      thatMatter
          .computeIfAbsent(row.symbol(), symbol -> new ArrayList<>())
          .add(new Operator(row.schema(), routine, own, row.left(), row.right()));
    }
  }

  /** Returns whether there is a type of a user's with this object identifier. */
  boolean isType(long oid) {
    return becomes.containsKey(oid);
  }

  /** Returns whether only values of {@code types}, or of what they become, choose an operator. */
  boolean mayTake(Set<Long> types) {
    Set<Long> reached = types(types, Set.of());
    return thatMatter.values().stream()
        .flatMap(List::stream)
        .anyMatch(operator -> operator.ownTypes() && operator.mayBeChosen(reached));
  }

  /** Returns the operators with {@code symbol} whose functions are not plain. */
  public List<Operator> thatMatter(String symbol) {
    return thatMatter.getOrDefault(symbol, List.of());
  }

  /** Returns the symbols of all operators whose functions are not plain. */
  public Set<String> thatMatter() {
    return Collections.unmodifiableSet(thatMatter.keySet());
  }

  /** Returns whether a user's operator of this symbol may be chosen for values of the server's. */
  public boolean mayBeChosenForServers(String symbol) {
    return ofServersTypes.contains(symbol);
  }

  /** Returns whether a user has made a cast from a type of the server's to another of these. */
  public boolean castServersTypes() {
    return castServersTypes;
  }

  /** Returns whether a user has made this symbol an operator. */
  public boolean isUsers(String symbol) {
    return results.containsKey(symbol);
  }

  /**
   * Returns the types that values of {@code from} and results of {@code operators} are of, consist
   * of or become.
   */
  public Set<Long> types(Set<Long> from, Set<String> operators) {
    Set<Long> types = new HashSet<>();
    Deque<Long> toDo = new ArrayDeque<>(from);
    operators.forEach(symbol -> toDo.addAll(results.getOrDefault(symbol, Set.of())));
    while (!toDo.isEmpty()) {
      long type = toDo.remove();
      if (types.add(type)) {
        toDo.addAll(becomes.getOrDefault(type, Set.of()));
      }
    }
    return types;
  }
}
