package dev.larder.code;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What routines read that are declared IMMUTABLE: the server puts what such a routine returns into
 * plans that it keeps. Immutable.
 *
 * @param settings the custom settings
 * @param users whether any tells who the user is
 */
public record PlannedReads(Set<String> settings, boolean users) {
  static final PlannedReads NONE = new PlannedReads(Set.of(), false);

  static PlannedReads of(
      Set<Long> immutable, Map<String, Set<Long>> settingReaders, Set<Long> userReaders) {
    return new PlannedReads(
        settingReaders.entrySet().stream()
            .filter(setting -> !Collections.disjoint(immutable, setting.getValue()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet()),
        !Collections.disjoint(immutable, userReaders));
  }

  /** Returns whether there is nothing. */
  public boolean isEmpty() {
    return settings.isEmpty() && !users;
  }
}
