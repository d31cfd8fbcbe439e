package dev.larder.catalog;

import java.util.Map;

/**
 * What the rows of the system catalogs are known by at one moment. Immutable. Where a row was
 * added, replaced or removed they differ, though it may look as before.
 *
 * @param fingerprint differs where any of the others does
 * @param general of rows that belong to no relation: roles, functions, types and the like
 * @param indexes of all indexes
 * @param relations by the relation's oid; a schema's oid is negated
 */
public record CatalogStamps(
    String fingerprint, String general, String indexes, Map<Long, Stamp> relations) {
  /**
   * What the rows of one relation are known by.
   *
   * @param meaning differs where what they say may differ
   * @param row differs where the relation's own row was replaced, as by TRUNCATE, too
   */
  public record Stamp(long meaning, long row) {}

  /** Copies the relations. */
  public CatalogStamps {
    relations = Map.copyOf(relations);
  }

  /** Returns stamps with a fingerprint alone: where it differs, anything may. */
  public static CatalogStamps of(String fingerprint) {
    return new CatalogStamps(fingerprint, fingerprint, fingerprint, Map.of());
  }

  /** Returns whether statements mean the same: at most the own rows of relations were replaced. */
  boolean meansTheSame(CatalogStamps after) {
    return general.equals(after.general)
        && indexes.equals(after.indexes)
        && relations.keySet().equals(after.relations.keySet())
        && relations.entrySet().stream()
            .allMatch(each -> each.getValue().meaning() == after.meaning(each.getKey()));
  }

  /** Returns whether at most the own row of {@code relation} was replaced. */
  boolean meansTheSame(CatalogStamps after, long relation) {
    return meaning(relation) == after.meaning(relation);
  }

  private long meaning(long relation) {
    Stamp stamp = relations.get(relation);
    return stamp == null ? 0 : stamp.meaning();
  }
}
