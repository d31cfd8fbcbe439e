package dev.larder.catalog;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What results a change of the catalog may touch. Immutable.
 *
 * @param everything whether it may be any
 * @param relations the relations whose results it may be, else
 */
public record CatalogChange(boolean everything, Set<Long> relations) {
  /** May touch any result. */
  public static final CatalogChange EVERYTHING = new CatalogChange(true, Set.of());

  /** Touches no result. */
  public static final CatalogChange NOTHING = new CatalogChange(false, Set.of());

  /** Copies the relations. */
  public CatalogChange {
    relations = Set.copyOf(relations);
  }

  /** Returns whether no result is touched. */
  public boolean isNothing() {
    return !everything && relations.isEmpty();
  }

  /**
   * Returns what {@code catalog}, read under {@code before}, says of a change after which
   * statements mean what they meant; null where they may mean something else.
   */
  public static @Nullable CatalogChange ofRows(
      CatalogVersion catalog, CatalogStamps before, CatalogStamps after) {
    if (!before.meansTheSame(after)) {
      return null;
    }
    Set<Long> replaced = differing(before.relations(), after.relations());
    boolean tables =
        replaced.stream()
            .map(catalog::relation)
            .allMatch(each -> each != null && each.hasRows() && !each.system());
    return tables ? new CatalogChange(false, replaced) : EVERYTHING;
  }

  /**
   * Returns the change between two versions of the catalog.
   *
   * @param stamps those that the results of {@code before} were last compared under
   */
  public static CatalogChange between(
      CatalogVersion before, CatalogStamps stamps, CatalogVersion after) {
    if (!stamps.general().equals(after.stamps().general())
        || before.digests.general() != after.digests.general()) {
      return EVERYTHING;
    }
    Set<Long> changed = differing(stamps.relations(), after.stamps().relations());
    Set<Long> different = differing(before.digests.relations(), after.digests.relations());
    // Where it looks as before, a write meanwhile may have done more than is to be seen.
    boolean undone =
        changed.stream()
            .anyMatch(oid -> !different.contains(oid) && !stamps.meansTheSame(after.stamps(), oid));
    changed.addAll(different);
    Set<Long> schemas = new HashSet<>(changed);
    schemas.removeIf(oid -> oid > 0);
    changed.removeIf(oid -> oid <= 0);
    AloneStanding alone = new AloneStanding(before, after);
    boolean bounded =
        !undone
            && schemas.stream().noneMatch(before.digests.relations()::containsKey)
            && stamps.relations().keySet().stream().noneMatch(schemas::contains)
            && changed.stream().allMatch(alone::isAlone);
    return bounded ? new CatalogChange(false, changed) : EVERYTHING;
  }

  private static <T> Set<Long> differing(Map<Long, T> before, Map<Long, T> after) {
    Set<Long> all = new HashSet<>(before.keySet());
    all.addAll(after.keySet());
    all.removeIf(
        oid -> {
          T was = before.get(oid);
          return was != null && was.equals(after.get(oid));
        });
    return all;
  }
}
