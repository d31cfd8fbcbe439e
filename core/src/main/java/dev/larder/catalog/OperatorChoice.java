package dev.larder.catalog;

import dev.larder.code.BuiltinRoutines;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which operators of users the server may choose among operands of its own types and literals
 * without a type. It chooses by the types of both operands, and first among the operators that take
 * most of the known types as they are. So an operator for two base types of users is chosen there
 * only by implicit casts, and only where no operator of the server's takes an operand as it is.
 *
 * <p>A domain counts as the type that it is over, a row may become any composite type, and an array
 * any other array: an operator for one of these may always be chosen. Immutable.
 *
 * @see <a href="https://www.postgresql.org/docs/current/typeconv-oper.html">Operators</a>
 */
final class OperatorChoice {
  /** A literal without a type, which can become any. */
  private static final long UNKNOWN = 0;

  private static final long TEXT = 25;
  private static final long BYTES = 17;

  /** any, anyarray, anyelement, anynonarray, anyenum, ranges and the compatible ones; record. */
  private static final Set<Long> ANY_TYPES =
      Set.of(
          2249L, 2276L, 2277L, 2283L, 2776L, 3500L, 3831L, 4537L, 4538L, 5077L, 5078L, 5079L,
          5080L);

  private record Operands(long left, long right) {}

  private final Map<String, Set<Operands>> servers = new HashMap<>();
  private final Map<Long, Set<Long>> implicitFrom = new HashMap<>();
  private final Set<Long> own = new HashSet<>();
  private final Set<Long> compared = new HashSet<>();

  OperatorChoice(CatalogBuilder rows) {
    for (CatalogRow.Type type : rows.all(CatalogRow.Type.class)) {
      if (type.isBase() || (type.kind() == 'e' && type.element() == 0)) {
        own.add(type.oid());
      }
      if (type.kind() == 'e') {
        compared.add(type.oid());
      }
    }
    Set<Long> enums = Set.copyOf(compared);
    for (CatalogRow.Cast cast : rows.all(CatalogRow.Cast.class)) {
      if (cast.context() == 'i') {
        implicitFrom.computeIfAbsent(cast.target(), any -> new HashSet<>()).add(cast.source());
        if (enums.contains(cast.source())) {
          compared.add(cast.target());
        }
      }
    }
    for (CatalogRow.Operator row : rows.all(CatalogRow.Operator.class)) {
      if (!BuiltinRoutines.isUsers(row.oid())) {
        servers
            .computeIfAbsent(row.symbol(), symbol -> new HashSet<>())
            .add(new Operands(row.left(), row.right()));
      }
    }
  }

  /** Returns whether it is chosen only where an operand is of a type of a user's. */
  boolean needsOwnType(CatalogRow.Operator operator) {
    Set<Long> left = reaching(operator.left());
    Set<Long> right = reaching(operator.right());
    return left != null
        && right != null
        && (own.contains(operator.left()) || own.contains(operator.right()))
        && left.stream()
            .allMatch(one -> right.stream().allMatch(other -> servers(operator, one, other)));
  }

  /**
   * Returns whether it may be chosen where rows are told apart: where a column of a type that
   * {@link KeyTables} compares stands beside another such column or a constant. A text is compared
   * with no bytes there.
   */
  boolean mayCompareColumns(CatalogRow.Operator operator) {
    if (compared.contains(operator.left()) || compared.contains(operator.right())) {
      return true;
    }
    Set<Long> left = reachingKeys(operator.left());
    Set<Long> right = reachingKeys(operator.right());
    return left == null
        || right == null
        || left.stream()
            .anyMatch(
                one ->
                    right.stream()
                        .filter(other -> areCompared(one, other))
                        .anyMatch(other -> !servers(operator, one, other)));
  }

  private static boolean areCompared(long one, long other) {
    boolean textAndBytes =
        (one == BYTES && KeyTables.TEXTS.contains(other))
            || (other == BYTES && KeyTables.TEXTS.contains(one));
    return !textAndBytes
        && (KeyTables.COMPARABLE.contains(one) || KeyTables.COMPARABLE.contains(other));
  }

  /** Returns the server's types that become {@code type} without being told to, or null for any. */
  private @Nullable Set<Long> reaching(long type) {
    if (!own.contains(type) && type != TEXT) {
      return null;
    }
    return reachingKeys(type);
  }

  private @Nullable Set<Long> reachingKeys(long type) {
    boolean known = own.contains(type) || !BuiltinRoutines.isUsers(type);
    if (!known || type == UNKNOWN || ANY_TYPES.contains(type)) {
      return null;
    }
    Set<Long> types = new HashSet<>(implicitFrom.getOrDefault(type, Set.of()));
    types.add(type);
    types.removeIf(BuiltinRoutines::isUsers);
    types.add(UNKNOWN);
    return types;
  }

  /** Returns whether the server prefers an operator of its own for operands of these types. */
  private boolean servers(CatalogRow.Operator operator, long left, long right) {
    Set<Operands> all = servers.getOrDefault(operator.symbol(), Set.of());
    // A literal without a type is first taken for one of the other operand's.
    if ((left == UNKNOWN && all.contains(new Operands(right, right)))
        || (right == UNKNOWN && all.contains(new Operands(left, left)))) {
      return true;
    }
    // Of several types for it the server prefers text.
    if (all.contains(new Operands(TEXT, TEXT))
        && ((left == UNKNOWN && right == UNKNOWN)
            || (left == UNKNOWN && operator.right() == TEXT)
            || (right == UNKNOWN && operator.left() == TEXT))) {
      return true;
    }
    int exact = exact(left, operator.left()) + exact(right, operator.right());
    return all.stream()
        .filter(each -> becomes(left, each.left()) && becomes(right, each.right()))
        .anyMatch(each -> exact(left, each.left()) + exact(right, each.right()) > exact);
  }

  private static int exact(long operand, long taken) {
    return operand != UNKNOWN && operand == taken ? 1 : 0;
  }

  private boolean becomes(long operand, long taken) {
    return operand == UNKNOWN
        || operand == taken
        || implicitFrom.getOrDefault(taken, Set.of()).contains(operand);
  }
}
