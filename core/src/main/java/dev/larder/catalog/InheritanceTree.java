package dev.larder.catalog;

import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Partitions and inheritance: what is above and below each relation, and the tags that follow.
 * Immutable.
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
public final class InheritanceTree {
  private static final Place ALONE =
      new Place(List.of(), List.of(), List.of(), false, false, false);

  private final Map<Long, Place> places = new HashMap<>();

  /**
   * Where a relation stands; relations by oid.
   *
   * @param ancestors everything above it
   * @param crossAncestors with multiple inheritance, the parents of what is below it that are
   *     outside of its own tree
   * @param activeDescendants what is below it and has triggers, rules or keys that are not copies
   *     of its own
   * @param hasChildren whether partitions or inheriting tables are below it
   * @param foreignBelow whether a foreign table is below it
   * @param locksBelow whether reading it locks everything below it: inheritance without partitions
   */
  public record Place(
      List<Long> ancestors,
      List<Long> crossAncestors,
      List<Long> activeDescendants,
      boolean hasChildren,
      boolean foreignBelow,
      boolean locksBelow) {}

  InheritanceTree(List<CatalogRow.Parent> rows, Map<Long, Relation> relations) {
    Map<Long, List<Long>> parents = new HashMap<>();
    Map<Long, List<Long>> children = new HashMap<>();
    for (CatalogRow.Parent row : rows) {
      parents.computeIfAbsent(row.child(), oid -> new ArrayList<>()).add(row.parent());
      children.computeIfAbsent(row.parent(), oid -> new ArrayList<>()).add(row.child());
    }
    Map<Long, Set<Long>> ancestors = new HashMap<>();
    parents.keySet().forEach(oid -> ancestors.put(oid, closure(oid, parents, relations)));
    for (Relation relation : relations.values()) {
      long oid = relation.oid();
      if (parents.containsKey(oid) || children.containsKey(oid)) {
        Set<Long> below = closure(oid, children, relations);
        places.put(oid, place(relation, below, ancestors, relations));
      }
    }
  }

  private static Place place(
      Relation relation,
      Set<Long> below,
      Map<Long, Set<Long>> ancestors,
      Map<Long, Relation> relations) {
    Set<Long> above = ancestors.getOrDefault(relation.oid(), Set.of());
    Set<Long> others = new LinkedHashSet<>();
    below.forEach(oid -> others.addAll(ancestors.getOrDefault(oid, Set.of())));
    others.removeAll(below);
    others.removeAll(above);
    others.remove(relation.oid());
    List<Relation> descendants = below.stream().map(relations::get).toList();
    // A child may have columns, and indexes on them, of which the parent knows nothing.
    Set<Long> types = relation.columns().types();
    List<Long> active =
        descendants.stream()
            .filter(child -> child.active() || !types.containsAll(child.columns().types()))
            .map(Relation::oid)
            .toList();
    return new Place(
        List.copyOf(above),
        List.copyOf(others),
        active,
        !below.isEmpty(),
        descendants.stream().anyMatch(child -> child.kind() == 'f'),
        relation.kind() != 'p' && descendants.stream().noneMatch(child -> child.kind() == 'p'));
  }

  private static Set<Long> closure(
      long start, Map<Long, List<Long>> edges, Map<Long, Relation> relations) {
    Set<Long> seen = new LinkedHashSet<>();
    List<Long> open = new ArrayList<>(edges.getOrDefault(start, List.of()));
    while (!open.isEmpty()) {
      long oid = open.remove(open.size() - 1);
      if (seen.add(oid)) {
        open.addAll(edges.getOrDefault(oid, List.of()));
      }
    }
    seen.retainAll(relations.keySet());
    return seen;
  }

  /** Returns the place of a relation. */
  public Place place(long relation) {
    return places.getOrDefault(relation, ALONE);
  }

  /** Returns whether a relation is in no tree. */
  public boolean isAlone(long relation) {
    return !places.containsKey(relation);
  }

  /** Returns the tags that a read of the rows of a relation depends on. */
  public Set<TableTag> readTags(long relation, TableVersions versions) {
    Set<TableTag> tags = new LinkedHashSet<>();
    tags.add(versions.tag(TableTag.Scope.RELATION, relation));
    for (long above : place(relation).ancestors()) {
      tags.add(versions.tag(TableTag.Scope.BELOW, above));
    }
    return tags;
  }

  /** Returns the tags that a write to the rows of a relation bumps. */
  public Set<TableTag> writtenTags(long relation, TableVersions versions) {
    Place place = place(relation);
    List<Long> written = new ArrayList<>(List.of(relation));
    Set<TableTag> tags = new LinkedHashSet<>();
    if (ProtocolStep.FOLLOW_PARTITIONS.isTaken()) {
      written.addAll(place.ancestors());
      written.addAll(place.crossAncestors());
      if (place.hasChildren()) {
        tags.add(versions.tag(TableTag.Scope.BELOW, relation));
      }
    }
    written.forEach(oid -> tags.add(versions.tag(TableTag.Scope.RELATION, oid)));
    return tags;
  }

  /**
   * Returns the topmost relation of the tree that a relation is in: itself where it is in none, and
   * 0 where there is not just one.
   */
  long rootOf(long relation) {
    if (!place(relation).crossAncestors().isEmpty()) {
      return 0;
    }
    List<Long> roots =
        place(relation).ancestors().stream()
            .filter(above -> place(above).ancestors().isEmpty())
            .toList();
    long root = roots.isEmpty() ? relation : roots.get(0);
    return roots.size() > 1 || !place(root).crossAncestors().isEmpty() ? 0 : root;
  }
}
