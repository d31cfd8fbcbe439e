package dev.larder.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which routines may call which, by the words of their bodies. Takes memory and time in proportion
 * to the bodies, however many routines have one name. Not thread-safe.
 */
final class CallGraph {
  private final Map<Long, String> names = new HashMap<>();
  private final Map<String, List<Long>> called = new HashMap<>();
  private final Map<String, List<Long>> callers = new HashMap<>();
  private final Map<Long, List<Long>> users = new HashMap<>();
  private final Set<Long> withWords = new HashSet<>();

  /** Whether a name is no word, so that it may stand in any body. */
  private boolean odd;

  /** Adds a routine that bodies may call by its name, in lower case. */
  void named(long routine, String name, boolean word) {
    names.put(routine, name);
    called.computeIfAbsent(name, any -> new ArrayList<>()).add(routine);
    odd |= !word;
  }

  /** Adds the words of a body. */
  void says(long routine, Set<String> words) {
    if (!words.isEmpty()) {
      withWords.add(routine);
      words.forEach(word -> callers.computeIfAbsent(word, any -> new ArrayList<>()).add(routine));
    }
  }

  /** Adds the routines that one consists of. */
  void consistsOf(long routine, Collection<Long> parts) {
    parts.forEach(part -> users.computeIfAbsent(part, any -> new ArrayList<>()).add(routine));
  }

  /** Drops the words that name no routine; to be called once all were added. */
  void complete() {
    callers.keySet().retainAll(called.keySet());
  }

  /** Carries over from what is called to what calls, until nothing more is found. */
  void spread(Set<Long> found) {
    Deque<Long> open = new ArrayDeque<>(found);
    Set<String> spread = new HashSet<>();
    boolean all = false;
    while (!open.isEmpty()) {
      long routine = open.remove();
      users.getOrDefault(routine, List.of()).forEach(each -> find(each, found, open));
      String name = names.get(routine);
      if (name != null && odd && !all) {
        all = true;
        withWords.forEach(each -> find(each, found, open));
      } else if (name != null && spread.add(name)) {
        callers.getOrDefault(name, List.of()).forEach(each -> find(each, found, open));
      }
    }
  }

  private static void find(long routine, Set<Long> found, Deque<Long> open) {
    if (found.add(routine)) {
      open.add(routine);
    }
  }
}
