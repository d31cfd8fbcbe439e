package dev.larder.code;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a body may use without naming a function that does it: an operator, a type, the defaults of
 * parameters, a view or a policy. Immutable.
 *
 * @param node what it is called by in the graph of calls
 * @param name its symbol or name
 * @param symbol whether that is a symbol
 * @param runs the nodes of what its use runs: routines and other types
 * @param readsMore whether its use depends on more than on values
 */
public record UsedInBodies(
    long node, String name, boolean symbol, List<Long> runs, boolean readsMore) {
  /** Routines have their object identifiers, and relations negative ones. */
  private static final long OPERATORS = 1L << 40;

  private static final long TYPES = 1L << 41;
  private static final long DEFAULTS = 1L << 42;
  private static final long RELATIONS = 1L << 43;

  /** The operators that keywords stand for, such as LIKE and IN. */
  private static final Set<String> BEHIND_KEYWORDS =
      Set.of("=", "<>", "<", ">", "<=", ">=", "~~", "~~*", "!~~", "!~~*", "~", "!~");

  public UsedInBodies {
    runs = List.copyOf(runs);
  }

  /**
   * Returns an operator.
   *
   * @param runs the nodes of what its use runs
   */
  public static UsedInBodies operator(long oid, String symbol, Collection<Long> runs) {
    return new UsedInBodies(OPERATORS + oid, symbol, true, List.copyOf(runs), false);
  }

  /**
   * Returns a type.
   *
   * @param runs the nodes of what its use runs
   * @param readsMore whether its use reads the clock or the like
   */
  public static UsedInBodies type(long oid, String name, Collection<Long> runs, boolean readsMore) {
    return new UsedInBodies(typeNode(oid), name, false, List.copyOf(runs), readsMore);
  }

  /** Returns the defaults of a routine's parameters, as a tree. */
  static UsedInBodies defaults(long routine, String name, NodeTree tree) {
    return new UsedInBodies(DEFAULTS + routine, name, false, nodesOf(tree), tree.readsMore());
  }

  /** Returns a view, or a table with a policy, as the tree that a read of it evaluates. */
  public static UsedInBodies relation(long oid, String name, NodeTree tree) {
    return new UsedInBodies(RELATIONS + oid, name, false, nodesOf(tree), false);
  }

  /**
   * Returns the nodes of all that a tree runs: routines, with the defaults of their parameters,
   * types of its values, and relations.
   */
  public static List<Long> nodesOf(NodeTree tree) {
    List<Long> runs = new ArrayList<>(tree.routines());
    tree.routines().forEach(oid -> runs.add(DEFAULTS + oid));
    tree.relations().forEach(oid -> runs.add(RELATIONS + oid));
    Stream.of(tree.checkedTypes(), tree.convertedTypes(), tree.valueTypes())
        .flatMap(Set::stream)
        .filter(BuiltinRoutines::isUsers)
        .forEach(oid -> runs.add(typeNode(oid)));
    return runs;
  }

  /** Returns the node of a type. */
  public static long typeNode(long oid) {
    return TYPES + oid;
  }

  /**
   * Returns a word that a body has that uses it, or null if it may have any: keywords such as LIKE
   * stand for some operators.
   */
  @Nullable String word() {
    if (!symbol) {
      return BodyText.wordOf(name);
    }
    return BEHIND_KEYWORDS.contains(name) ? null : name;
  }
}
