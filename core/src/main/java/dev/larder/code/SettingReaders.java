package dev.larder.code;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which routines read which settings by a literal name. Filled while bodies are read. */
final class SettingReaders {
  /** Each takes a pass over the routines. */
  private static final int MOST_SETTINGS = 100;

  private final Map<String, Set<Long>> readers = new HashMap<>();

  void add(String setting, long routine) {
    readers.computeIfAbsent(setting, name -> new HashSet<>()).add(routine);
  }

  /** Finds what follows; where there are too many settings, all go to {@code ofAny}. */
  void spread(CallGraph calls, Set<Long> ofAny) {
    if (readers.size() > MOST_SETTINGS) {
      readers.values().forEach(ofAny::addAll);
      readers.clear();
      calls.spread(ofAny);
    }
    readers.values().forEach(calls::spread);
  }

  /** Returns the routines by the setting. */
  Map<String, Set<Long>> all() {
    return Collections.unmodifiableMap(readers);
  }

  /** Returns the settings that a routine reads. */
  Set<String> of(long routine) {
    return readers.entrySet().stream()
        .filter(setting -> setting.getValue().contains(routine))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
