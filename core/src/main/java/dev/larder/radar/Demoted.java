package dev.larder.radar;

import dev.larder.QueryCacheConfig.Writers;
import java.util.Set;

/**
 * The names of the tables whose results live shortly, or not at all, because of external writers.
 * Immutable.
 *
 * @param everybody because others than Larder write them
 * @param group because others than this process, and those that share its results, write them
 */
public record Demoted(Set<String> everybody, Set<String> group) {
  /** Returns those that concern a cache whose writers are declared so. */
  public Set<String> of(Writers writers) {
    return writers.areLarders() ? group : everybody;
  }
}
