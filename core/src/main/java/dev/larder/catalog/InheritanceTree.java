package dev.larder.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Partitions and inheritance while a snapshot is built: links relations to what is above and below
 * them.
 *
 * <p>The tags of a tree are chosen so that both a read and a write touch as many tags as the tree
 * is deep, however many partitions there are. A read of X depends on {@code RELATION:X} and on
 * {@code BELOW:A} for every A above X; a write to X bumps {@code RELATION} of X and of everything
 * above it, and {@code BELOW:X} if there is anything below it. So a write to a partition reaches
 * the readers of its parents by {@code RELATION}, a write aimed at a parent reaches the readers of
 * every partition by {@code BELOW}, and siblings do not disturb each other. Where a relation has
 * several parents, a write to X also bumps {@code RELATION} of whatever else is above something
 * below X.
 */
final class InheritanceTree {
  private final Map<Long, List<Long>> parents = new HashMap<>();
  private final Map<Long, List<Long>> children = new HashMap<>();

  /** Says that {@code child} is directly below {@code parent}. */
  void add(long child, long parent) {
    parents.computeIfAbsent(child, oid -> new ArrayList<>()).add(parent);
    children.computeIfAbsent(parent, oid -> new ArrayList<>()).add(child);
  }

  /** Sets the links of every relation; their triggers, rules and keys must be set. */
  void link(Map<Long, Relation> relations) {
    Map<Relation, Set<Relation>> ancestors = new HashMap<>();
    for (long oid : parents.keySet()) {
      Relation relation = relations.get(oid);
      if (relation != null) {
        ancestors.put(relation, closure(oid, parents, relations));
        relation.ancestors = List.copyOf(ancestors.getOrDefault(relation, Set.of()));
      }
    }
    for (long oid : children.keySet()) {
      Relation relation = relations.get(oid);
      if (relation != null) {
        above(relation, closure(oid, children, relations), ancestors);
      }
    }
  }

  private void above(
      Relation relation, Set<Relation> below, Map<Relation, Set<Relation>> ancestors) {
    Set<Relation> others = new LinkedHashSet<>();
    List<Relation> active = new ArrayList<>();
    for (Relation descendant : below) {
      others.addAll(ancestors.getOrDefault(descendant, Set.of()));
      // A child may have columns, and indexes on them, of which the parent knows nothing.
      boolean moreTypes = !relation.columnTypes.containsAll(descendant.columnTypes);
      if (moreTypes || descendant.active()) {
        active.add(descendant);
      }
      relation.foreignBelow |= descendant.kind == 'f';
      relation.locksBelow &= descendant.kind != 'p';
    }
    others.removeAll(below);
    others.remove(relation);
    others.removeAll(relation.ancestors);
    relation.hasChildren = true;
    relation.locksBelow &= relation.kind != 'p';
    relation.crossAncestors = List.copyOf(others);
    relation.activeDescendants = List.copyOf(active);
  }

  private static Set<Relation> closure(
      long start, Map<Long, List<Long>> edges, Map<Long, Relation> relations) {
    Set<Long> seen = new LinkedHashSet<>();
    List<Long> open = new ArrayList<>(edges.getOrDefault(start, List.of()));
    while (!open.isEmpty()) {
      long oid = open.remove(open.size() - 1);
      if (seen.add(oid)) {
        open.addAll(edges.getOrDefault(oid, List.of()));
      }
    }
    return resolve(seen, relations::get);
  }

  private static Set<Relation> resolve(Collection<Long> oids, Function<Long, Relation> lookup) {
    Set<Relation> found = new LinkedHashSet<>();
    for (long oid : oids) {
      Relation relation = lookup.apply(oid);
      if (relation != null) {
        found.add(relation);
      }
    }
    return found;
  }
}
